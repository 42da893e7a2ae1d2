"""Changes told by triggers: for databases that may not decode their log. Slower for writers, the same for subscribers.

NOTIFY gives what is committed, in commit order; the triggers are made and removed by the database itself
(`minato.sync_change_triggers_of`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial

import asyncpg
import structlog

from minato.clock import Clock
from minato.database.listener import Listener
from minato.database.vanished import asked_again
from minato.realtime.change_feed.base import Mark, PublicationMissing, Told
from minato.realtime.change_feed.trigger_messages import TriggerDecoder, UnreadableMessage
from minato.realtime.fanout.chunks import Assembly

CHANNEL = "minato_changes"
# Not a change: asks whoever listens to look at once whether the triggers are still there.
LOOK = ""
MARK = "mark "
CONNECT_SECONDS = 10.0
# An event trigger does it at once where the database lets us have one.
SYNC_SECONDS = 5.0
NAME = "select minato.name_trigger_publications($1)"
DIFFERING = "select distinct relid from minato.change_trigger_differences()"
SYNC = "select minato.sync_change_triggers_of($1)"
LEFT_OUT = "select * from minato.tables_without_change_triggers() as left_out(name)"
IS_FOLLOWED = "select $1::text[] <@ array(select name from minato.trigger_publications) as holds"
BUSY = (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError)
SESSION = "set lock_timeout to '5s'; set statement_timeout to 0"


Connect = Callable[[], Awaitable[Listener]]


class StreamBroken(Exception):
    """Notifications stopped, or came faster than they were taken; some may be missing."""


class TriggerStream:
    """A `Stream` of the publications' tables on one listening connection; at most `backlog` changes wait."""

    def __init__(
        self,
        connect: Connect,
        publications: Sequence[str],
        backlog: int,
        clock: Clock,
        log: structlog.stdlib.BoundLogger,
    ) -> None:
        self._connect = connect
        self._publications = list(publications)
        self._backlog = backlog
        self._clock = clock
        self._log = log
        self._listener: Listener | None = None
        self._decoder = TriggerDecoder()
        self._assemblies: dict[int, Assembly] = defaultdict(Assembly)
        self._pending: list[Told] = []
        self._error: Exception | None = None
        self._wake = asyncio.Event()
        self._syncing = asyncio.Lock()
        self._synced_at = 0.0
        self._look = asyncio.Event()

    async def open(self) -> None:
        """Connect, listen, and let every published table have its trigger.

        Raises PublicationMissing and the errors of asyncpg; the first of the publications must exist.
        """
        async with asyncio.timeout(CONNECT_SECONDS):
            listener = self._listener = await self._connect()
        await listener.execute(SESSION)
        existing = [row["pubname"] for row in await listener.fetch("select pubname::text from pg_publication")]
        if self._publications[0] not in existing:
            raise PublicationMissing(self._publications[0])
        listener.when_lost(lambda: self._break(StreamBroken("the connection was closed")))
        await listener.hear(CHANNEL, self._heard)
        await listener.fetch(NAME, self._publications)
        await _sync(listener)
        left_out = await listener.fetch(LEFT_OUT)
        if left_out:
            self._log.warning("triggers can't follow tables with row filters", tables=[row["name"] for row in left_out])

    async def batches(self, size: int) -> AsyncIterator[Sequence[Told]]:
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
            listener = self._listener
            if self._synced_at >= asked_at or listener is None:
                return  # many ask at once; one look that began after they asked answers all
            began_at = self._clock.monotonic()
            await _sync(listener)
            self._synced_at = began_at
            (followed,) = await listener.fetch(IS_FOLLOWED, self._publications)
            if not followed["holds"]:
                # Another process took the triggers away, because it can decode the log.
                self._break(StreamBroken("changes are no longer told by triggers"))

    def close(self) -> None:
        """End the connection; the triggers stay, for other processes and for the next time."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    async def gone(self) -> None:
        """Nothing is left behind that anybody would have to wait for."""

    def _heard(self, sender: int, chunk: str) -> None:
        if chunk == LOOK:
            self._look.set()
            return
        if chunk.startswith(MARK):
            self._pending.append(Mark(chunk.removeprefix(MARK)))
            self._wake.set()
            return
        message = self._assemblies[sender].add(chunk)
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
        while self._listener is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SYNC_SECONDS):
                    await self._look.wait()
            self._look.clear()
            try:
                await self.cover_published()
            except BUSY:
                continue
            except Exception as error:
                self._break(error)
                return


async def _sync(listener: Listener) -> None:
    """Give each table its trigger or take it away, one at a time: who waits for the lock of one holds none of others.

    Raises what kept the last one back, once the others are done.
    """
    failure: Exception | None = None
    for row in await listener.fetch(DIFFERING):
        try:
            await asked_again(partial(listener.fetch, SYNC, row["relid"]))
        except BUSY as error:
            failure = error
    if failure is not None:
        raise failure
