"""Of what is scarce everybody has a share: whoever holds theirs waits for themselves, not in everybody's line."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

# Of this many sessions somebody else always finds some.
LEFT_TO_OTHERS = 4


class Shares:
    """At most `most` entries at a time by one holder; `None` holds as many as there are."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: dict[str, int] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @property
    def waiting(self) -> int:
        """How many wait for their own."""
        return sum(map(len, self._waiting.values()))

    def try_enter(self, holder: str | None) -> bool:
        """Whether there is something left of the share; then it is taken."""
        if holder is None:
            return True
        held = self._held.get(holder, 0)
        if held >= self.most:
            return False
        self._held[holder] = held + 1
        return True

    async def enter(self, holder: str, within: float) -> None:
        """Wait for one's turn in one's own line. Raises TimeoutError."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(holder, deque())
        line.append(turn)
        try:
            async with asyncio.timeout(within):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.leave(holder)
            elif turn in line:
                line.remove(turn)
                self._forget_empty(holder, line)
            raise

    @asynccontextmanager
    async def held(self, holder: str | None, within: float) -> AsyncIterator[None]:
        """One of the holder's share until the block ends. Raises TimeoutError."""
        if holder is not None and not self.try_enter(holder):
            await self.enter(holder, within)
        try:
            yield
        finally:
            self.leave(holder)

    def waiting_for(self, holder: str | None) -> int:
        """How many wait in the line of `holder`."""
        return 0 if holder is None else len(self._waiting.get(holder, ()))

    def leave(self, holder: str | None) -> None:
        """Give back what was taken: to the next in the holder's line, if somebody waits there."""
        if holder is None:
            return
        line = self._waiting.get(holder)
        while line:
            turn = line.popleft()
            self._forget_empty(holder, line)
            if not turn.done():
                turn.set_result(None)
                return
        held = self._held[holder] - 1
        if held:
            self._held[holder] = held
        else:
            del self._held[holder]

    def _forget_empty(self, holder: str, line: deque[asyncio.Future[None]]) -> None:
        if not line:
            self._waiting.pop(holder, None)


def share_of(size: int) -> int:
    """How many of `size` sessions one holder may have.

    >>> share_of(10), share_of(5), share_of(1)
    (6, 3, 1)
    """
    return max(size - LEFT_TO_OTHERS, (size + 1) // 2)
