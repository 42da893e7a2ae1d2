"""The server's log on standard error: lines for a person at a terminal, JSON for everything else that reads.

A traceback shows code, never what its variables hold. Standard output is not the log's.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping

import orjson
import structlog

from minato.log_lines import STDERR, LogLines

LOUD = frozenset({"warning", "error", "exception", "critical"})
# The name of a level, and what is said.
Hear = Callable[[str, Mapping[str, object]], None]


class _Sink:
    """What structlog hands finished lines to, whatever the level."""

    def __init__(self, lines: LogLines) -> None:
        self.msg = lines.add

    def __getattr__(self, level: str) -> object:
        if level.startswith("_"):
            raise AttributeError(level)
        return self.msg


class LibraryRecords(logging.Handler):
    """Hands what libraries log (uvicorn, asyncio) to our log, so that all of it looks and travels alike."""

    def __init__(self, log: structlog.stdlib.BoundLogger) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info or None)


def create_log(lines: LogLines, as_json: bool, hear: Hear | None = None) -> structlog.stdlib.BoundLogger:
    """A logger of its own onto `lines`. structlog's default would print local variables, passwords among them. What is
    a warning or worse `hear` is told of, too."""
    render = _json_lines() if as_json else _lines_for_people()
    log: structlog.stdlib.BoundLogger = structlog.wrap_logger(
        _Sink(lines),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.dev.set_exc_info,
            *([] if hear is None else [_telling(hear)]),
            *render,
        ],
    )
    lines.tell_dropped = lambda count: log.warning("log lines dropped, as nobody read them in time", count=count)
    return log


def _telling(hear: Hear) -> structlog.typing.Processor:
    def tell(_logger: object, level: str, said: structlog.typing.EventDict) -> structlog.typing.EventDict:
        if level in LOUD:
            hear(level, said)
        return said

    return tell


def wants_json(production: bool) -> bool:
    """Whether a machine reads the log: always in production, else where standard error is no terminal."""
    return production or not os.isatty(STDERR)


def take_over_libraries(log: structlog.stdlib.BoundLogger) -> None:
    """Let what libraries log go the same way; once in a process, by whoever runs it."""
    logging.basicConfig(handlers=[LibraryRecords(log)], level=logging.WARNING, force=True)
    # Everything it would say reaches us as an exception, and an outage is told once; see `database/outage.py`.
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)


def _json_lines() -> list[structlog.typing.Processor]:
    return [
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(serializer=_as_json),
    ]


def _lines_for_people() -> list[structlog.typing.Processor]:
    return [
        structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False),
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]


def _as_json(event: object, **_: object) -> str:
    return orjson.dumps(event, default=repr).decode()
