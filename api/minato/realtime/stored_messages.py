"""Broadcasts that are rows: realtime.messages as a source of live broadcasts and of replays, and its partitions.

`realtime.send` writes such rows; the change feed brings them here once they are committed.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text

from minato.background import Supervisor
from minato.clock import Clock
from minato.database.database import Database
from minato.database.engines import OWNER
from minato.realtime.change_feed.base import Action, Change, Relation, Row
from minato.realtime.fanout.base import Envelope, Kind, Topic
from minato.realtime.message import TOPIC_PREFIX, Encoding, UserBroadcast
from minato.tokens.caller import SERVICE_ROLE

SCHEMA, TABLE = "realtime", "messages"
MAX_REPLAYED = 25
JANITOR_SECONDS = 4 * 3600.0
REPLAY = text("""
select cast(id as text) as id, event, cast(payload as text) as payload, binary_payload
  from realtime.messages
 where topic = :topic and private and extension = 'broadcast' and event is not null
   and inserted_at >= :after and inserted_at < :before
 order by inserted_at desc limit :limit
""")
# It waits for whoever reads the partitions.
PATIENTLY = text("set local statement_timeout to 0")
KEEP_PARTITIONS = text("select minato.keep_message_partitions(:today)")


def is_message(relation: Relation) -> bool:
    """Whether a relation of the change feed is realtime.messages or one of its partitions."""
    return relation.schema == SCHEMA and (relation.table == TABLE or relation.table.startswith(TABLE + "_"))


def stored_envelope(change: Change) -> Envelope | None:
    """The broadcast that an inserted row is, None when it lacks a part of one."""
    row = change.record
    if change.action is not Action.INSERT or row is None:
        return None
    topic, private, broadcast = row.get("topic"), row.get("private"), _broadcast(row)
    if topic is None or private is None or broadcast is None:
        return None
    return Envelope(Topic(topic, private == "t"), Kind.BROADCAST, broadcast, message_id=row["id"])


def _broadcast(row: Row) -> UserBroadcast | None:
    topic, event, payload, raw = (row.get(name) for name in ("topic", "event", "payload", "binary_payload"))
    if event is None or (payload is None and raw is None):
        return None
    if payload is not None:
        encoding, data = Encoding.JSON, payload.encode()
    else:
        encoding, data = Encoding.RAW, bytes.fromhex((raw or "").removeprefix("\\x"))
    return UserBroadcast(f"{TOPIC_PREFIX}{topic}", event, encoding, data, {"id": row["id"]})


class StoredMessages:
    """Reads stored broadcasts, and keeps the partitions they are stored in."""

    def __init__(self, database: Database, clock: Clock, supervisor: Supervisor) -> None:
        self._database = database
        self._clock = clock
        self._supervisor = supervisor

    async def replay(self, topic: str, since: float, limit: int) -> list[UserBroadcast]:
        """The newest private broadcasts of `topic` since that Unix second, oldest first, at most 25.

        Raises DATABASE_ERRORS.
        """
        after = datetime.fromtimestamp(since, UTC).replace(tzinfo=None)
        before = (self._clock.now() + timedelta(minutes=1)).replace(tzinfo=None)
        asked = {"topic": topic, "after": after, "before": before, "limit": min(max(limit, 1), MAX_REPLAYED)}
        async with self._database.engine(SERVICE_ROLE).connect() as connection:
            rows = (await connection.execute(REPLAY, asked)).mappings().all()
        return [_replayed(topic, row) for row in reversed(rows) if row["payload"] or row["binary_payload"] is not None]

    def begin_tidying(self) -> asyncio.Task[None]:
        """Make the partitions of the coming days and drop old ones, now and every four hours."""
        return self._supervisor.begin("tidying realtime.messages", self._tidy, JANITOR_SECONDS)

    async def _tidy(self) -> None:
        async with self._database.engine(OWNER).begin() as connection:
            await connection.execute(PATIENTLY)
            await connection.execute(KEEP_PARTITIONS, {"today": self._clock.now().date()})


def _replayed(topic: str, row: Any) -> UserBroadcast:
    meta = {"replayed": True, "id": row["id"]}
    if row["payload"] is not None:
        return UserBroadcast(TOPIC_PREFIX + topic, row["event"], Encoding.JSON, row["payload"].encode(), meta)
    return UserBroadcast(TOPIC_PREFIX + topic, row["event"], Encoding.RAW, row["binary_payload"], meta)
