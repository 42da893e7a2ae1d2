"""The body of POST /api/broadcast: messages for many topics, refused together when one of them is not well formed."""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from minato.json_text import JsonObject
from minato.realtime.broadcast import EVENT
from minato.realtime.fanout.base import Topic
from minato.realtime.message import TOPIC_PREFIX, Push

BLANK, INVALID, TOO_LARGE = "can't be blank", "is invalid", "Payload size exceeds tenant limit"
Errors = dict[str, object]


@dataclass(frozen=True)
class BatchMessage:
    """One message: where it goes and what its listeners get."""

    topic: Topic
    outgoing: Push


def parse_batch(document: object, max_payload: int) -> tuple[list[BatchMessage], Errors | None]:
    """The messages of a body, or what is wrong with them, one object per message.

    >>> parse_batch({}, 100)
    ([], {'messages': ["can't be blank"]})
    """
    entries = document.get("messages") if isinstance(document, dict) else None
    if not entries:
        return [], {"messages": [BLANK]}
    if not isinstance(entries, list):
        return [], {"messages": [INVALID]}
    errors = [_errors(entry, max_payload) for entry in entries]
    if any(errors):
        return [], {"messages": errors}
    return [_message(entry) for entry in entries], None


def _errors(entry: object, max_payload: int) -> Errors:
    if not isinstance(entry, dict):
        return {"topic": [BLANK], "event": [BLANK], "payload": [BLANK]}
    errors: Errors = {}
    for name in ("topic", "event"):
        if entry.get(name) in (None, ""):
            errors[name] = [BLANK]
        elif not isinstance(entry[name], str):
            errors[name] = [INVALID]
    payload = entry.get("payload")
    if payload is None:
        errors["payload"] = [BLANK]
    elif not isinstance(payload, dict):
        errors["payload"] = [INVALID]
    elif not _fits(payload, max_payload):
        errors["payload"] = [TOO_LARGE]
    if not isinstance(entry.get("private", False), bool | None):
        errors["private"] = [INVALID]
    return errors


def _fits(payload: dict[str, object], max_payload: int) -> bool:
    try:
        return len(orjson.dumps(payload)) <= max_payload
    except orjson.JSONEncodeError:
        return False


def _message(entry: JsonObject) -> BatchMessage:
    payload: JsonObject = {"type": EVENT, "event": entry["event"], "payload": entry["payload"]}
    if isinstance(entry.get("id"), str):
        payload["meta"] = {"id": entry["id"]}
    topic = Topic(entry["topic"], entry.get("private") is True)
    return BatchMessage(topic, Push(TOPIC_PREFIX + topic.name, EVENT, payload))
