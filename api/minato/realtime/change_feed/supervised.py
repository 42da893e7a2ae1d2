"""A change feed that keeps one stream alive and says when it is not.

Where changes come from is what the settings say, or the best way the database has; one that it does not have gives
place to the next. A stream is opened when the room starts, never while a client waits; after any error anew, with
growing pauses.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial

import asyncpg
import psycopg2
import structlog
from sqlalchemy import text

from minato.backend import Backend
from minato.background import Supervisor, ended
from minato.config.realtime import RealtimeSettings
from minato.database.engines import OWNER
from minato.database.listener import Listener
from minato.entropy import Entropy
from minato.machine.exchange import Exchange
from minato.machine.link import Member
from minato.realtime.change_feed.base import (
    LOST,
    Change,
    ChangeFeed,
    Deliver,
    FeedState,
    FeedStatus,
    Mark,
    PublicationMissing,
    Stream,
    Told,
)
from minato.realtime.change_feed.faulty import FaultyStream, Pause
from minato.realtime.change_feed.pgoutput import MARKS, ProtocolError
from minato.realtime.change_feed.relayed import SERVICE, NotFlowing, RelayedStream, SharedFeed
from minato.realtime.change_feed.replication import DecodingUnavailable, ReplicationConnection
from minato.realtime.change_feed.triggers import CHANNEL, MARK, StreamBroken, TriggerStream
from minato.realtime.errors import DATABASE_ERRORS

# One way of following reads the log, the other hears.
PUT_MARK = text(
    f"select cast(pg_logical_emit_message(true, '{MARKS}', cast(:text as text)) as text), pg_notify('{CHANNEL}', :note)"
)
EXPECTED = (*DATABASE_ERRORS, psycopg2.Error, PublicationMissing, ProtocolError, StreamBroken, NotFlowing)
FIRST_PAUSE = 0.2
UNREACHABLE = "Realtime was unable to connect to the project database"
# A login that failed says whose it was.
UNTELLABLE = ("28P01", "28000")
SLOT_PREFIX = "supabase_realtime_replication_slot_"
# Each attempt has one of its own, which would make every reason a new one.
SLOT_NAME = re.compile(rf"({SLOT_PREFIX})\w+")


class Marks:
    """What is put into the stream of one database, to know how far it has come."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._awaited: dict[str, asyncio.Future[bool]] = {}

    async def reached(self) -> bool:
        """Put a mark behind all that is committed, and wait for it; False where the stream ended before."""
        name = self._backend.entropy.base32(16)
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._awaited[name] = found
        try:
            async with self._backend.database.engine(OWNER).begin() as connection:
                await connection.execute(PUT_MARK, {"text": name, "note": MARK + name})
            return await found
        finally:
            del self._awaited[name]

    def pass_by(self, batch: Sequence[Told]) -> None:
        """All before these has been delivered."""
        for told in batch:
            found = self._awaited.get(told.text) if isinstance(told, Mark) else None
            if found is not None and not found.done():
                found.set_result(True)

    def lose(self) -> None:
        """The stream has ended: what was put into it may not come."""
        for found in self._awaited.values():
            if not found.done():
                found.set_result(False)


class SupervisedFeed:
    """A `ChangeFeed` on the first of `ways` (each makes a stream) that the database has."""

    def __init__(
        self,
        ways: Sequence[Callable[[], Stream]],
        settings: RealtimeSettings,
        supervisor: Supervisor,
        log: structlog.stdlib.BoundLogger,
        marks: Marks,
    ) -> None:
        self.status = FeedStatus()
        self._marks = marks
        self._ways = tuple(ways)
        self._left = list(ways)
        self._settings = settings
        self._supervisor = supervisor
        self._log = log
        self._stream: Stream | None = None
        self._task: asyncio.Task[None] | None = None
        self._told: str | None = None

    async def start(self, deliver: Deliver) -> None:
        """Begin to follow changes; returns at once, `status` tells when they flow."""
        self._task = self._supervisor.keep("following changes", partial(self._run, deliver))

    async def stop(self) -> None:
        """End the stream and what belongs to it. Nobody is told: whoever follows when it begins anew waits for it."""
        await ended(self._task)
        self.status.current = FeedState(live=False, losses=self.status.current.losses)

    async def cover_published(self) -> None:
        """Make sure that every table published by now is followed. Raises DATABASE_ERRORS."""
        if self._stream is not None:
            await self._stream.cover_published()

    async def catch_up(self) -> None:
        """Wait until all that is committed by now has been delivered; where changes do not flow, until they do again.
        Raises DATABASE_ERRORS and ENGINE_ERRORS."""
        is_reached = False
        while not is_reached:
            state = self.status.current
            while not state.live:
                state = await self.status.after(state)
            is_reached = await self._marks.reached()

    async def _run(self, deliver: Deliver) -> None:
        pause = FIRST_PAUSE
        while True:
            was_live = False
            try:
                await self._follow(self._left[0](), deliver)
            except Exception as error:
                if isinstance(error, DecodingUnavailable) and len(self._left) > 1:
                    self._log.warning("row changes come from triggers", reason=str(error))
                    self._left.pop(0)
                    continue
                was_live = self.status.current.live
                if was_live:
                    # Restarted with another wal_level, or taken from us by who decodes: the better way may be there.
                    self._left = list(self._ways)
                losses = self.status.current.losses + was_live
                self._enter(FeedState(live=False, failure=LOST if was_live else describe(error), losses=losses))
                self._tell_loss(error, was_live)
                # Who only waits for the parent asks nobody else.
                was_live = was_live or isinstance(error, NotFlowing)
            pause = FIRST_PAUSE if was_live else min(pause * 2, self._settings.feed_retry_max)
            await asyncio.sleep(pause)

    def _enter(self, state: FeedState) -> None:
        """Enter that changes do not flow, unless that is known: every channel tells its client, and attempts are
        many."""
        before = self.status.current
        if before.live or (before.failure, before.losses) != (state.failure, state.losses):
            self.status.set(state)

    def _tell_loss(self, error: Exception, was_live: bool) -> None:
        """Log why changes stopped; the same reason of further attempts is not told again."""
        reason, unexpected = describe(error), None if isinstance(error, EXPECTED) else error
        if was_live or unexpected is not None or reason != self._told:
            self._log.warning("change feed lost", reason=reason, exc_info=unexpected)
        self._told = reason

    async def _follow(self, stream: Stream, deliver: Deliver) -> None:
        try:
            await stream.open()
            if self._told is not None:
                self._log.warning("change feed works again")
            self._stream, self._told = stream, None
            self.status.set(FeedState(live=True, losses=self.status.current.losses))
            async for batch in stream.batches(self._settings.feed_batch):
                await deliver([told for told in batch if isinstance(told, Change)])
                self._marks.pass_by(batch)
        except asyncio.CancelledError:
            stream.close()
            await stream.gone()
            raise
        finally:
            self._stream = None
            self._marks.lose()
            stream.close()


def describe(error: Exception) -> str:
    """Why the feed can't run, without what only the operator may know (hosts, ports, users)."""
    if isinstance(error, PublicationMissing | DecodingUnavailable):
        return f"{UNREACHABLE}: {error}"
    match error:
        case NotFlowing():
            return str(error)
        case psycopg2.Error():
            text, sqlstate = error.diag.message_primary, error.diag.sqlstate
        case asyncpg.PostgresError():
            text, sqlstate = error.args[0], error.sqlstate
        case _:
            text = sqlstate = None
    if not text or not sqlstate or sqlstate in UNTELLABLE:
        return UNREACHABLE
    told = SLOT_NAME.sub(r"\1…", text)
    return f"{UNREACHABLE}: {told}"


def create_change_feed(backend: Backend) -> ChangeFeed:
    """The change feed of one backend: its own, the parent's, or its own that workers hear, too."""
    machine = backend.machine
    if isinstance(machine, Member):
        backlog = backend.settings.realtime.feed_backlog
        ways: list[Callable[[], Stream]] = [lambda: RelayedStream(machine, backlog)]
        return SupervisedFeed(ways, backend.settings.realtime, backend.supervisor, backend.log, Marks(backend))
    feed = _own_feed(backend)
    if not isinstance(machine, Exchange):
        return feed
    shared = SharedFeed(feed, backend.supervisor)
    machine.offer(SERVICE, shared)
    return shared


def _own_feed(backend: Backend) -> SupervisedFeed:
    settings, dsn = backend.settings.realtime, backend.database.admin_dsn
    publications = (settings.publication, settings.messages_publication)

    def decode() -> Stream:
        # Never a seeded one: slots of all databases of the server have names of their own.
        slot = SLOT_PREFIX + Entropy().base32(10)
        return ReplicationConnection(dsn, slot, publications, settings.feed_backlog, backend.development)

    async def connect() -> Listener:
        return await backend.database.listener(OWNER, "minato change feed")

    def listen() -> Stream:
        return TriggerStream(connect, publications, settings.feed_backlog, backend.clock, backend.log)

    ways = {"logical": [decode], "triggers": [listen], None: [decode, listen]}[settings.change_feed]
    if backend.development:
        pause = Pause()
        ways = [partial(_faulty, way, backend, pause) for way in ways]
    return SupervisedFeed(ways, settings, backend.supervisor, backend.log, Marks(backend))


def _faulty(way: Callable[[], Stream], backend: Backend, pause: Pause) -> Stream:
    return FaultyStream(way(), backend.faults, pause, backend.clock)
