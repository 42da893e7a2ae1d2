"""Protocol 1.0.0 and 2.0.0 on the wire; nobody else knows them.

1.0.0 is a JSON object per text frame, 2.0.0 a JSON array or, for a user's broadcast, a binary frame of length-prefixed
strings. Decoding is total: anything else raises MalformedFrame.
"""

from __future__ import annotations

from typing import Protocol

import orjson

from minato.realtime.message import Encoding, Message, Outgoing, Push, UserBroadcast, UserPayload

Frame = str | bytes

PUSH = 0
USER_BROADCAST_PUSH = 3
USER_BROADCAST = 4
MAX_STRING = 255


class MalformedFrame(Exception):
    """A frame that is not of the protocol; the connection stays, nobody is answered."""


class Serializer(Protocol):
    """One wire format. `encode` gives None for what the format can't carry: that message is lost to this client."""

    version: str

    def decode(self, frame: Frame) -> Message: ...

    def encode(self, message: Outgoing) -> Frame | None: ...


class SerializerV1:
    """Objects `{"topic", "event", "payload", "ref"}`; no binary payloads, and no join_ref on the way out."""

    version = "1.0.0"

    def decode(self, frame: Frame) -> Message:
        """
        >>> SerializerV1().decode('{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}').event
        'heartbeat'
        """
        if isinstance(frame, bytes):
            raise MalformedFrame("1.0.0 has no binary frames")
        fields = _parse(frame)
        if not isinstance(fields, dict) or not fields.keys() >= {"topic", "event", "payload", "ref"}:
            raise MalformedFrame("not an object with topic, event, payload and ref")
        return _message(None, fields["ref"], fields["topic"], fields["event"], fields["payload"])

    def encode(self, message: Outgoing) -> Frame | None:
        if isinstance(message, Push):
            return _dump(
                {"topic": message.topic, "event": message.event, "payload": message.payload, "ref": message.ref}
            )
        if message.encoding is Encoding.RAW:
            return None
        payload: dict[str, object] = {
            "event": message.event,
            "payload": orjson.Fragment(message.data),
            "type": "broadcast",
        }
        if message.meta is not None:
            payload["meta"] = message.meta
        return _dump({"topic": message.topic, "event": "broadcast", "payload": payload, "ref": None})


class SerializerV2:
    """Arrays `[join_ref, ref, topic, event, payload]`, and binary frames for users' broadcasts."""

    version = "2.0.0"

    def decode(self, frame: Frame) -> Message:
        """
        >>> SerializerV2().decode('[null,"1","phoenix","heartbeat",{}]').ref
        '1'
        """
        if isinstance(frame, bytes):
            return decode_binary(frame)
        fields = _parse(frame)
        if not isinstance(fields, list) or len(fields) < 5:
            raise MalformedFrame("not an array of join_ref, ref, topic, event, payload")
        return _message(*fields[:5])

    def encode(self, message: Outgoing) -> Frame | None:
        if isinstance(message, UserBroadcast):
            return encode_user_broadcast(message)
        return _dump([message.join_ref, message.ref, message.topic, message.event, message.payload])


SERIALIZERS: dict[str, Serializer] = {"1.0.0": SerializerV1(), "2.0.0": SerializerV2()}


class EncodedOnce:
    """A message to many: encoded once per wire format, not once per listener."""

    __slots__ = ("_frames", "message")

    def __init__(self, message: Outgoing) -> None:
        self.message = message
        self._frames: dict[str, Frame | None] = {}

    def frame(self, serializer: Serializer) -> Frame | None:
        """The frame for clients of `serializer`, None when it can't carry the message."""
        if serializer.version not in self._frames:
            self._frames[serializer.version] = serializer.encode(self.message)
        return self._frames[serializer.version]


def decode_binary(frame: bytes) -> Message:
    """A binary frame of 2.0.0: kind 3, a user's broadcast, or kind 0, Phoenix's plain push.

    Kind 3 is u8 3, u8 lengths of join_ref, ref, topic, event, metadata, u8 encoding, those strings, the payload.
    """
    kind = frame[0] if frame else None
    if kind == USER_BROADCAST_PUSH and len(frame) >= 7:
        (join_ref, ref, topic, event, _), data = _strings(frame, frame[1:6], 7)
        encoding = Encoding.RAW if frame[6] == 0 else Encoding.JSON
        if encoding is Encoding.JSON:
            _parse(data)  # it will be spliced into the frames of 1.0.0 clients, so it must be JSON
        return Message(topic, "broadcast", UserPayload(event, encoding, data), ref or None, join_ref or None)
    if kind == PUSH and len(frame) >= 5:
        (join_ref, ref, topic, event), data = _strings(frame, frame[1:5], 5)
        return Message(topic, event, data, ref or None, join_ref or None)
    raise MalformedFrame("not a binary frame of the protocol")


def encode_user_broadcast(message: UserBroadcast) -> bytes | None:
    """A kind 4 frame: u8 4, u8 lengths of topic, event, metadata, u8 encoding, those strings, the payload.

    None when a string is over 255 bytes, which the format can't say.
    """
    meta = orjson.dumps(message.meta) if message.meta is not None else b""
    strings = (message.topic.encode(), message.event.encode(), meta)
    if any(len(string) > MAX_STRING for string in strings):
        return None
    head = bytes((USER_BROADCAST, *map(len, strings), message.encoding))
    return b"".join((head, *strings, message.data))


def _strings(frame: bytes, lengths: bytes, start: int) -> tuple[list[str], bytes]:
    found = []
    for length in lengths:
        end = start + length
        if end > len(frame):
            raise MalformedFrame("a string is longer than the frame")
        try:
            found.append(frame[start:end].decode())
        except UnicodeDecodeError as error:
            raise MalformedFrame("a string is not UTF-8") from error
        start = end
    return found, frame[start:]


def _parse(text: Frame) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise MalformedFrame("not JSON") from error


def _message(join_ref: object, ref: object, topic: object, event: object, payload: object) -> Message:
    if not isinstance(topic, str) or not isinstance(event, str):
        raise MalformedFrame("topic and event are strings")
    return Message(topic, event, payload, ref, join_ref)


def _dump(value: object) -> str | None:
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        # Nested deeper than the encoder goes, although the decoder took it: it can't be said, so it is lost.
        return None
