"""Both wire formats, as tables of frames."""

from __future__ import annotations

import json

import pytest
from minato.realtime.message import Encoding, Message, Push, UserBroadcast, UserPayload
from minato.realtime.serializer import EncodedOnce, MalformedFrame, SerializerV1, SerializerV2

V1, V2 = SerializerV1(), SerializerV2()
PUSH = Push("realtime:a", "system", {"status": "ok"}, None, "1")
JSON_BROADCAST = UserBroadcast("realtime:a", "move", Encoding.JSON, b'{"x":1}')
RAW_BROADCAST = UserBroadcast("realtime:a", "move", Encoding.RAW, b"\x00\xff")
STORED_BROADCAST = UserBroadcast("realtime:a", "move", Encoding.JSON, b'{"x":1}', {"id": "7"})


def user_push(join_ref: str, ref: str, topic: str, event: str, meta: str, encoding: int, data: bytes) -> bytes:
    strings = [part.encode() for part in (join_ref, ref, topic, event, meta)]
    return bytes([3, *map(len, strings), encoding]) + b"".join(strings) + data


@pytest.mark.parametrize(
    ("serializer", "frame", "message"),
    [
        (V1, '{"topic":"t","event":"e","payload":{},"ref":"1"}', Message("t", "e", {}, "1")),
        (V1, '{"topic":"t","event":"e","payload":{},"ref":"1","join_ref":"9"}', Message("t", "e", {}, "1")),
        (V1, '{"topic":"t","event":"e","payload":null,"ref":null}', Message("t", "e", None)),
        (V2, '["1","2","t","e",{"a":[1]}]', Message("t", "e", {"a": [1]}, "2", "1")),
        (V2, '[null,null,"t","e",{},"extra"]', Message("t", "e", {})),
        (
            V2,
            user_push("1", "2", "realtime:a", "move", "", 1, b'{"x":1}'),
            Message("realtime:a", "broadcast", UserPayload("move", Encoding.JSON, b'{"x":1}'), "2", "1"),
        ),
        (
            V2,
            user_push("", "", "realtime:é", "m", "{}", 0, b"\x00\x01"),
            Message("realtime:é", "broadcast", UserPayload("m", Encoding.RAW, b"\x00\x01")),
        ),
        (V2, bytes([0, 1, 1, 1, 1]) + b"12te" + b"data", Message("t", "e", b"data", "2", "1")),
    ],
)
def test_a_frame_becomes_a_message(
    serializer: SerializerV1 | SerializerV2, frame: str | bytes, message: Message
) -> None:
    assert serializer.decode(frame) == message


@pytest.mark.parametrize(
    ("serializer", "frame"),
    [
        (V1, "not json"),
        (V1, "[]"),
        (V1, '{"topic":"t","event":"e","payload":{}}'),
        (V1, '{"topic":1,"event":"e","payload":{},"ref":null}'),
        (V1, b"\x03binary"),
        (V2, ""),
        (V2, "{}"),
        (V2, "[null,null,null,null]"),
        (V2, '[null,null,5,"e",{}]'),
        (V2, '[null,null,"t",null,{}]'),
        (V2, '["\\ud800",null,"t","e",{}]'),
        (V2, "[" * 100_000),
        (V2, b""),
        (V2, b"\x03"),
        (V2, b"\x04\x01\x01\x00\x00ab"),
        (V2, b"\x03\xff\xff\xff\xff\xff\x01short"),
        (V2, user_push("1", "2", "t", "e", "", 1, b"not json")),
        (V2, bytes([3, 0, 0, 1, 1, 0, 1]) + b"\xff\xfe{}"),
    ],
)
def test_anything_else_is_malformed(serializer: SerializerV1 | SerializerV2, frame: str | bytes) -> None:
    with pytest.raises(MalformedFrame):
        serializer.decode(frame)


def test_version_1_writes_objects_without_join_ref() -> None:
    frame = V1.encode(PUSH)
    assert isinstance(frame, str)
    assert json.loads(frame) == {"topic": "realtime:a", "event": "system", "payload": {"status": "ok"}, "ref": None}


def test_version_2_writes_arrays() -> None:
    frame = V2.encode(PUSH)
    assert isinstance(frame, str)
    assert json.loads(frame) == ["1", None, "realtime:a", "system", {"status": "ok"}]


@pytest.mark.parametrize(
    ("broadcast", "payload"),
    [
        (JSON_BROADCAST, {"type": "broadcast", "event": "move", "payload": {"x": 1}}),
        (STORED_BROADCAST, {"type": "broadcast", "event": "move", "payload": {"x": 1}, "meta": {"id": "7"}}),
    ],
)
def test_a_binary_broadcast_reaches_version_1_as_an_object(
    broadcast: UserBroadcast, payload: dict[str, object]
) -> None:
    frame = V1.encode(broadcast)
    assert isinstance(frame, str)
    assert json.loads(frame) == {"topic": "realtime:a", "event": "broadcast", "ref": None, "payload": payload}


def test_raw_bytes_can_not_reach_version_1() -> None:
    assert V1.encode(RAW_BROADCAST) is None


@pytest.mark.parametrize(
    ("broadcast", "frame"),
    [
        (JSON_BROADCAST, b"\x04\x0a\x04\x00\x01realtime:amove" + b'{"x":1}'),
        (RAW_BROADCAST, b"\x04\x0a\x04\x00\x00realtime:amove\x00\xff"),
        (STORED_BROADCAST, b"\x04\x0a\x04\x0a\x01realtime:amove" + b'{"id":"7"}{"x":1}'),
    ],
)
def test_a_user_broadcast_reaches_version_2_as_kind_4(broadcast: UserBroadcast, frame: bytes) -> None:
    assert V2.encode(broadcast) == frame


def test_a_string_too_long_for_kind_4_is_lost() -> None:
    assert V2.encode(UserBroadcast("realtime:" + "x" * 250, "e", Encoding.JSON, b"{}")) is None


def test_a_payload_too_deep_to_write_is_lost() -> None:
    deep: object = []
    for _ in range(500):
        deep = [deep]
    assert V2.encode(Push("t", "e", deep)) is None


def test_a_message_to_many_is_encoded_once_per_format() -> None:
    encoded = EncodedOnce(PUSH)
    assert encoded.frame(V2) is encoded.frame(V2)
    assert encoded.frame(V1) != encoded.frame(V2)
