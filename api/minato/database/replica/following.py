"""Watches one replica: whether it is one, answers, and how far it is behind the primary."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Final

from minato.clock import Clock
from minato.database.outage import CONNECTION_ERRORS
from minato.database.replica.position import NEWEST, Position, newest_of
from minato.database.replica.replica import PATIENCE, WHOSE, Replica, look_at
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Session, StatementError

# Seconds between two looks, and while somebody waits for a position.
PAUSE: Final = 0.5
SHORT_PAUSE: Final = 0.005
# How long a lag can be told exactly; one that is longer still counts as longer.
HEADS: Final = 1000

FAILURES: Final = (*CONNECTION_ERRORS, StatementError, TimeoutError)


class Following:
    """Tells `replica` what it sees of it, and of the `primary` whose it should be."""

    def __init__(self, replica: Replica, primary: SessionPool, clock: Clock) -> None:
        self._replica = replica
        self._primary = primary
        self._clock = clock
        self._session: Session | None = None
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
            head = await self._head()
            self._asked_at = now
            if renewing:
                self._replica.floor = head
            if len(self._heads) < HEADS:
                self._heads.append((now, head))

    async def _head(self) -> Position:
        """How far the primary is. One of another history makes what is known of the former worth nothing."""
        async with asyncio.timeout(PATIENCE), self._primary.lent(PATIENCE) as session:
            ((whose,),), rows = await session.run([WHOSE, NEWEST])
        replica = self._replica
        if replica.whose not in (None, whose):
            self._drop()
            self._heads.clear()
            replica.renew()
            replica.leave("the primary is another database's")
        replica.whose = whose
        return newest_of(rows)

    async def _look_at_replica(self) -> None:
        replica = self._replica
        if replica.whose is None:
            replica.leave("the primary does not say which it is")
            return
        if self._session is None or self._session.closed:
            self._session = await replica.connect()
        state = await look_at(self._session)
        if state.whose != replica.whose:
            self._drop()
            replica.leave("it is a replica of another database")
            return
        if state.replayed is None:
            replica.leave("it is no replica any more")
            return
        lag = self._lag(state.replayed)
        replica.seen(state.replayed, lag)
        if lag > replica.settings.replica_lag:
            replica.leave("it is too far behind")
        else:
            replica.use()

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
