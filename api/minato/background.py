"""Work beside the requests: repeated as long as the server lives, whatever it raises, and ended without a word."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog

from minato.database.engines import ENGINE_ERRORS
from minato.database.outage import Outage

LONGEST_PAUSE: Final = 300.0
# A database that is away is no fault of the work's: an outage is told once, and its end is waited for without backoff.
PASSING: Final = (OSError, *ENGINE_ERRORS)

Work = Callable[[], Awaitable[object]]


@dataclass(frozen=True)
class Supervisor:
    """Repeats the work of one backend."""

    log: structlog.stdlib.BoundLogger
    outage: Outage

    async def repeat(self, name: str, work: Work, seconds: float) -> None:
        """Do `work` now and after every `seconds`, until cancelled; pauses grow while it keeps failing."""
        failures = 0
        while True:
            try:
                await work()
                failures = 0
            except PASSING as error:
                if not self.outage.lasts:
                    self.log.warning(f"{name} failed", error=type(error).__name__)
            except Exception:
                failures += 1
                self.log.exception(f"{name} failed", failures=failures)
            await asyncio.sleep(pause_after(failures, seconds))


def pause_after(failures: int, seconds: float) -> float:
    """The next interval; doubled with each failure in a row after the first.

    >>> [pause_after(failures, 5.0) for failures in (0, 1, 2, 3, 99)]
    [5.0, 5.0, 10.0, 20.0, 300.0]
    """
    return max(seconds, min(seconds * 2.0 ** min(max(failures - 1, 0), 20), LONGEST_PAUSE))


async def ended(*tasks: asyncio.Task[None] | None) -> None:
    """Cancel the tasks and wait for their end; what one raised before that was its own to tell."""
    begun = [task for task in tasks if task is not None]
    for task in begun:
        task.cancel()
    await asyncio.gather(*begun, return_exceptions=True)
