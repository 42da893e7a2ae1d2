"""The workers of one parent: begun, replaced when they end, renewed one after the other, ended together."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from socket import socket
from typing import Final

import structlog

from minato.background import until_one_ends
from minato.cli.http_server import GRACE_SECONDS, RETIREMENT_SECONDS, SAME_KEYPRESS_SECONDS
from minato.cli.prefork.worker import HERE, QUESTION, READY, RETIRE, STOP

START_SECONDS: Final = 60.0
# A worker that serves for so long was in order; what ends it then is no reason to wait with the next.
SETTLED_SECONDS: Final = 10.0
LONGEST_PAUSE: Final = 30.0
# Longer than a worker takes for the requests under way and for what it has open.
STOP_SECONDS: Final = 30.0
# Beyond what a retiring worker takes by itself: whose event loop stands still would hold up all renewals.
RETIREMENT_PATIENCE: Final = RETIREMENT_SECONDS + 10.0
# Whoever was slow and not dead ends the requests under way; a little more than it gives them.
TERMINATION_SECONDS: Final = GRACE_SECONDS + 2.0
# Counted, not measured: after a standstill of the parent or the machine, nobody has missed more than one.
QUESTIONS: Final = 10


class WorkerFailed(Exception):
    """A worker ended before it was ready; it has said why."""


def pause_before(failures: int) -> float:
    """Seconds before the next attempt; the first one comes at once.

    >>> [pause_before(failures) for failures in (0, 1, 2, 3, 99)]
    [0.0, 0.0, 0.5, 1.0, 30.0]
    """
    return min(0.5 * 2.0 ** min(failures - 2, 20), LONGEST_PAUSE) if failures > 1 else 0.0


class Worker(asyncio.Protocol):
    """One process, as the other end of its connection."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.pid: int | None = None
        self.ready_at: float | None = None
        self.gone = asyncio.Event()
        # Gone, or its place is another's: from then on nobody attends to it.
        self._left = asyncio.Event()
        self._changed = asyncio.Event()
        self._unanswered = 0
        self._said = b""
        self.transport: asyncio.WriteTransport | None = None

    async def ready(self) -> None:
        """Wait until it serves. Raises WorkerFailed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                while self.ready_at is None and not self.gone.is_set():
                    self._changed.clear()
                    await self._changed.wait()
        if self.ready_at is None or self.gone.is_set():
            self.kill()
            raise WorkerFailed

    async def falls_silent(self, patience: float) -> bool:
        """Wait until it has answered nothing for `patience` seconds (0: for ever), is gone or relieved; whether the
        first."""
        self._unanswered = 0
        while patience and self._unanswered < QUESTIONS:
            self._unanswered += 1
            self.order(QUESTION)
            # Not `wait_for`: where both come at once it loses a cancellation.
            with suppress(TimeoutError):
                async with asyncio.timeout(patience / QUESTIONS):
                    await self._left.wait()
                return False
        return bool(patience) or not await self._left.wait()

    def relieve(self) -> None:
        """Another has its place."""
        self._left.set()

    async def end_within(self, seconds: float) -> None:
        """Wait for its end; who takes longer is killed."""
        try:
            async with asyncio.timeout(seconds):
                await self.gone.wait()
        except TimeoutError:
            self.kill()

    def order(self, order: bytes) -> None:
        """Tell it; harmless when it is gone."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(order)

    def kill(self) -> None:
        """End it at once. While its connection stands its number is nobody else's."""
        self._send(signal.SIGKILL)

    async def terminate(self) -> None:
        """Let it end what it is at if it still can, and wait until it is gone."""
        self._send(signal.SIGTERM)
        await self.end_within(TERMINATION_SECONDS)
        await self.gone.wait()

    def data_received(self, data: bytes) -> None:
        *lines, self._said = (self._said + data).splitlines(keepends=True)
        if self._said.endswith(b"\n"):
            lines, self._said = [*lines, self._said], b""
        for line in lines:
            if line == HERE:
                self._unanswered = 0
            elif line == READY:
                self.ready_at = asyncio.get_running_loop().time()
            else:
                self.pid = int(line)
        self._changed.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()
        self._left.set()
        self._changed.set()

    def _send(self, number: signal.Signals) -> None:
        if self.pid is not None and not self.gone.is_set():
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


class Place:
    """Where there is always to be a worker, or the next one."""

    def __init__(
        self, number: int, copy: Callable[[], socket], boot: Callable[[int], bytes], log: structlog.stdlib.BoundLogger
    ) -> None:
        self.worker = Worker(number)
        self._former = self.worker
        self._copy = copy
        self._boot = boot
        self._log = log.bind(worker=number)
        self._turn = asyncio.Lock()

    @property
    def begun(self) -> list[Worker]:
        """Who is at work here: the worker, and the former one while that ends what it is at."""
        return [worker for worker in {self.worker, self._former} if worker.pid is not None]

    async def fill(self) -> None:
        """Begin a worker and wait until it serves. Raises WorkerFailed and TemplateGone."""
        worker = Worker(self.worker.number)
        try:
            loop, control = asyncio.get_running_loop(), self._copy()
            worker.transport, _ = await loop.create_unix_connection(lambda: worker, sock=control)
            worker.order(self._boot(worker.number))
            await worker.ready()
        except asyncio.CancelledError:
            worker.kill()
            if worker.transport is not None:
                # Who has not told its number yet ends with its connection.
                worker.transport.abort()
            raise
        self.worker = worker

    async def attend(self, patience: float) -> None:
        """Put another in the place of each that ends, or answers nothing for `patience` seconds. Raises
        TemplateGone."""
        failures = 0
        while True:
            worker = self.worker
            if await worker.falls_silent(patience):
                self._log.error("a worker does not answer, it is ended", pid=worker.pid, seconds=patience)
                await worker.terminate()
            async with self._turn:
                if worker is not self.worker:
                    continue
                self._log.error("a worker ended, another takes its place", pid=worker.pid)
                lived = asyncio.get_running_loop().time() - (worker.ready_at or 0.0)
                failures = 0 if lived > SETTLED_SECONDS else failures + 1
                failures = await self._fill_again(failures)

    async def renew(self) -> None:
        """Let another worker take the place; the former ends what it is at. Raises WorkerFailed and TemplateGone."""
        async with self._turn:
            former = self.worker
            await self.fill()
            self._former = former
        former.relieve()
        former.order(RETIRE)
        await former.end_within(RETIREMENT_PATIENCE)

    async def _fill_again(self, failures: int) -> int:
        """How many failures it took."""
        while True:
            await asyncio.sleep(pause_before(failures))
            try:
                await self.fill()
                return failures
            except WorkerFailed:
                failures += 1
                self._log.error("a worker did not start", again_in_seconds=pause_before(failures))


class Crew:
    """All places; `copy` makes a process, `boot` tells it what it is to be. `patience` is how many seconds a worker may
    answer nothing; 0: for ever. `renewed` is told of each renewal whether every worker started."""

    def __init__(
        self,
        count: int,
        copy: Callable[[], socket],
        boot: Callable[[int], bytes],
        log: structlog.stdlib.BoundLogger,
        *,
        patience: float,
        renewed: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._renewed = renewed
        self._places = [Place(number, copy, boot, log) for number in range(1, count + 1)]
        self._log = log
        self._patience = patience
        self._renewal = asyncio.Event()
        self._stopping = asyncio.Event()
        self._asked_at: float | None = None

    async def start(self) -> None:
        """Fill all places, the first alone: what keeps one from starting keeps all, and is told once. Raises
        WorkerFailed and TemplateGone."""
        first, *others = self._places
        await first.fill()
        await asyncio.gather(*(place.fill() for place in others))

    async def keep(self) -> None:
        """Keep all places filled until `stop_soon`. Raises TemplateGone."""
        attending = (place.attend(self._patience) for place in self._places)
        await until_one_ends(*attending, self._renew_when_asked(), self._stopping.wait())

    def renew_soon(self) -> None:
        """Renew all, one after the other; asked for again meanwhile, all once more."""
        self._renewal.set()

    def stop_soon(self, now: float) -> None:
        """The first time all may end what they are at, the second time nobody; `now` in seconds. A reloader passes a
        Ctrl-C on that the terminal has sent already."""
        if self._asked_at is None:
            self._asked_at = now
        elif now - self._asked_at >= SAME_KEYPRESS_SECONDS:
            self._kill()
        self._stopping.set()

    async def stop(self) -> None:
        """End all, who retires included; who takes too long is ended."""
        workers = self._begun()
        for worker in workers:
            worker.order(STOP)
        await asyncio.gather(*(worker.end_within(STOP_SECONDS) for worker in workers))

    def _begun(self) -> list[Worker]:
        return [worker for place in self._places for worker in place.begun]

    def _kill(self) -> None:
        for worker in self._begun():
            worker.kill()

    async def _renew_when_asked(self) -> None:
        while True:
            await self._renewal.wait()
            self._renewal.clear()
            try:
                for place in self._places:
                    await place.renew()
                self._log.info("all workers were renewed")
                started = True
            except WorkerFailed:
                self._log.error("a worker did not start; those that serve go on")
                started = False
            # Asked for again meanwhile, the next one tells.
            if not self._renewal.is_set():
                self._renewed(started)
