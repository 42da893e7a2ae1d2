"""What a join may carry. Parsing never fails: a field of the wrong type takes its default, as in the reference.

The reference's schemas are in supabase/realtime, `channels/payloads/`.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

import orjson

from minato.json_text import JsonObject

OPAQUE_KEY = "sb_"


@dataclass(frozen=True)
class JoinConfig:
    """A join's wishes. `replay` is the object asked for; `wants_replay` tells an absent key from a null one.

    `by_topic`: there is no config at all, as in joins of supabase-js 1. The topic says what is followed.
    """

    broadcast_ack: bool = False
    broadcast_self: bool = False
    wants_replay: bool = False
    replay: object = None
    replication_ready: bool = False
    presence_enabled: bool = False
    presence_key: str | None = None
    postgres_changes: list[dict[str, object]] = field(default_factory=list)
    private: bool = False
    by_topic: bool = False

    def entries(self, topic_name: str) -> list[JsonObject]:
        """What a channel of the topic `topic_name` follows, numbered."""
        return number_entries([entry_of_topic(topic_name)] if self.by_topic else self.postgres_changes)


def parse_join(payload: object) -> JoinConfig:
    """The config of a `phx_join` payload."""
    config = _map(_map(payload).get("config"))
    broadcast, presence = _map(config.get("broadcast")), _map(config.get("presence"))
    return JoinConfig(
        broadcast_ack=_flag(broadcast.get("ack")),
        broadcast_self=_flag(broadcast.get("self")),
        wants_replay="replay" in broadcast,
        replay=broadcast.get("replay"),
        replication_ready=broadcast.get("replication_ready") not in (None, False),
        presence_enabled=_flag(presence.get("enabled")),
        presence_key=_presence_key(presence.get("key")),
        postgres_changes=_changes(config.get("postgres_changes")),
        private=_flag(config.get("private")),
        by_topic=isinstance(payload, dict) and "config" not in payload,
    )


def join_token(payload: object) -> str | None:
    """The user's token in a join, None when the socket's own key is meant: absent, not text, or an opaque key."""
    fields = _map(payload)
    if str(fields.get("access_token") or fields.get("user_token") or "").startswith(OPAQUE_KEY):
        return None
    for name in ("user_token", "access_token"):
        if isinstance(fields.get(name), str):
            return str(fields[name])
    return None


def entry_of_topic(name: str) -> JsonObject:
    """What a topic names to be followed: `schema`, `schema:table` or `schema:table:filter`.

    >>> entry_of_topic("public:cars:price=gt.10")
    {'schema': 'public', 'table': 'cars', 'filter': 'price=gt.10'}
    """
    return dict(zip(("schema", "table", "filter"), name.split(":", 2), strict=False))


def number_entries(entries: list[JsonObject]) -> list[JsonObject]:
    """The entries with an `id` each: stable for equal entries, different for different ones, never 0."""
    taken: dict[int, bytes] = {}
    numbered = []
    for entry in entries:
        content = orjson.dumps(entry, option=orjson.OPT_SORT_KEYS)
        number = (zlib.crc32(content) & 0x7FFFFFF) or 1
        while taken.get(number, content) != content:
            number = (number % 0x7FFFFFF) + 1
        taken[number] = content
        numbered.append({**entry, "id": number})
    return numbered


def _map(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _flag(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.lower() == "true")


def _presence_key(value: object) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    return orjson.dumps(value).decode() if _is_writable(value) else None


def _changes(value: object) -> list[dict[str, object]]:
    entries = value if isinstance(value, list) else []
    return [entry for entry in entries if isinstance(entry, dict) and _is_writable(entry)]


def _is_writable(value: object) -> bool:
    """Whether a frame can carry the value: JSON readers go deeper than writers."""
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError:
        return False
    return True
