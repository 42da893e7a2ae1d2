"""Work that has to wait is written once, as an iterator of pauses in seconds; here are the two ways to wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator

Steps = Generator[float, None, None]


class GrowingPauses:
    """When to tell of what is tried again and again and fails each time: at once, then after pauses that double, up to
    the longest."""

    def __init__(self, first: float, longest: float) -> None:
        self._pause = first
        self._longest = longest
        self._next: float | None = None

    def are_over(self, now: float) -> bool:
        """It failed again; whether that is to be told."""
        if self._next is not None and now < self._next:
            return False
        self._next = now + self._pause
        self._pause = min(2 * self._pause, self._longest)
        return True


class RestartBackoff:
    """How long to wait before what has ended is started again: not at all the first time, then pauses that double, up
    to the longest, for as long as it never lives `steady` seconds."""

    def __init__(self, first: float, longest: float, steady: float) -> None:
        self._first = first
        self._longest = longest
        self._steady = steady
        self._pause = 0.0

    def after(self, lived: float) -> float:
        """It has ended; the seconds to wait."""
        pause = 0.0 if lived >= self._steady else self._pause
        self._pause = min(2 * pause, self._longest) or self._first
        return pause


def run(steps: Steps) -> None:
    """Finish the work, blocking during its pauses."""
    for pause in steps:
        time.sleep(pause)


async def run_async(steps: Steps) -> None:
    """Finish the work, leaving the event loop to others during its pauses."""
    for pause in steps:
        await asyncio.sleep(pause)
