"""Which rows of a batch fit the patterns of clients, which may take PostgreSQL as long as a client likes.

How long one takes may tell what a row says, so it is tried on rows alone that whoever asked may see. All are tried at
once; where that takes too long, each alone. The changes of everybody wait meanwhile, so a caller of whom some took too
long has no more of them tried.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import asyncpg

from minato.realtime.change_feed.base import Row
from minato.realtime.postgres_changes.catalog import Catalog, TableFacts
from minato.realtime.postgres_changes.matching import Matches, match_group
from minato.realtime.postgres_changes.parameters import Filter

TOO_SLOW: Final = frozenset({-1})
"""In place of indexes: PostgreSQL took too long with it, or with others of the same caller."""
MOST_SLOW: Final = 3


@dataclass
class Asked:
    """Of one pattern: the indexes of the rows it is tried on, and who wants to know."""

    rows: set[int] = field(default_factory=set)
    callers: set[str] = field(default_factory=set)


class Patterns:
    """Those that are `asked` of one table's `rows`."""

    def __init__(self, catalog: Catalog, facts: TableFacts, rows: Sequence[Row], asked: Mapping[Filter, Asked]) -> None:
        self._catalog = catalog
        self._facts = facts
        self._rows = rows
        self._asked = asked
        self._slow: Counter[str] = Counter()

    async def match(self) -> Matches:
        """The rows each holds for, or TOO_SLOW. One that the table can't answer any more holds for none."""
        groups: dict[tuple[str, str, bool, frozenset[int]], list[Filter]] = defaultdict(list)
        for pattern, asked in self._asked.items():
            groups[pattern.column, pattern.operator, pattern.negated, frozenset(asked.rows)].append(pattern)
        matches: Matches = {}
        for (*_, indexes), group in groups.items():
            matches |= await self._tried(indexes, group)
        return matches

    async def _tried(self, indexes: Collection[int], group: Sequence[Filter]) -> Matches:
        left = [pattern for pattern in group if not self._is_given_up(pattern)]
        matches: Matches = dict.fromkeys(set(group).difference(left), TOO_SLOW)
        if not left:
            return matches
        rows = {index: self._rows[index] for index in sorted(indexes)}
        try:
            column = self._facts.columns.get(left[0].column)
            return matches | await match_group(self._catalog.fetch_by_pattern, column, rows, left)
        except asyncpg.QueryCanceledError:
            if len(left) == 1:
                self._slow.update(self._asked[left[0]].callers)
                return matches | {left[0]: TOO_SLOW}
        for pattern in left:
            matches |= await self._tried(indexes, [pattern])
        return matches

    def _is_given_up(self, pattern: Filter) -> bool:
        return all(self._slow[caller] >= MOST_SLOW for caller in self._asked[pattern].callers)
