"""What is fanned out, and the protocol of whatever carries it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from minato.json_text import JsonMapping
from minato.realtime.message import Outgoing


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


@dataclass(frozen=True, slots=True)
class Note:
    """What one process tells the others about its presences; no client hears it. `body` is JSON."""

    body: JsonMapping


Deliver = Callable[[Envelope], None]
Hear = Callable[[Note], None]


class Fanout(Protocol):
    """Carries envelopes to every process, this one included, and notes to every other one.

    At most once, in order per process: what a process sends while the way to the others is broken is lost to them.
    """

    dropped: int
    """Envelopes and notes that never left because too many were waiting."""

    async def start(self, deliver: Deliver, hear: Hear) -> None: ...

    async def stop(self) -> None: ...

    async def publish(self, envelope: Envelope) -> None: ...

    def tell(self, note: Note) -> None: ...
