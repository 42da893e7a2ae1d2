"""A bounded number of sessions, opened when needed. Whoever finds none free waits in line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from minato.database.wire.line import Line, Waiter
from minato.database.wire.session import BEGIN, Command, Session, StatementError
from minato.database.wire.turns import PATIENCE, Turns
from minato.http.shares import share_of

Connect = Callable[[], Awaitable[Session]]
Door = Callable[[], Awaitable[Command | None]]
"""What goes wrong on purpose: raises what connecting raises, or gives a statement that is to fail before any other."""

ROLLBACK = Command("rollback")


class SessionPool:
    """Sessions for one request at a time. The one used last is used next, so its caches are warm.

    None lives longer than `max_lifetime` seconds, nor waits longer than `max_idle` for the next request. Of
    those who wait `in_turn` at most `turns` work at once, not counting those with a slow statement.
    """

    def __init__(
        self,
        connect: Connect,
        size: int,
        max_lifetime: float = 1800.0,
        max_idle: float = 30.0,
        turns: int | None = None,
        share: int | None = None,
        door: Door | None = None,
    ) -> None:
        self._door = door
        self._connect = connect
        self._size = size
        self._turns = Turns(size if turns is None else turns)
        self._line = Line(share or share_of(size))
        self._max_lifetime = max_lifetime
        self._max_idle = max_idle
        self._begun = float("-inf")
        self._open = 0
        self._idle: list[Session] = []
        self._cancels: set[asyncio.Task[None]] = set()
        self._look: asyncio.TimerHandle | None = None

    @property
    def size(self) -> int:
        return self._size

    @property
    def idle(self) -> int:
        """Open sessions that nobody uses."""
        return len(self._idle)

    @property
    def in_use(self) -> int:
        """Sessions that somebody uses, or that are being opened."""
        return self._open - len(self._idle)

    @property
    def waiting(self) -> int:
        """Requests in line for a session."""
        return len(self._line)

    async def acquire(self, within: float, in_turn: bool = False, holder: str | None = None) -> Session:
        """A session nobody else uses. Raises TimeoutError after `within` seconds, or what connecting raises.

        Work for the processor alone comes `in_turn`; what waits for the disk, as a commit does, need not. It counts to
        the share of `holder`.
        """
        if self._door is None:
            return await self._acquired(within, in_turn, holder)
        failing = await self._door()
        session = await self._acquired(within, in_turn, holder)
        session.failing = failing
        return session

    async def _acquired(self, within: float, in_turn: bool, holder: str | None) -> Session:
        while True:
            full = self._turns.full
            if full and not self._line:
                self._turns.pass_over_slow(asyncio.get_running_loop().time())
                full = self._turns.full
            if self._line.may_have(holder) and not (in_turn and full):
                session = self._take_idle()
                if session is not None:
                    self._lend(session, holder)
                elif self._open < self._size:
                    session = await self._opened(within, holder)
                if session is not None:
                    if in_turn:
                        self._turns.begin(session)
                    return session
            handed = await self._wait(within, in_turn, holder)
            if handed is not None:
                return handed

    def release(self, session: Session) -> None:
        """Give it back; a broken or old one makes room for a new one."""
        self._turns.end(session)
        self._line.give_back(session.holder)
        session.holder = None
        now = session.now
        if self._size == 0 or self._is_old(session):
            session.abort()
        if session.closed:
            self._open -= 1
        else:
            session.used_at = now
            self._idle.append(session)
            self._close_unused(now)
        self._serve()

    @asynccontextmanager
    async def lent(self, within: float, holder: str | None = None) -> AsyncIterator[Session]:
        """A session until the block ends; raises what `acquire` does."""
        session = await self.acquire(within, holder=holder)
        try:
            yield session
        except (StatementError, OSError):
            self.release(session)
            raise
        except BaseException:
            # Whoever wanted the answer has left, and nobody knows what the session is doing.
            self.discard(session)
            raise
        self.release(session)

    @asynccontextmanager
    async def asked(self, within: float, holder: str | None = None, begin: Command = BEGIN) -> AsyncIterator[Session]:
        """A session in a transaction that leaves nothing behind, for `run` without `reset`; raises what `lent` does."""
        async with self.lent(within, holder) as session:
            await session.run([begin], reset=False)
            try:
                yield session
            except Exception:
                if not session.closed:
                    await session.run([ROLLBACK])
                raise
            await session.run([ROLLBACK])

    def discard(self, session: Session) -> None:
        """Give back a session whose caller has left in the middle of a transaction."""
        task = asyncio.ensure_future(self._cancel(session))
        self._cancels.add(task)
        task.add_done_callback(self._cancels.discard)

    def rest(self) -> None:
        """End every idle session; whoever asks later gets a new one."""
        for session in self._idle:
            session.abort()
        self._open -= len(self._idle)
        self._idle.clear()

    async def close(self) -> None:
        """End every idle session; the ones in use end when they are given back."""
        self._size = 0
        self.rest()
        await asyncio.gather(*self._cancels, return_exceptions=True)

    def begin_anew(self) -> None:
        """Whoever asks from now on gets a session that is opened from now on."""
        self._begun = asyncio.get_running_loop().time()

    def _take_idle(self) -> Session | None:
        while self._idle:
            session = self._idle.pop()
            if not session.closed and not self._is_old(session):
                return session
            session.abort()
            self._open -= 1
        return None

    def _is_old(self, session: Session) -> bool:
        return session.opened_at <= self._begun or session.now - session.opened_at > self._max_lifetime

    def _close_unused(self, now: float) -> None:
        """End those that nobody needed for long: they lie below the ones in use."""
        while now - self._idle[0].used_at > self._max_idle:
            self._idle.pop(0).abort()
            self._open -= 1

    async def _cancel(self, session: Session) -> None:
        try:
            await session.cancel()
        finally:
            self.release(session)

    def _lend(self, session: Session, holder: str | None) -> None:
        self._line.take(holder)
        session.holder = holder

    async def _opened(self, within: float, holder: str | None) -> Session:
        self._open += 1
        self._line.take(holder)
        try:
            async with asyncio.timeout(within):
                session = await self._connect()
        except BaseException:
            self._open -= 1
            self._line.give_back(holder)
            self._serve()
            raise
        session.holder = holder
        return session

    async def _wait(self, within: float, in_turn: bool, holder: str | None) -> Session | None:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Session | None] = loop.create_future()
        self._line.join(Waiter(loop.time() + within, waiter, in_turn, holder))
        self._look_again()
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                handed = waiter.result()
                self._serve() if handed is None else self.release(handed)
            raise

    def _serve(self) -> None:
        """Let in who waits, as far as turns and sessions reach; who gets None may open one."""
        room = self._size - self._open
        while (waiter := self._line.first()) and not (self._turns.full and waiter.in_turn):
            session = self._take_idle()
            if session is None:
                if room <= 0:
                    return
                room -= 1
            self._line.leave()
            self._hand(session, waiter)

    def _hand(self, session: Session | None, waiter: Waiter) -> None:
        if session is not None:
            self._lend(session, waiter.holder)
            if waiter.in_turn:
                self._turns.begin(session)
        waiter.handed.set_result(session)

    def _look_again(self) -> None:
        """One timer for all who wait: setting one for each costs more than handing it a session."""
        if self._look is None and self._line:
            self._look = asyncio.get_running_loop().call_later(PATIENCE, self._review)

    def _review(self) -> None:
        """Send away whose time is over, and let nobody wait for slow statements who could have a session."""
        self._look = None
        now = asyncio.get_running_loop().time()
        self._line.send_away(now)
        self._turns.pass_over_slow(now)
        self._serve()
        self._look_again()
