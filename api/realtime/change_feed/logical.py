"""The change feed from logical decoding: keeps one replication connection alive and says when it is not.

The slot is made when the room starts, never while a client waits; after any error a new one is made, with growing
pauses.
"""

from __future__ import annotations

import asyncio
import contextlib

import psycopg2
import structlog

from api.config.realtime import RealtimeSettings
from api.entropy import Entropy
from api.realtime.change_feed.base import Deliver, FeedState, FeedStatus
from api.realtime.change_feed.pgoutput import ProtocolError
from api.realtime.change_feed.replication import PublicationMissing, ReplicationConnection

EXPECTED = (psycopg2.Error, PublicationMissing, ProtocolError, OSError)
SLOT_PREFIX = "supabase_realtime_replication_slot_"
FIRST_PAUSE = 0.2
UNREACHABLE = "Realtime was unable to connect to the project database"
# What PostgreSQL says before a connection exists comes as one text with hosts and users in it; these parts may be told.
TELLABLE = ("permission denied to start WAL sender", "must be superuser or replication role to start walsender")
LOST = "Realtime lost the replication connection, changes may be missing"


class LogicalChangeFeed:
    """A `ChangeFeed` of the publication's tables on `dsn`, whose login needs the REPLICATION right."""

    def __init__(
        self, dsn: str, settings: RealtimeSettings, entropy: Entropy, log: structlog.stdlib.BoundLogger
    ) -> None:
        self.status = FeedStatus()
        self._dsn = dsn
        self._settings = settings
        self._entropy = entropy
        self._log = log
        self._task: asyncio.Task[None] | None = None

    async def start(self, deliver: Deliver) -> None:
        """Begin to follow changes; returns at once, `status` tells when they flow."""
        self._task = asyncio.create_task(self._run(deliver))

    async def stop(self) -> None:
        """End the stream and its slot."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, deliver: Deliver) -> None:
        pause = FIRST_PAUSE
        while True:
            was_live = False
            try:
                await self._follow(deliver)
            except Exception as error:
                was_live = self.status.current.live
                self.status.set(FeedState(live=False, failure=LOST if was_live else describe(error)))
                unexpected = None if isinstance(error, EXPECTED) else error
                self._log.warning("change feed lost", reason=describe(error), exc_info=unexpected)
            pause = FIRST_PAUSE if was_live else min(pause * 2, self._settings.feed_retry_max)
            await asyncio.sleep(pause)

    async def _follow(self, deliver: Deliver) -> None:
        slot = SLOT_PREFIX + self._entropy.base32(10)
        publications = (self._settings.publication, self._settings.messages_publication)
        connection = ReplicationConnection(self._dsn, slot, publications, self._settings.feed_backlog)
        try:
            await connection.open()
            self.status.set(FeedState(live=True))
            async for batch in connection.batches(self._settings.feed_batch):
                await deliver(batch)
        except asyncio.CancelledError:
            connection.close()
            await connection.slot_gone()
            raise
        finally:
            connection.close()


def describe(error: Exception) -> str:
    """Why the feed can't run, without what only the operator may know (hosts, ports, users)."""
    if isinstance(error, PublicationMissing):
        return f"{UNREACHABLE}: {error}"
    diagnosis = getattr(error, "diag", None)
    if diagnosis is not None and diagnosis.message_primary and diagnosis.sqlstate not in (None, "28P01", "28000"):
        return f"{UNREACHABLE}: {diagnosis.message_primary}"
    told = next((text for text in TELLABLE if text in str(error)), None)
    return f"{UNREACHABLE}: {told}" if told else UNREACHABLE
