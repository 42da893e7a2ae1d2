"""Uvicorn as the commands run it: it says when it is ready, and ends by signals in two steps."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from minato.http.protocols import GuardedConfig

# Seconds that requests under way get to finish after Ctrl-C.
GRACE_SECONDS = 3
# The same where another process has taken this one's place.
RETIREMENT_SECONDS = 30
SAME_KEYPRESS_SECONDS = 1.0


class AnnouncingServer(uvicorn.Server):
    """Uvicorn that says when it is ready, and ends by signals without raising them again afterwards."""

    def __init__(self, config: GuardedConfig, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce
        self._settings = config
        self._asked_at = -SAME_KEYPRESS_SECONDS

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce. Who is asked to end meanwhile ends in order: uvicorn would leave the app as it is."""
        await super().startup(sockets)
        if self.started and self.should_exit:
            await self.shutdown(sockets)
            return
        # What is there now stays; a collector that looks through all of it again is a pause some request would see.
        gc.collect()
        gc.freeze()
        if self.started:
            self._announce()

    def retire(self) -> None:
        """Accept nobody any more and end when all who are connected have gone; another process goes on."""
        self._settings.retiring = True
        self._settings.timeout_graceful_shutdown = RETIREMENT_SECONDS
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A reloader passes Ctrl-C on that the terminal has sent already: the echo is no second wish."""
        now = time.monotonic()
        if now - self._asked_at >= SAME_KEYPRESS_SECONDS:
            self._asked_at = now
            super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The first signal lets requests finish, the second does not; PostgreSQL is stopped after this returns."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            # Ctrl-C came before, in what did not wait: the app must not begin to start.
            raise asyncio.CancelledError
        yield


class BesideServer(uvicorn.Server):
    """Uvicorn beside another one in the same process, to which the signals belong."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
