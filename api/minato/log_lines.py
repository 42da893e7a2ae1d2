"""Lines on their way out of the process, written beside the event loop: a reader who is slow, or gone, holds up nobody.

What finds no room any more is dropped and counted; the count is told as soon as there is room again.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
from collections import deque
from collections.abc import Callable
from functools import partial

CAPACITY = 1000
# So many are kept to be read again.
KEPT = 200
AT_ONCE = 100
# How long the end of a process waits for somebody to read its last lines.
FLUSH_SECONDS = 1.0
STDOUT, STDERR = 1, 2

Write = Callable[[bytes], None]


class LogLines:
    """A bounded queue, and a thread that lives while there is something to write; `tell_dropped` hears how many lines
    are lost."""

    def __init__(self, write: Write | None = None) -> None:
        self.tell_dropped: Callable[[int], None] = lambda count: None
        self._write = write or partial(write_all, STDERR)
        self._changed = threading.Condition()
        self._waiting: deque[bytes] = deque()
        self._dropped = 0
        self._latest: deque[str] = deque(maxlen=KEPT)
        self._writer: threading.Thread | None = None

    def add(self, line: str) -> None:
        """Have `line` written; never waits."""
        self._latest.append(line)
        with self._changed:
            # What the writer says of the others' lost lines must not be lost itself.
            if len(self._waiting) >= CAPACITY and threading.current_thread() is not self._writer:
                self._dropped += 1
                return
            self._waiting.append(line.encode("utf-8", "backslashreplace") + b"\n")
            if self._writer is not None:
                return
            # A daemon: a reader who never reads must not keep the process from ending.
            self._writer = threading.Thread(target=self._drain, name="log", daemon=True)
            try:
                self._writer.start()
            except RuntimeError:  # the interpreter is ending, and starts no thread any more
                self._writer = None
                self._waiting.clear()

    def latest(self, most: int) -> list[str]:
        """The lines that came last, the newest at the end."""
        return list(self._latest)[-most:]

    def flush(self, within: float) -> None:
        """Wait until everything is written, but not longer than `within` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._writer is None, within)

    def _drain(self) -> None:
        while lines := self._next():
            self._report_dropped()
            # A failure means that nobody reads any more, and there is no other place to say so.
            with contextlib.suppress(OSError, ValueError):
                self._write(b"".join(lines))

    def _next(self) -> list[bytes]:
        with self._changed:
            lines = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            if not lines:
                self._writer = None
                self._changed.notify_all()
            return lines

    def _report_dropped(self) -> None:
        with self._changed:
            dropped, self._dropped = self._dropped, 0
        if dropped:
            self.tell_dropped(dropped)


def write_all(descriptor: int, content: bytes) -> None:
    """All of `content`, by the descriptor's number: Python's own object would be locked while we wait."""
    while content:
        try:
            content = content[os.write(descriptor, content) :]
        except BlockingIOError:
            select.select([], [descriptor], [])
