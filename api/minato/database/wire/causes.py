"""Whose transaction was which: in development, row changes name the request that made them.

A write asks PostgreSQL for its transaction's id in the flush that it needs anyway. The change may be told before the
answer to that has come, so who asks for a cause may have to wait: for the writes that are under way, and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from structlog.contextvars import get_contextvars

from minato.database.wire.messages import Row
from minato.database.wire.session import Command

# A transaction that wrote nothing has no id, and gets none.
OWN_ID: Final = Command("select pg_catalog.pg_current_xact_id_if_assigned()")
MOST_KNOWN, MOST_WAITING = 5000, 1000
# Changes have the lower half of the id.
XIDS: Final = 1 << 32
Tell = Callable[[str | None], None]


class Write:
    """One that is under way."""

    __slots__ = ("xid",)

    def __init__(self) -> None:
        self.xid: int | None = None

    def told(self, rows: list[Row]) -> None:
        """What `OWN_ID` gave."""
        value = rows[0][0]
        self.xid = None if value is None else int(value) % XIDS


class Causes:
    """Of one database; none are kept unless it is `on`."""

    def __init__(self) -> None:
        self.on = False
        self._known: dict[int, str] = {}
        self._under_way: set[int] = set()
        self._begun = 0
        # Which write was the newest then, and what waits for which transaction.
        self._waiting: list[tuple[int, int, Tell]] = []

    @contextmanager
    def write(self) -> Iterator[Write]:
        """A write of the request at work here."""
        number = self._begun = self._begun + 1
        self._under_way.add(number)
        write = Write()
        try:
            yield write
        finally:
            self._under_way.discard(number)
            cause = get_contextvars().get("request_id")
            if write.xid is not None and cause is not None:
                self._known[write.xid] = cause
                if len(self._known) > MOST_KNOWN:
                    del self._known[next(iter(self._known))]
            self._tell_waiting()

    def find(self, xid: int, tell: Tell) -> None:
        """Tell the request whose transaction `xid` was, or None; at once, or when that is known."""
        if xid in self._known or not self._under_way:
            tell(self._known.get(xid))
            return
        self._waiting.append((self._begun, xid, tell))
        if len(self._waiting) > MOST_WAITING:
            self._waiting.pop(0)[2](None)

    def _tell_waiting(self) -> None:
        if not self._waiting:
            return
        oldest = min(self._under_way, default=self._begun + 1)
        waiting, self._waiting = self._waiting, []
        for newest, xid, tell in waiting:
            if xid in self._known or newest < oldest:
                tell(self._known.get(xid))
            else:
                self._waiting.append((newest, xid, tell))
