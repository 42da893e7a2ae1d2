"""What the database shows by now of the changes in the feed: waiting for their transactions, and facts of their tables.

A commit is in the log, and so in the feed, a moment before other sessions see its rows. Asked in that moment a policy
would find no row, and a client that reads after a change would read the old state.

Changes that come fast share facts. They are kept for a second at most, and no longer than the log describes the table
anew, which it does after every DDL, GRANT and REVOKE on it: those hold for the next change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from minato.clock import Clock
from minato.realtime.change_feed.base import Relation
from minato.realtime.postgres_changes.catalog import Catalog, TableFacts

SNAPSHOT = "pg_current_snapshot()::text"
FIRST_PAUSE, LONGEST_PAUSE, TRIES = 0.0005, 0.05, 100
HALF = 1 << 31


class StillInvisible(Exception):
    """A committed transaction that stays invisible, as when it waits for a synchronous standby."""


@dataclass(frozen=True)
class Snapshot:
    """PostgreSQL's `xmin:xmax:xip_list`, in 64-bit transaction ids."""

    xmin: int
    xmax: int
    running: frozenset[int]

    def shows(self, xid: int) -> bool:
        """Whether the transaction with the 32-bit id `xid` is over in this snapshot.

        >>> parse_snapshot("10:20:12,14").shows(12), parse_snapshot("10:20:12,14").shows(13)
        (False, True)
        """
        full = widen(xid, self.xmax)
        return full < self.xmin or (full < self.xmax and full not in self.running)


def parse_snapshot(text: str) -> Snapshot:
    """The snapshot `pg_current_snapshot()::text` writes."""
    xmin, xmax, running = text.split(":")
    return Snapshot(int(xmin), int(xmax), frozenset(map(int, filter(None, running.split(",")))))


def widen(xid: int, near: int) -> int:
    """The 64-bit id nearest to `near` whose lower half is `xid`.

    >>> widen(5, (1 << 32) - 3) == (1 << 32) + 5, widen(0xFFFFFFFF, (1 << 32) + 2) == 0xFFFFFFFF
    (True, True)
    """
    full = (near & ~0xFFFFFFFF) + xid
    if full - near > HALF and full >= 1 << 32:
        return full - (1 << 32)
    return full + (1 << 32) if near - full > HALF else full


class Waiting:
    """Transactions that some session may not see yet, and growing pauses between two looks."""

    def __init__(self, xids: Iterable[int]) -> None:
        self._xids = set(xids)
        self._pause = FIRST_PAUSE
        self._left = TRIES

    def __bool__(self) -> bool:
        return bool(self._xids)

    async def is_over(self, snapshot: str) -> bool:
        """Whether `snapshot` shows all of them; if it does not, after a pause. Raises StillInvisible."""
        shown = parse_snapshot(snapshot)
        self._xids = {xid for xid in self._xids if not shown.shows(xid)}
        if not self._xids:
            return True
        self._left -= 1
        if self._left <= 0:
            raise StillInvisible
        await asyncio.sleep(self._pause)
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        return False


async def await_visible(catalog: Catalog, xids: Iterable[int]) -> None:
    """Return once every transaction is over for everybody. Raises StillInvisible, and what `fetch` raises."""
    waiting = Waiting(xids)
    while waiting:
        (row,) = await catalog.fetch(f"select {SNAPSHOT} as snapshot")
        await waiting.is_over(row["snapshot"])


class FactsCache:
    """Facts by table, for `MAX_AGE` seconds."""

    MAX_AGE = 1.0

    def __init__(self, catalog: Catalog, clock: Clock) -> None:
        self._catalog = catalog
        self._clock = clock
        self._known: dict[int, tuple[Relation, frozenset[str], float, TableFacts | None]] = {}

    async def of(self, relation: Relation, roles: frozenset[str], xids: Iterable[int]) -> TableFacts | None:
        """The facts about `relation` for `roles`, with what the transactions `xids` did to it; None once it is gone.

        Raises StillInvisible, and what `fetch` raises.
        """
        now = self._clock.monotonic()
        known = self._known.get(relation.oid)
        if known is not None and known[0] is relation and roles <= known[1] and now - known[2] < self.MAX_AGE:
            return known[3]
        await await_visible(self._catalog, xids)
        facts = await self._catalog.table_facts(relation.oid, roles)
        self._known[relation.oid] = relation, roles, now, facts
        return facts
