"""A live backend that is held still for the moment in which its database is cloned: nothing is committed meanwhile.

New requests wait, those under way are waited for, and its own sessions end: PostgreSQL clones only what nobody is
connected to. Open sockets stay open and are told of no loss, as there is none.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from minato.background import Work
from minato.database.database import Database
from minato.host.errors import BranchError

PATIENCE_SECONDS = 2.0
LOOK_SECONDS = 0.01


class Gate:
    """Lets requests through, or lets them wait."""

    def __init__(self) -> None:
        self._opened: asyncio.Event | None = None
        self._turn = asyncio.Lock()

    @property
    def is_shut(self) -> bool:
        """Whether who comes has to wait."""
        return self._opened is not None

    async def passed(self) -> None:
        """Wait until it is open."""
        while self._opened is not None:
            await self._opened.wait()

    @asynccontextmanager
    async def holding(self, is_busy: Callable[[], bool], doze: Work, wake: Work) -> AsyncIterator[None]:
        """Hold what is behind it still until the block ends. Raises BranchError when that stays busy."""
        async with self._turn:
            self._opened = opened = asyncio.Event()
            try:
                await _still(is_busy)
                await doze()
                try:
                    yield
                finally:
                    await wake()
            finally:
                self._opened = None
                opened.set()


@asynccontextmanager
async def without_sessions(database: Database) -> AsyncIterator[None]:
    """No session of one that is held still is open until the block ends; what is done beside the requests waits.
    Raises BranchError when one stays in use."""
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(database.left_alone(PATIENCE_SECONDS))
        except TimeoutError:
            raise _busy() from None
        yield


async def _still(is_busy: Callable[[], bool]) -> None:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while is_busy():  # noqa: ASYNC110 - requests ring no bell when they end
                await asyncio.sleep(LOOK_SECONDS)
    except TimeoutError:
        raise _busy() from None


def _busy() -> BranchError:
    message = f"Requests were still at work in the source after {PATIENCE_SECONDS:g} seconds."
    return BranchError(409, "source_busy", message)
