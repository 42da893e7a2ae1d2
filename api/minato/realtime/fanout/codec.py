"""Envelopes and notes as bytes between processes: u32 length, a JSON header, the payload as the bytes it is.

All processes run the same version, so the format promises nothing to anybody else.
"""

from __future__ import annotations

import struct

import orjson

from minato.json_text import JsonObject
from minato.realtime.fanout.base import Envelope, Kind, Note, Topic
from minato.realtime.message import Encoding, Push, UserBroadcast

LENGTH = struct.Struct(">I")


class UnreadableParcel(Exception):
    """Bytes that are no envelope and no note of ours."""


def encode_parcel(parcel: Envelope | Note) -> bytes:
    """The bytes of a parcel. Raises orjson.JSONEncodeError when it is nested deeper than JSON writers go."""
    if isinstance(parcel, Note):
        header, data = orjson.dumps({"note": parcel.body}), b""
    else:
        fields, data = _message_fields(parcel.message)
        address = {"topic": parcel.topic.name, "private": parcel.topic.private, "kind": parcel.kind}
        header = orjson.dumps({**address, "sender": parcel.sender, "id": parcel.message_id, **fields})
    return LENGTH.pack(len(header)) + header + data


def _message_fields(message: Push | UserBroadcast) -> tuple[dict[str, object], bytes]:
    fields: dict[str, object] = {"to": message.topic, "event": message.event}
    if isinstance(message, Push):
        return fields, orjson.dumps(message.payload)
    return {**fields, "encoding": message.encoding, "meta": message.meta}, message.data


def decode_parcel(parcel: bytes) -> Envelope | Note:
    """The parcel behind `parcel`. Raises UnreadableParcel."""
    try:
        (length,) = LENGTH.unpack_from(parcel)
        end = LENGTH.size + length
        header = orjson.loads(parcel[LENGTH.size : end])
        if "note" in header:
            return Note(dict(header["note"]))
        message = _message(header, parcel[end:])
        topic = Topic(header["topic"], header["private"])
        return Envelope(topic, Kind(header["kind"]), message, header["sender"], header["id"])
    except (struct.error, ValueError, TypeError, KeyError) as error:
        raise UnreadableParcel(type(error).__name__) from error


def _message(header: JsonObject, data: bytes) -> Push | UserBroadcast:
    if "encoding" not in header:
        return Push(header["to"], header["event"], orjson.loads(data))
    return UserBroadcast(header["to"], header["event"], Encoding(header["encoding"]), data, header["meta"])
