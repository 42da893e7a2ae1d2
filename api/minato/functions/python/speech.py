"""What a function says: each line goes to the server with the request that it belongs to."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
import threading
from contextvars import ContextVar
from typing import Final

LONGEST: Final = 10_000
request_id: ContextVar[str] = ContextVar("request_id", default="")
_writing = threading.Lock()


def tell(**told: object) -> None:
    """One line for the server, which knows it by its first character."""
    line = b"\x01" + json.dumps(told, default=str).encode() + b"\n"
    with _writing:
        while line:
            line = line[os.write(1, line) :]


def listen_in() -> None:
    """From now on `print`, standard error and `logging` are told."""
    sys.stdout, sys.stderr = Lines("info"), Lines("error")
    handler = Records()
    handler.setFormatter(logging.Formatter("%(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    # Errors of requests are told by us; the server's own words are none of the function's.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)


class Records(logging.Handler):
    """Records of `logging`."""

    def emit(self, record: logging.LogRecord) -> None:
        """Tell one, with its level."""
        tell(log=self.format(record)[:LONGEST], level=record.levelname.lower(), id=request_id.get())


class Lines(io.TextIOBase):
    """A stream of text, told line by line; what several write at a time is kept apart."""

    def __init__(self, level: str) -> None:
        self._level = level
        self._begun: dict[tuple[int, str], str] = {}

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a plain attribute there
        return "utf-8"

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, text: str) -> int:
        """Take `text`; whole lines are told at once."""
        who = (threading.get_ident(), request_id.get())
        *lines, left = (self._begun.pop(who, "") + text).split("\n")
        if len(left) > LONGEST:
            lines, left = [*lines, left], ""
        for line in lines:
            tell(log=line[:LONGEST], level=self._level, id=who[1])
        if left:
            self._begun[who] = left
        return len(text)
