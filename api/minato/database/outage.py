"""Tells the log when PostgreSQL stops answering and when it answers again: one line each, however many are refused."""

from __future__ import annotations

import asyncpg
import structlog

# What asyncpg raises when it can't connect, or when a connection ends under it: in the middle of a statement it finds
# itself in a state it does not know.
CONNECTION_ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class Outage:
    """The present outage of one database, if there is one. Every new connection reports to it."""

    def __init__(self, log: structlog.stdlib.BoundLogger | None = None) -> None:
        self.lasts = False
        self._log = log

    def begin(self, reason: object) -> None:
        """A connection could not be opened, or all were lost."""
        if not self.lasts:
            self.lasts = True
            if self._log is not None:
                self._log.error("the database does not answer", reason=str(reason))

    def end(self) -> None:
        """A connection could be opened."""
        if self.lasts:
            self.lasts = False
            if self._log is not None:
                self._log.warning("the database answers again")
