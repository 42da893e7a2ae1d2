"""Whose password is hashed next: who waits is served address by address, and nobody waits for seconds."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

T = TypeVar("T")


class QueueFull(Exception):
    """So many wait already that this one would wait for too long."""


class PasswordQueue:
    """Work for `at_once` threads. `waiting` may wait, half of them of one address; the addresses take turns."""

    def __init__(self, threads: Executor, at_once: int, waiting: int) -> None:
        self._threads = threads
        self._free = at_once
        self._room = waiting
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._lines.values()))

    async def run(self, address: str, work: Callable[..., T], *given: object) -> T:
        """`work(*given)` in a thread, when it is the turn of `address`. Raises QueueFull."""
        await self._turn(address)
        job = asyncio.get_running_loop().run_in_executor(self._threads, work, *given)
        # A thread cannot be stopped: who leaves gives the turn on when it is done.
        job.add_done_callback(lambda _: self._pass_on())
        return await asyncio.shield(job)

    async def _turn(self, address: str) -> None:
        if self._free:
            self._free -= 1
            return
        line = self._lines.get(address, ())
        if self.waiting >= self._room or len(line) >= self._room // 2:
            raise QueueFull
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._leave(address, turn)
            raise

    def _leave(self, address: str, turn: asyncio.Future[None]) -> None:
        """Who waits no more gives up the place in the line, or the turn that came at the same moment."""
        if not turn.cancelled():
            self._pass_on()
            return
        line = self._lines.get(address)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._lines[address]

    def _pass_on(self) -> None:
        while self._lines:
            address, line = self._lines.popitem(last=False)
            turn = line.popleft()
            if line:
                # At the end: the other addresses come first.
                self._lines[address] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
