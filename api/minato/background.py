"""Work beside the requests: repeated as long as the backend lives, whatever it raises, and ended without a word.

Long-lived work is begun here and nowhere else. What a request or a socket begins for itself, and awaits or cancels
before it ends, it may begin itself; a house test lists those files.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Final

import structlog

from minato.database.engines import ENGINE_ERRORS
from minato.database.outage import CONNECTION_ERRORS, Outage
from minato.database.wire.session import StatementError

LONGEST_PAUSE: Final = 300.0
# Before work that should never have ended begins again.
RESTART_SECONDS: Final = 1.0
# What is cancelled has so long to come to its end; a mail on its way takes five of them.
ENDING_SECONDS: Final = 8.0
# A database that is away is no fault of the work's: an outage is told once, and its end is waited for without backoff.
PASSING: Final = (*CONNECTION_ERRORS, *ENGINE_ERRORS)

Work = Callable[[], Awaitable[object]]


class Supervisor:
    """Begins, repeats and ends the work of one backend."""

    def __init__(self, log: structlog.stdlib.BoundLogger, outage: Outage) -> None:
        self._log = log
        self._outage = outage
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, name: str, work: Work, seconds: float) -> asyncio.Task[None]:
        """Do `work` now and after every `seconds`; `ended` ends it."""
        task = asyncio.create_task(self.repeat(name, work, seconds), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def keep(self, name: str, work: Work) -> asyncio.Task[None]:
        """Do `work`, which should never end, and begin it again if it does."""
        return self.begin(name, work, RESTART_SECONDS)

    async def repeat(self, name: str, work: Work, seconds: float) -> None:
        """Do `work` now and after every `seconds`, until cancelled; pauses grow while it keeps failing."""
        failures, loop = 0, asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await work()
                failures = 0
            except Exception as error:
                if not _passes(error):
                    # What ran well for long fails for the first time.
                    failures = 1 if loop.time() - began > LONGEST_PAUSE else failures + 1
                    self._log.exception(f"{name} failed", failures=failures)
                elif not self._outage.lasts:
                    self._log.warning(f"{name} failed", error=type(error).__name__)
            await asyncio.sleep(pause_after(failures, seconds))

    async def close(self) -> None:
        """End whatever is still at work."""
        await ended(*self._tasks)


def _passes(error: Exception) -> bool:
    return isinstance(error, PASSING) or (isinstance(error, StatementError) and error.is_farewell)


def pause_after(failures: int, seconds: float) -> float:
    """The next interval; doubled with each failure in a row after the first.

    >>> [pause_after(failures, 5.0) for failures in (0, 1, 2, 3, 99)]
    [5.0, 5.0, 10.0, 20.0, 300.0]
    """
    return max(seconds, min(seconds * 2.0 ** min(max(failures - 1, 0), 20), LONGEST_PAUSE))


def begun(name: str, work: Coroutine[object, object, None], log: structlog.stdlib.BoundLogger) -> asyncio.Task[None]:
    """`work` that comes to its end by itself and that nobody waits for; what it raises is logged."""

    def tell(task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error(f"{name} failed", exc_info=error)

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(tell)
    return task


async def until_one_ends(*work: Coroutine[object, object, object]) -> None:
    """Do all of it until one comes to its end, then end the others. Raises what that one raised."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ended(*tasks: asyncio.Task[None] | None) -> None:
    """Cancel the tasks and wait for their end, some seconds at most; what one raised was its own to tell."""
    at_work = [task for task in tasks if task is not None]
    for task in at_work:
        task.cancel()
    if at_work:
        await asyncio.wait(at_work, timeout=ENDING_SECONDS)
    for task in at_work:
        if task.done() and not task.cancelled():
            task.exception()


async def within(seconds: float, work: Work) -> bool:
    """Do `work`; whether it came to its end. After `seconds` it is cancelled, and waited for no longer."""
    task: asyncio.Task[None] = asyncio.create_task(_done(work))
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if not done:
        task.cancel()
        return False
    task.result()
    return True


async def _done(work: Work) -> None:
    await work()
