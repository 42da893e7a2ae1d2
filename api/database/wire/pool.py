"""A bounded number of sessions, opened when needed. Whoever finds none free waits in line."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from api.database.wire.session import Session

Connect = Callable[[], Awaitable[Session]]


class SessionPool:
    """Sessions for one request at a time. The one used last is used next, so its caches are warm.

    None lives longer than `max_lifetime` seconds, nor waits longer than `max_idle` for the next request.
    """

    def __init__(self, connect: Connect, size: int, max_lifetime: float = 1800.0, max_idle: float = 30.0) -> None:
        self._connect = connect
        self._size = size
        self._max_lifetime = max_lifetime
        self._max_idle = max_idle
        self._open = 0
        self._idle: list[Session] = []
        self._waiting: deque[asyncio.Future[Session | None]] = deque()
        self._cancels: set[asyncio.Task[None]] = set()

    async def acquire(self, within: float) -> Session:
        """A session nobody else uses. Raises TimeoutError after `within` seconds, or what connecting raises."""
        while True:
            while self._idle:
                session = self._idle.pop()
                if not session.closed and not self._is_old(session):
                    return session
                session.abort()
                self._open -= 1
            if self._open < self._size:
                return await self._opened(within)
            handed = await self._wait(within)
            if handed is not None:
                return handed

    def release(self, session: Session) -> None:
        """Give it back; a broken or old one makes room for a new one."""
        if self._size == 0 or self._is_old(session):
            session.abort()
        if session.closed:
            self._open -= 1
            self._wake(None)
        elif not self._wake(session):
            session.used_at = session.now
            self._idle.append(session)
            self._close_unused(session.now)

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
            self._wake(None)
            raise

    async def _wait(self, within: float) -> Session | None:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Session | None] = loop.create_future()
        self._waiting.append(waiter)
        expiry = loop.call_later(within, _expire, waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                handed = waiter.result()
                self._wake(None) if handed is None else self.release(handed)
            raise
        finally:
            expiry.cancel()

    def _wake(self, session: Session | None) -> bool:
        """Hand `session`, or the right to open one, to the first who waits; False when nobody does."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(session)
                return True
        return False


def _expire(waiter: asyncio.Future[Session | None]) -> None:
    if not waiter.done():
        waiter.set_exception(TimeoutError())
