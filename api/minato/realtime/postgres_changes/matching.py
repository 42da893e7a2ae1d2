"""Which rows of a batch fit which filters: every comparison is PostgreSQL's own, with the column's type.

Filters of the same column and operator are answered by one statement, however many subscribers have them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import asyncpg
from sqlalchemy import RowMapping

from minato.realtime.change_feed.base import Row
from minato.realtime.postgres_changes.catalog import Catalog, ColumnFacts, TableFacts
from minato.realtime.postgres_changes.parameters import Filter

Matches = dict[Filter, frozenset[int]]
"""Filter → the indexes of the rows it holds for."""

Fetch = Callable[..., Awaitable[Sequence[RowMapping]]]
"""Runs a statement with its values."""

SYMBOLS = {
    "eq": "=", "neq": "<>", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=",
    "like": "like", "ilike": "ilike", "match": "~", "imatch": "~*",
}  # fmt: skip
KEYWORDS = {"null": "null", "true": "true", "false": "false", "unknown": "unknown"}


async def match_filters(catalog: Catalog, facts: TableFacts, rows: Sequence[Row], filters: Iterable[Filter]) -> Matches:
    """The rows each filter holds for. A filter the table can't answer any more holds for none."""
    groups: dict[tuple[str, str, bool, str], list[Filter]] = defaultdict(list)
    for condition in set(filters):
        keyword = condition.value if condition.operator == "is" else ""
        groups[condition.column, condition.operator, condition.negated, keyword].append(condition)
    matches: Matches = {}
    for group in groups.values():
        matches |= await match_group(catalog.fetch, facts.columns.get(group[0].column), dict(enumerate(rows)), group)
    return matches


async def match_group(
    fetch: Fetch, column: ColumnFacts | None, rows: Mapping[int, Row], group: Sequence[Filter]
) -> Matches:
    """The same of filters that differ in their values alone."""
    if column is None:
        return {}
    present = [(index, row[column.name]) for index, row in rows.items() if column.name in row]
    try:
        found = await fetch(
            _statement(group[0], column), [v for _, v in present], [i for i, _ in present], [f.value for f in group]
        )
    except (asyncpg.DataError, asyncpg.SyntaxOrAccessError):
        # A value that no longer fits its column, after an ALTER TABLE: only the filter it belongs to suffers.
        if len(group) == 1:
            return {}
        return {f: hit for one in group for f, hit in (await match_group(fetch, column, rows, [one])).items()}
    hits: dict[int, set[int]] = defaultdict(set)
    for record in found:
        hits[record["filter"] - 1].add(record["row"])
    return {condition: frozenset(hits[index]) for index, condition in enumerate(group)}


def _statement(condition: Filter, column: ColumnFacts) -> str:
    return (
        "select r.i as row, f.n as filter from unnest($1::text[], $2::int[]) as r(v, i), "
        f"unnest($3::text[]) with ordinality as f(v, n) where {build_comparison(condition, column.cast_type)}"
    )


def build_comparison(condition: Filter, cast_type: str) -> str:
    """The SQL that holds when row value `r.v` fits filter value `f.v`, both text.

    >>> build_comparison(Filter("price", "gt", "10", negated=True), "pg_catalog.int4")
    'not (r.v::pg_catalog.int4 > f.v::pg_catalog.int4)'
    """
    left, right = f"r.v::{cast_type}", f"f.v::{cast_type}"
    not_ = "not " if condition.negated else ""
    match condition.operator:
        case "is":
            return f"{left} is {not_}{KEYWORDS[condition.value]}"
        case "isdistinct":
            return f"{left} is {'not ' if condition.negated else ''}distinct from {right}"
        case "in":
            return f"{not_}({left} = any ({right}[]))"
        case operator:
            return f"{not_}({left} {SYMBOLS[operator]} {right})"
