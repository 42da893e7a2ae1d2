"""Changes told by triggers: for databases that may not decode their log. Slower for writers, the same for subscribers.

NOTIFY gives what is committed, in commit order; the triggers are made and removed by the database itself
(`minato.follow_by_triggers`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence

import asyncpg
import structlog

from minato.clock import Clock
from minato.realtime.change_feed.base import Change, PublicationMissing
from minato.realtime.change_feed.trigger_messages import TriggerDecoder, UnreadableMessage
from minato.realtime.fanout.chunks import Assembly

CHANNEL = "minato_changes"
# Not a change: asks whoever listens to look at once whether the triggers are still there.
LOOK = ""
CONNECT_SECONDS = 10.0
# An event trigger does it at once where the database lets us have one.
SYNC_SECONDS = 5.0
IS_FOLLOWED = "select $1::text[] <@ array(select name from minato.trigger_publications)"
SESSION = "set lock_timeout to '5s'; set statement_timeout to 0"


class StreamBroken(Exception):
    """Notifications stopped, or came faster than they were taken; some may be missing."""


class TriggersEnded(StreamBroken):
    """Another process took the triggers away, because it can decode the log: so may we."""


class TriggerStream:
    """A `Stream` of the publications' tables on one listening connection; at most `backlog` changes wait."""

    def __init__(
        self, dsn: str, publications: Sequence[str], backlog: int, clock: Clock, log: structlog.stdlib.BoundLogger
    ) -> None:
        self._dsn = dsn
        self._publications = list(publications)
        self._backlog = backlog
        self._clock = clock
        self._log = log
        self._connection: asyncpg.Connection | None = None
        self._decoder = TriggerDecoder()
        self._assemblies: dict[int, Assembly] = defaultdict(Assembly)
        self._pending: list[Change] = []
        self._error: Exception | None = None
        self._wake = asyncio.Event()
        self._syncing = asyncio.Lock()
        self._synced_at = 0.0
        self._look = asyncio.Event()

    async def open(self) -> None:
        """Connect, listen, and let every published table have its trigger.

        Raises PublicationMissing and the errors of asyncpg; the first of the publications must exist.
        """
        settings = {"application_name": "minato change feed"}
        connection = await asyncpg.connect(self._dsn, timeout=CONNECT_SECONDS, server_settings=settings)
        self._connection = connection
        await connection.execute(SESSION)
        existing = await connection.fetchval("select array(select pubname::text from pg_publication)")
        if self._publications[0] not in existing:
            raise PublicationMissing(self._publications[0])
        connection.add_termination_listener(lambda _: self._break(StreamBroken("the connection was closed")))
        await connection.add_listener(CHANNEL, self._heard)
        left_out = await connection.fetch("select * from minato.follow_by_triggers($1)", self._publications)
        if left_out:
            self._log.warning("triggers can't follow tables with row filters", tables=[name for (name,) in left_out])

    async def batches(self, size: int) -> AsyncIterator[list[Change]]:
        """Changes in commit order, as many at once as have come, up to `size`. Ends only by an exception."""
        syncing = asyncio.ensure_future(self._keep_synced())
        try:
            while True:
                await self._wake.wait()
                batch, self._pending = self._pending[:size], self._pending[size:]
                if batch:
                    yield batch
                elif self._error is not None:
                    raise self._error
                else:
                    self._wake.clear()
        finally:
            syncing.cancel()

    async def cover_published(self) -> None:
        """Give every table published by now its trigger; without triggers the stream ends. Raises DATABASE_ERRORS."""
        asked_at = self._clock.monotonic()
        async with self._syncing:
            if self._synced_at >= asked_at or self._connection is None:
                return  # many ask at once; one look that began after they asked answers all
            began_at = self._clock.monotonic()
            await self._connection.execute("select minato.sync_change_triggers()")
            self._synced_at = began_at
            if not await self._connection.fetchval(IS_FOLLOWED, self._publications):
                self._break(TriggersEnded("changes are no longer told by triggers"))

    def close(self) -> None:
        """End the connection; the triggers stay, for other processes and for the next time."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def gone(self) -> None:
        """Nothing is left behind that anybody would have to wait for."""

    def _heard(self, connection: object, sender: int, channel: str, chunk: object) -> None:
        if chunk == LOOK:
            self._look.set()
            return
        message = self._assemblies[sender].add(str(chunk))
        if message is None or self._error is not None:
            return
        del self._assemblies[sender]
        try:
            self._pending.append(self._decoder.decode(message, self._clock.now()))
        except UnreadableMessage as error:
            self._log.warning("a row change can't be read", reason=str(error))
            return
        if len(self._pending) > self._backlog:
            self._break(StreamBroken("too many changes are waiting"))
        self._wake.set()

    def _break(self, error: Exception) -> None:
        self._error = self._error or error
        self._wake.set()

    async def _keep_synced(self) -> None:
        """Give tables that were published meanwhile their triggers, also where nothing tells of them."""
        while self._connection is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), SYNC_SECONDS)
            self._look.clear()
            try:
                await self.cover_published()
            except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
                continue
            except Exception as error:
                self._break(error)
                return
