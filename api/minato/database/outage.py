"""Tells the log when PostgreSQL stops answering and when it answers again: one line each, however many are refused."""

from __future__ import annotations

import asyncpg
import structlog

# What asyncpg raises when it can't connect, or when a connection ends under it: in the middle of a statement it finds
# itself in a state it does not know.
CONNECTION_ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class Outage:
    """The present outage of one database, if there is one. Every new connection reports to it.

    `answers` counts those that could be opened, `number` the outages so far.
    """

    def __init__(self, log: structlog.stdlib.BoundLogger | None = None) -> None:
        self.lasts = False
        self.answers = 0
        self.number = 0
        self._log = log

    def begin(self, reason: object, answers: int | None = None) -> None:
        """A connection could not be opened, or all were lost. Of one that was begun after so many `answers`: if there
        was another since, the failure is a former outage's, told late."""
        if not self.lasts and answers in (None, self.answers):
            self.lasts = True
            self.number += 1
            if self._log is not None:
                self._log.error("the database does not answer", reason=str(reason))

    def end(self) -> None:
        """A connection could be opened."""
        self.answers += 1
        if self.lasts:
            self.lasts = False
            if self._log is not None:
                self._log.warning("the database answers again")
