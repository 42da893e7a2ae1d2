"""Work that answers do not wait for, so that the time they take tells nobody what there was to do."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from structlog.stdlib import BoundLogger

from api.auth.errors import AuthError

# At once, so that requests find connections too; and waiting, before answers wait as well.
AT_ONCE, WAITING = 2, 500
SECONDS = 60.0


class Later:
    """What one auth room has still to do."""

    def __init__(self, log: BoundLogger) -> None:
        self._log = log
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, work: Coroutine[Any, Any, object]) -> None:
        """Start `work`; when too much waits, come back after it."""
        task = asyncio.create_task(self._do(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if len(self._tasks) > WAITING:
            await asyncio.wait([task])

    async def finish(self) -> None:
        """Come back when nothing is left to do."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _do(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            async with self._turn, asyncio.timeout(SECONDS):
                await work
        except AuthError as error:
            self._log.info("auth request came to nothing", code=error.code)
        except Exception:
            self._log.exception("auth request failed after its answer")
