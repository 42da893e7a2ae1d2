"""The shapes that travel between a client and a channel, whatever the wire format.

`Message` is what a client says, `Push` and `UserBroadcast` are what it hears. Only `serializer` knows how they look as
bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

PHOENIX_TOPIC = "phoenix"
TOPIC_PREFIX = "realtime:"


class Encoding(IntEnum):
    """How a user's broadcast payload is written; the numbers are the wire's."""

    RAW = 0
    JSON = 1


@dataclass(frozen=True, slots=True)
class UserPayload:
    """The payload of a client's binary broadcast: its own event name and bytes that nobody in between reads."""

    event: str
    encoding: Encoding
    data: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """One frame of a client. `payload` is any JSON value, or a `UserPayload` for a binary broadcast."""

    topic: str
    event: str
    payload: object
    ref: object = None
    join_ref: object = None


@dataclass(frozen=True, slots=True)
class Push:
    """One message to a client; `join_ref` is None for what is fanned out to many."""

    topic: str
    event: str
    payload: object
    ref: object = None
    join_ref: object = None


@dataclass(frozen=True, slots=True)
class UserBroadcast:
    """A broadcast whose payload stays the bytes it came as; `meta` is what the server adds (`id`, `replayed`)."""

    topic: str
    event: str
    encoding: Encoding
    data: bytes
    meta: dict[str, object] | None = None


Outgoing = Push | UserBroadcast


def reply(message: Message, status: str, response: object, join_ref: object = None) -> Push:
    """The answer to `message`: `{"status": "ok"|"error", "response": …}` under its ref."""
    return Push(message.topic, "phx_reply", {"status": status, "response": response}, message.ref, join_ref)
