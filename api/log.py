"""The server's log: lines for people on standard output. A traceback shows code, never what its variables hold."""

from __future__ import annotations

from typing import TextIO

import structlog


def create_log(file: TextIO | None = None) -> structlog.stdlib.BoundLogger:
    """A logger of this backend's own, onto `file` or standard output.

    structlog's default would print local variables, passwords among them.
    """
    log: structlog.stdlib.BoundLogger = structlog.wrap_logger(
        structlog.PrintLogger(file),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.dev.set_exc_info,
            structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False),
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ],
    )
    return log
