"""Endless work is cut off: whoever computes without a pause for longer than a function may, ends the process."""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Final, ParamSpec, TypeVar

from minato.functions.python.speech import tell

_LOOK_SECONDS: Final = 0.2
_MEBIBYTE: Final = 1024 * 1024
# Thread stacks and what libraries reserve without ever using it.
_RESERVED: Final = 512
P = ParamSpec("P")
T = TypeVar("T")


class Guard:
    """Knows who computes since when: the event loop between two beats, and each call in a thread."""

    def __init__(self, cpu_limit: float) -> None:
        self._limit = cpu_limit
        self._loop = threading.main_thread().ident or 0
        self._began: dict[int, float] = {}

    def begin(self) -> None:
        """Look at them until the process ends."""
        self.beat()
        threading.Thread(target=self._watch, name="guard", daemon=True).start()

    def beat(self) -> None:
        """The event loop is free just now."""
        self._began[self._loop] = _processor_time(self._loop)

    def measured(self, call: Callable[P, T]) -> Callable[P, T]:
        """`call`, watched in the thread that it runs in."""

        def watched(*given: P.args, **named: P.kwargs) -> T:
            thread = threading.get_ident()
            self._began[thread] = _processor_time(thread)
            try:
                return call(*given, **named)
            finally:
                self._began.pop(thread, None)

        return watched

    def _watch(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            for thread, began in list(self._began.items()):
                if _processor_time(thread) - began > self._limit:
                    _cut_off(thread)


class WatchedThreads(ThreadPoolExecutor):
    """Where `asyncio.to_thread` runs its calls."""

    def __init__(self, guard: Guard) -> None:
        super().__init__(thread_name_prefix="function")
        self._guard = guard

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """As `ThreadPoolExecutor.submit`."""
        return super().submit(self._guard.measured(fn), *args, **kwargs)


def watch_threads_of_anyio(guard: Guard) -> None:
    """Those that Starlette and FastAPI run plain functions in."""
    from anyio import to_thread

    run_sync: Callable[..., object] = to_thread.run_sync

    def watched(call: Callable[..., object], *given: object, **named: object) -> object:
        return run_sync(guard.measured(call), *given, **named)

    to_thread.run_sync = watched  # type: ignore[assignment]  # as it is called, not as it is typed


def limit_memory(memory_mb: int) -> None:
    """Bound what comes in one piece; what grows slowly is ended by the server, which looks at it."""
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: memory_mb * _MEBIBYTE}
    if sys.platform == "linux":
        limits[resource.RLIMIT_DATA] = (2 * memory_mb + _RESERVED) * _MEBIBYTE
    for kind, most in limits.items():
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def _processor_time(thread: int) -> float:
    """Seconds, of one thread that runs; where no one tells, none."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return 0.0
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


def _cut_off(thread: int) -> None:
    frames = sys._current_frames()
    where = "".join(traceback.format_stack(frames[thread])[-3:]) if thread in frames else ""
    tell(log=f"The function computed for too long without a pause:\n{where}", level="error")
    os.kill(os.getpid(), signal.SIGKILL)
