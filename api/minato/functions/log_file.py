"""What a function says: a line in the server's log, and one in a file of the function's own, both within bounds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import orjson
import structlog

from minato.clock import Clock
from minato.journal.event import Level
from minato.journal.journal import Journal
from minato.json_text import JsonObject

LARGEST_LINE: Final = 10_000
_LARGEST_FILE: Final = 5 * 1024 * 1024
# As many lines in so many seconds; what is more is counted, for a log must neither fill the disk nor hold up others.
_MOST_LINES, _PERIOD = 1000, 10.0
_LONGEST_TITLE: Final = 120
_NOTED: Final[dict[str, Level]] = {"warning": "warn", "error": "error"}
_LEVELS: Final = ("debug", "info", "warning", "error")


class FunctionLog:
    """The log of one function: `<folder>/<name>.log`, and one older file beside it."""

    def __init__(
        self, folder: Path, name: str, clock: Clock, log: structlog.stdlib.BoundLogger, journal: Journal
    ) -> None:
        self._journal = journal
        self.path = folder / f"{name}.log"
        self._name = name
        self._clock = clock
        self._log = log
        self._began = clock.monotonic()
        self._lines = 0
        self._dropped = 0

    def say(self, level: str, text: str, request_id: str = "") -> None:
        """Write one line down, a long one cut."""
        if not self._may_say():
            self._dropped += 1
            return
        kind = {"warn": "warning"}.get(level, level)
        kind = kind if kind in _LEVELS else "info"
        shown = text[:LARGEST_LINE]
        getattr(self._log, kind)("function said", function=self._name, text=shown, request_id=request_id)
        moment = self._clock.now().isoformat(timespec="milliseconds")
        self._append({"timestamp": moment, "level": kind, "request_id": request_id, "text": shown})
        self._tell(kind, shown, request_id)

    def _tell(self, kind: str, text: str, request_id: str) -> None:
        """Note the line, and the request that the function was answering where it is known, for developers."""
        told: JsonObject = {"function": self._name, "level": kind, "text": text}
        title = f"{self._name}: {text.partition(chr(10))[0][:_LONGEST_TITLE]}"
        level = _NOTED.get(kind, "info")
        self._journal.note(
            "function", title, lambda whole: dict(told), level=level, cause=request_id or None, size=len(text)
        )

    def _may_say(self) -> bool:
        now = self._clock.monotonic()
        if now - self._began >= _PERIOD:
            dropped, self._began, self._lines, self._dropped = self._dropped, now, 0, 0
            if dropped:
                self._log.warning("lines of a function dropped", function=self._name, count=dropped)
        self._lines += 1
        return self._lines <= _MOST_LINES

    def _append(self, line: dict[str, str]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self.path.exists() and self.path.stat().st_size > _LARGEST_FILE:
                self.path.replace(self.path.with_suffix(".log.1"))
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(orjson.dumps(line) + b"\n")
        except OSError as error:
            self._log.warning("the log of a function can't be written", function=self._name, error=str(error))
