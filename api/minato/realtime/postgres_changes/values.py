"""Row values as JSON: `to_jsonb(value::type)`, asked of the database, so that every type looks as it does elsewhere.

One statement per table and batch. Values stay JSON text from here to the client: numbers keep their digits.
"""

from __future__ import annotations

from collections.abc import Sequence

from minato.database.identifiers import quote_identifier
from minato.realtime.change_feed.base import Row
from minato.realtime.postgres_changes.catalog import Catalog, ColumnFacts, TableFacts

JsonRow = dict[str, bytes]
"""Column name → its value as JSON text."""

NULL = b"null"
# wal2json, which the reference reads, has no word for these and writes null.
NOT_FINITE = frozenset(("NaN", "Infinity", "-Infinity"))
FLOATING = frozenset(("float4", "float8", "numeric"))


async def render_rows(catalog: Catalog, facts: TableFacts, rows: Sequence[Row]) -> list[JsonRow]:
    """The rows with JSON values; columns that the table no longer has are left out. Raises what `fetch` raises."""
    columns = [column for name, column in facts.columns.items() if any(name in row for row in rows)]
    if not columns:
        return [{} for _ in rows]
    texts = [[_input(column, row.get(column.name)) for row in rows] for column in columns]
    rendered = await catalog.fetch(_statement(columns), *texts)
    return [
        {
            column.name: NULL if value is None else value.encode()
            for column, value in zip(columns, record["values"], strict=True)
            if column.name in row
        }
        for row, record in zip(rows, rendered, strict=True)
    ]


def _statement(columns: Sequence[ColumnFacts]) -> str:
    arrays = ", ".join(f"${i}::text[]" for i in range(1, len(columns) + 1))
    names = ", ".join(quote_identifier(f"c{i}") for i in range(1, len(columns) + 1))
    values = ", ".join(f"to_jsonb(c{i}::{_cast(column)})::text" for i, column in enumerate(columns, 1))
    return f"select array[{values}] as values from unnest({arrays}) with ordinality as row({names}, n) order by n"


def _cast(column: ColumnFacts) -> str:
    return "text" if column.base_name == "bytea" else column.cast_type


def _input(column: ColumnFacts, text: str | None) -> str | None:
    if text is None or (column.base_name in FLOATING and text in NOT_FINITE):
        return None
    # The reference shows bytea without its \x, because wal2json writes it so.
    return text.removeprefix("\\x") if column.base_name == "bytea" else text
