"""Work that answers do not wait for, so that the time they take tells nobody what there was to do.

It waits in memory, so a restart loses the mails that have not left, though their requests were answered with 200: who
waits for one must ask again. What a stop gives up is taken back as a refused mail is, and so may be asked for at once;
what a crash interrupts may leave a token that nobody was mailed, and the next mail waits its interval.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from structlog.stdlib import BoundLogger

from minato.at_work import UnderWay
from minato.auth.wire.errors import AuthError
from minato.background import ended

# At once, so that requests find connections too; and waiting, before answers wait as well.
AT_ONCE, WAITING = 2, 500
SECONDS = 60.0
# A mail server may hang, and a server that is asked to end should.
LAST_SECONDS = 3.0

Work = Callable[[], Awaitable[object]]


class Later:
    """What one auth room has still to do."""

    def __init__(self, log: BoundLogger) -> None:
        self._log = log
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self.at_work = UnderWay("requests")

    async def begin(self, work: Work) -> None:
        """Start `work`; when too much waits, come back after it."""
        going, task = self.at_work.begin("what an answer of auth did not wait for"), asyncio.create_task(self._do(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: self.at_work.end(going))
        if len(self._tasks) > WAITING:
            await asyncio.wait([task])

    async def finish(self, seconds: float = LAST_SECONDS) -> None:
        """Come back when nothing is left to do; what is not done after `seconds` is given up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._tasks:
                    await asyncio.wait(self._tasks)
        if self._tasks:
            self._log.warning("auth requests were given up: their mails are not sent", count=len(self._tasks))
            await ended(*self._tasks)

    async def _do(self, work: Work) -> None:
        try:
            async with self._turn, asyncio.timeout(SECONDS):
                await work()
        except AuthError as error:
            self._log.info("auth request came to nothing", code=error.code)
        except Exception:
            self._log.exception("auth request failed after its answer")
