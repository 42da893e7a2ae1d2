"""A bounded number of sessions, opened when needed. Whoever finds none free waits in line."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from api.database.wire.session import Session
from api.database.wire.turns import PATIENCE, Turns
from api.http.shares import Shares, share_of

Connect = Callable[[], Awaitable[Session]]


class _Waiter(NamedTuple):
    """Somebody in line: until when, and whether a turn is needed besides a session."""

    deadline: float
    handed: asyncio.Future[Session | None]
    in_turn: bool


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
    ) -> None:
        self._connect = connect
        self._size = size
        self._turns = Turns(size if turns is None else turns)
        self._shares = Shares(share or share_of(size))
        self._max_lifetime = max_lifetime
        self._max_idle = max_idle
        self._open = 0
        self._idle: list[Session] = []
        self._waiting: deque[_Waiter] = deque()
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
    def waiting(self) -> int:
        """Requests in line for a session."""
        return len(self._waiting) + self._shares.waiting

    async def acquire(self, within: float, in_turn: bool = False, holder: str | None = None) -> Session:
        """A session nobody else uses. Raises TimeoutError after `within` seconds, or what connecting raises.

        Work for the processor alone comes `in_turn`; what waits for the disk, as a commit does, need not. It counts to
        the share of `holder`.
        """
        if holder is not None and not self._shares.try_enter(holder):
            began = asyncio.get_running_loop().time()
            await self._shares.enter(holder, within)
            within -= asyncio.get_running_loop().time() - began
        try:
            while True:
                if self._turns.full and not self._waiting:
                    self._turns.pass_over_slow(asyncio.get_running_loop().time())
                session = None
                if not (in_turn and self._turns.full):
                    session = self._take_idle()
                    if session is None and self._open < self._size:
                        session = await self._opened(within)
                    if session is not None and in_turn:
                        self._turns.begin(session)
                session = session or await self._wait(within, in_turn)
                if session is not None:
                    session.holder = holder
                    return session
        except BaseException:
            self._shares.leave(holder)
            raise

    def release(self, session: Session) -> None:
        """Give it back; a broken or old one makes room for a new one."""
        self._turns.end(session)
        if session.holder is not None:
            self._shares.leave(session.holder)
            session.holder = None
        if self._size == 0 or self._is_old(session):
            session.abort()
        if session.closed:
            self._open -= 1
        else:
            session.used_at = session.now
            self._idle.append(session)
            self._close_unused(session.now)
        self._serve()

    def discard(self, session: Session) -> None:
        """Give back a session whose caller has left in the middle of a transaction."""
        task = asyncio.ensure_future(self._cancel(session))
        self._cancels.add(task)
        task.add_done_callback(self._cancels.discard)

    async def close(self) -> None:
        """End every idle session; the ones in use end when they are given back."""
        self._size = 0
        for session in self._idle:
            session.abort()
        self._idle.clear()
        await asyncio.gather(*self._cancels, return_exceptions=True)

    def _take_idle(self) -> Session | None:
        while self._idle:
            session = self._idle.pop()
            if not session.closed and not self._is_old(session):
                return session
            session.abort()
            self._open -= 1
        return None

    def _is_old(self, session: Session) -> bool:
        return session.now - session.opened_at > self._max_lifetime

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

    async def _opened(self, within: float) -> Session:
        self._open += 1
        try:
            async with asyncio.timeout(within):
                return await self._connect()
        except BaseException:
            self._open -= 1
            self._serve()
            raise

    async def _wait(self, within: float, in_turn: bool) -> Session | None:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Session | None] = loop.create_future()
        self._waiting.append(_Waiter(loop.time() + within, waiter, in_turn))
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
        while self._waiting and not (self._turns.full and self._waiting[0].in_turn):
            session = self._take_idle()
            if session is None:
                if room <= 0:
                    return
                room -= 1
            self._hand(session)

    def _hand(self, session: Session | None) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.handed.done():
                if session is not None and waiter.in_turn:
                    self._turns.begin(session)
                waiter.handed.set_result(session)
                return
        if session is not None:
            self._idle.append(session)

    def _look_again(self) -> None:
        """One timer for all who wait: setting one for each costs more than handing it a session."""
        if self._look is None and self._waiting:
            self._look = asyncio.get_running_loop().call_later(PATIENCE, self._review)

    def _review(self) -> None:
        """Send away whose time is over, and let nobody wait for slow statements who could have a session."""
        self._look = None
        now = asyncio.get_running_loop().time()
        for waiter in self._waiting:
            if waiter.deadline < now and not waiter.handed.done():
                waiter.handed.set_exception(TimeoutError())
        self._waiting = deque(waiter for waiter in self._waiting if not waiter.handed.done())
        self._turns.pass_over_slow(now)
        self._serve()
        self._look_again()
