"""Facts about the tables of the feed: changes that come fast share them.

They are kept for a second at most, and no longer than the log describes the table anew, which it does after every DDL,
GRANT and REVOKE on it: those hold for the next change.
"""

from __future__ import annotations

from collections.abc import Iterable

from minato.clock import Clock
from minato.realtime.change_feed.base import Relation
from minato.realtime.postgres_changes.catalog import Catalog, TableFacts
from minato.realtime.postgres_changes.snapshot import await_visible


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
