"""Watches one replica: whether it is one, answers, and how far it is behind the primary."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Final

from minato.clock import Clock
from minato.database.outage import CONNECTION_ERRORS
from minato.database.replica.position import Position, newest, parsed
from minato.database.replica.replica import PATIENCE, Replica
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command, Session, StatementError

# Seconds between two looks, and while somebody waits for a position.
PAUSE: Final = 0.5
SHORT_PAUSE: Final = 0.005
# How long a lag can be told exactly; one that is longer still counts as longer.
HEADS: Final = 1000

_WHO: Final = Command(
    "select system_identifier::text||' '||pg_catalog.current_database() from pg_catalog.pg_control_system()"
)
_LOOK: Final = Command("select pg_catalog.pg_is_in_recovery(),pg_catalog.pg_last_wal_replay_lsn()")
FAILURES: Final = (*CONNECTION_ERRORS, StatementError, TimeoutError)


class Following:
    """Tells `replica` what it sees of it, and of the `primary` whose it should be."""

    def __init__(self, replica: Replica, primary: SessionPool, clock: Clock) -> None:
        self._replica = replica
        self._primary = primary
        self._clock = clock
        self._session: Session | None = None
        self._who: bytes | None = None
        self._heads: deque[tuple[float, Position]] = deque()
        self._asked_at: float | None = None

    async def follow(self) -> None:
        """Look again and again, more often while somebody waits."""
        try:
            while True:
                await self.look()
                await self._pause()
        finally:
            self._drop()

    async def look(self) -> None:
        """Ask both once. Raises nothing of what servers do."""
        try:
            await self._look_at_primary()
            async with asyncio.timeout(PATIENCE):
                await self._look_at_replica()
        except FAILURES as error:
            self._drop()
            self._replica.leave(f"it does not answer: {type(error).__name__}")

    async def _look_at_primary(self) -> None:
        """How far it is. While it can't be asked nothing new is committed through us, and the replica stays in use."""
        now = self._clock.monotonic()
        if not self._replica.renewing and self._asked_at is not None and now - self._asked_at < PAUSE:
            return
        with suppress(*FAILURES):
            renewing = self._replica.renewing
            head = await newest(self._primary, PATIENCE)
            self._asked_at = now
            if renewing:
                self._replica.floor = head
            if len(self._heads) < HEADS:
                self._heads.append((now, head))

    async def _look_at_replica(self) -> None:
        session = await self._same_database()
        if session is None:
            return
        (((recovers, told),),) = await session.run([_LOOK], reset=False)
        if recovers != b"t" or told is None:
            self._replica.leave("it is no replica any more")
            return
        replayed = parsed(told.decode())
        lag = self._lag(replayed)
        self._replica.seen(replayed, lag)
        if lag > self._replica.settings.replica_lag:
            self._replica.leave("it is too far behind")
        else:
            self._replica.use()

    async def _same_database(self) -> Session | None:
        """A session at the replica, if that is one of our primary's."""
        if self._session is not None and not self._session.closed:
            return self._session
        if self._who is None:
            async with self._primary.lent(PATIENCE) as primary:
                (((self._who,),),) = await primary.run([_WHO])
        session = await self._replica.connect()
        (((who,),),) = await session.run([_WHO], reset=False)
        if who != self._who:
            session.abort()
            self._replica.leave("it is a replica of another database")
            return None
        self._session = session
        return session

    def _lag(self, replayed: Position) -> float:
        """Since when the primary has had what is not there yet."""
        while self._heads and self._heads[0][1] <= replayed:
            self._heads.popleft()
        return self._clock.monotonic() - self._heads[0][0] if self._heads else 0.0

    async def _pause(self) -> None:
        replica = self._replica
        if replica.is_waited_for:
            await asyncio.sleep(SHORT_PAUSE)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(PAUSE):
                await replica.wanted.wait()
        replica.wanted.clear()

    def _drop(self) -> None:
        if self._session is not None:
            self._session.abort()
            self._session = None
