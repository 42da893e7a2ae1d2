"""A database that is away, has no connection free, or fails a statement, for what one request asks of it.

Only what a room does for a request or socket goes wrong: jobs, the change feed and the developer's own calls do not.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from minato.database.wire.session import Command
from minato.faults.fault import Fault, Faults

# Whose request this task works for.
_asking: ContextVar[Mapping[str, str] | None] = ContextVar("asking", default=None)

# PostgreSQL's own words, where a retry is what they ask for.
WORDS: Final = {
    "23505": "duplicate key value violates unique constraint",
    "25P03": "terminating connection due to idle-in-transaction timeout",
    "40001": "could not serialize access due to concurrent update",
    "40P01": "deadlock detected",
    "53100": "could not extend file: No space left on device",
    "53200": "out of memory",
    "53300": "sorry, too many clients already",
    "55P03": "canceling statement due to lock timeout",
    "57014": "canceling statement due to statement timeout",
    "57P01": "terminating connection due to administrator command",
}


@contextmanager
def asked_by(known: Mapping[str, str]) -> Iterator[None]:
    """Until the block ends, what is asked of the database is for who is `known`."""
    token = _asking.set(known)
    try:
        yield
    finally:
        _asking.reset(token)


def asked_path() -> str:
    """The path, below its room, of the request that this task works for; empty where nobody knows it."""
    return (_asking.get() or {}).get("path", "")


class FaultyDoor:
    """The door of a database's sessions."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults

    async def passed(self) -> Command | None:
        """What makes the first statement fail. Raises ConnectionRefusedError, or TimeoutError, which a real pool raises
        after some seconds."""
        fault = self._met() if self._faults.rules else None
        if fault is None:
            return None
        await fault.wait()
        self._refuse(fault)
        return None if fault.rule.do.sqlstate is None else failing(fault.rule.do.sqlstate)

    def look(self) -> None:
        """The same for who shares a connection with others. Raises ConnectionRefusedError and TimeoutError."""
        fault = self._met(with_statements=False) if self._faults.rules else None
        if fault is not None:
            self._refuse(fault)

    def _refuse(self, fault: Fault) -> None:
        if fault.rule.do.unreachable:
            raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        if fault.rule.do.exhausted:
            raise TimeoutError

    def _met(self, with_statements: bool = True) -> Fault | None:
        known = _asking.get()
        if known is None:
            return None
        for fault in self._faults.at("database"):
            fits = fault.fits(dict(known)) and (with_statements or fault.rule.do.sqlstate is None)
            if fits and fault.strikes():
                return fault
        return None


def failing(sqlstate: str) -> Command:
    """A statement that PostgreSQL refuses with this code.

    >>> failing("40P01").text
    "do $$ begin raise exception using errcode = '40P01', message = 'deadlock detected'; end $$"
    """
    message = WORDS.get(sqlstate, "canceled on purpose")
    return Command(f"do $$ begin raise exception using errcode = '{sqlstate}', message = '{message}'; end $$")
