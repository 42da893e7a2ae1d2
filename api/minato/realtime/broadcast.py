"""Broadcast payloads: what a client or an HTTP caller sends becomes one message for all listeners."""

from __future__ import annotations

import orjson

from minato.realtime.message import TOPIC_PREFIX, Encoding, Outgoing, Push, UserBroadcast, UserPayload

EVENT = "broadcast"
PAYLOAD_TOO_LARGE = "payload_size_exceeded"


class UnspeakablePayload(Exception):
    """A payload that no frame can carry: not an object, or nested deeper than JSON writers go."""


def broadcast_of(topic: str, payload: object) -> Outgoing:
    """The message to the listeners of `topic` (with `realtime:`). Raises UnspeakablePayload.

    A text payload goes on untouched, whatever its fields; a binary one keeps its own event name and bytes.
    """
    if isinstance(payload, UserPayload):
        return UserBroadcast(topic, payload.event, payload.encoding, payload.data)
    if not isinstance(payload, dict):
        raise UnspeakablePayload
    return Push(topic, EVENT, payload)


def payload_size(payload: object) -> int:
    """The bytes of a payload as it was written. Raises UnspeakablePayload."""
    if isinstance(payload, UserPayload):
        return len(payload.data)
    try:
        return len(orjson.dumps(payload))
    except orjson.JSONEncodeError as error:
        raise UnspeakablePayload from error


def http_broadcast(name: str, event: str, encoding: Encoding, data: bytes) -> UserBroadcast:
    """A broadcast to the topic `name` (without `realtime:`) from an HTTP body."""
    return UserBroadcast(TOPIC_PREFIX + name, event, encoding, data)
