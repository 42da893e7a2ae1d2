"""One read replica: its sessions, whether it is used at present, and how far it has come.

What is known here only decides whether a question is worth sending. The question itself carries `guard`, by which the
replica refuses what it can't answer: in the same flush, so that nothing can come between.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Final, NamedTuple
from weakref import WeakSet

import asyncpg
import structlog

from minato.config.database import DatabaseSettings
from minato.database.outage import CONNECTION_ERRORS
from minato.database.replica.position import (
    BEGINNING,
    UNKNOWN,
    Position,
    newest,
    parsed,
    timeline_of,
    written,
)
from minato.database.replica.written import Written
from minato.database.silence import notice_silence
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command, ConnectionLost, Session, StatementError
from minato.database.wire.spool import Spool
from minato.database.wire.turns import turns_at

# Seconds until a replica that says nothing counts as gone.
PATIENCE: Final = 2.0
# Divides by zero on a server that was promoted, or has not come so far.
_GUARD: Final = (
    "select 1/(pg_catalog.pg_is_in_recovery()"
    " and coalesce(pg_catalog.pg_last_wal_replay_lsn()>=$1::pg_catalog.pg_lsn,false))::int"
)
WHOSE: Final = Command(
    "select system_identifier::text||' '||pg_catalog.current_database() from pg_catalog.pg_control_system()"
)
# The newest timeline of which it has replayed something, and so the whole of those before. What its control file says
# is written now and then: until it is, one that follows a new primary counts as one that does not.
_LOOK: Final = Command(
    "select pg_catalog.pg_is_in_recovery(),pg_catalog.pg_last_wal_replay_lsn(),greatest("
    "(select timeline_id from pg_catalog.pg_control_checkpoint()),"
    "(select min_recovery_end_timeline from pg_catalog.pg_control_recovery()))"
)
# Whatever is set for the login: each statement sees what is replayed by then, as the guard before it did.
_SETTINGS: Final = {
    "application_name": "minato replica",
    "default_transaction_isolation": "read committed",
    "default_transaction_read_only": "on",
}


class State(NamedTuple):
    """What a server says of itself; `replayed` is None of one that is no replica."""

    whose: bytes
    timeline: int
    replayed: Position | None


async def look_at(session: Session) -> State:
    """Ask a server. Raises StatementError and ConnectionLost."""
    (((who,),), ((recovers, lsn, timeline),)) = await session.run([WHOSE, _LOOK], reset=False)
    number = int(timeline or b"0")
    replayed = parsed(number, lsn.decode()) if recovers == b"t" and lsn is not None else None
    return State(who or b"", number, replayed)


class Replica:
    """The replica at `url`, which logs `authenticator` in. `lag` is in seconds.

    `unused` is why nobody reads there, None while they do. `floor` is what everybody must find. `served` counts reads
    by who answered. A session of it must be at a server of `whose` database that is on the timeline of `replayed`.
    """

    def __init__(
        self,
        url: str,
        settings: DatabaseSettings,
        processors: int,
        written_by: Written,
        log: structlog.stdlib.BoundLogger,
    ) -> None:
        self.settings = settings
        self.written = written_by
        self.replayed: Position = BEGINNING
        self.floor: Position = UNKNOWN
        self.lag = 0.0
        self.served: Counter[str] = Counter()
        self.unused: str | None = "nobody has looked at it yet"
        self.whose: bytes | None = None
        self.wanted = asyncio.Event()
        self._url = url
        self._log = log
        self._spool = Spool(settings.spool_bytes, settings.spool_after)
        self._opened: WeakSet[Session] = WeakSet()
        self._waiting: list[tuple[Position, asyncio.Future[bool]]] = []
        self.sessions = SessionPool(
            self._connect,
            settings.pool_size,
            settings.pool_max_lifetime,
            settings.pool_max_idletime,
            settings.reads_at_once or turns_at(url, settings.pool_size, processors),
            settings.sessions_per_caller,
        )

    @property
    def is_waited_for(self) -> bool:
        """Whether somebody wants to know how far it is."""
        return bool(self._waiting)

    async def guard(self, subject: str) -> Command | None:
        """What must stand before a question of `subject`; None where the replica is not to be asked."""
        if self.unused is not None:
            self.served["not used"] += 1
            return None
        position = max(self.floor, await self.written.wanted(subject))
        if position > self.replayed and not await self._reaches(position):
            self.served["too far behind"] += 1
            return None
        # What of former timelines is left, one that is on this has.
        same = timeline_of(position) == timeline_of(self.replayed)
        return Command(_GUARD, [written(position if same else BEGINNING)])

    async def note(self, subject: str, primary: SessionPool, within: float) -> None:
        """`subject` has written something that is committed at the `primary`; where that can't be asked how far it is,
        it answers the subject's reads."""
        try:
            position = await newest(primary, within)
        except (*CONNECTION_ERRORS, StatementError, TimeoutError):
            position = UNKNOWN
        await self.written.note(subject, position)

    def seen(self, replayed: Position, lag: float) -> None:
        """It has come so far. Who waits for that goes on."""
        if timeline_of(replayed) < timeline_of(self.replayed):
            self.leave("another one is in its place")
        self.replayed, self.lag = replayed, lag
        for position, waiter in self._waiting:
            if position <= replayed and not waiter.done():
                waiter.set_result(True)

    def use(self) -> None:
        """Read there from now on."""
        if self.unused is not None:
            self.unused = None
            self._log.info("reads go to the replica")

    def leave(self, reason: str) -> None:
        """Read there no more. Who waits for an answer of it gets another one, from the primary."""
        if self.unused == reason:
            return
        self.unused = reason
        self._log.warning("reads go to the primary, the replica is not used", reason=reason)
        for session in list(self._opened):
            session.connection_lost(None)
        for _, waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(False)

    def renew(self) -> None:
        """What is committed by now must be there before anybody reads."""
        self.floor = UNKNOWN
        self.wanted.set()

    @property
    def renewing(self) -> bool:
        """Whether what `renew` asks for is still to be found: it is set as `floor`."""
        return self.floor == UNKNOWN

    async def connect(self) -> Session:
        """A session of its own, not of the pool. Raises CONNECTION_ERRORS and TimeoutError."""
        connection = notice_silence(await asyncpg.connect(self._url, timeout=PATIENCE, server_settings=_SETTINGS))
        return Session(connection, self.settings.prepared_statements, self._spool, self.settings.largest_row)

    async def close(self) -> None:
        """Close every connection."""
        self.unused = "the server stops"
        await self.sessions.close()
        await self.written.close()

    async def _connect(self) -> Session:
        if self.unused is not None:
            raise ConnectionLost(self.unused)
        session = await self.connect()
        try:
            async with asyncio.timeout(PATIENCE):
                state = await look_at(session)
        except BaseException:
            session.abort()
            raise
        if state.whose != self.whose or state.timeline < timeline_of(self.replayed):
            session.abort()
            self.wanted.set()
            raise ConnectionLost("another server is in its place")
        self._opened.add(session)
        return session

    async def _reaches(self, position: Position) -> bool:
        """Whether it comes as far as that within the time that a reader may wait."""
        if position == UNKNOWN or self.lag > self.settings.replica_wait:
            return False
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((position, waiter))
        self.wanted.set()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.settings.replica_wait):
                    return await waiter
            return False
        finally:
            self._waiting.remove((position, waiter))
