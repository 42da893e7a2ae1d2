"""What is fanned out, and the protocol of whatever carries it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from api.realtime.message import Outgoing


class Topic(NamedTuple):
    """Public and private channels of the same name are separate topics. `name` is without `realtime:`."""

    name: str
    private: bool


class Kind(StrEnum):
    """What decides who may hear an envelope."""

    BROADCAST = "broadcast"
    PRESENCE = "presence"


@dataclass(frozen=True, slots=True)
class Envelope:
    """One message to all listeners of a topic but the channel instance `sender`.

    `message_id` names a stored message, so that a listener to whom it was replayed does not hear it again.
    """

    topic: Topic
    kind: Kind
    message: Outgoing
    sender: str | None = None
    message_id: str | None = None


Deliver = Callable[[Envelope], None]


class Fanout(Protocol):
    """Carries envelopes to every process, this one included; at most once, in order per sender."""

    async def start(self, deliver: Deliver) -> None: ...

    async def stop(self) -> None: ...

    async def publish(self, envelope: Envelope) -> None: ...
