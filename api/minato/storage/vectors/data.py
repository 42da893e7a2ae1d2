"""Queries on the vectors of an index. Names come from its row, everything else is a parameter."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.storage.vectors.errors import invalid, not_found
from minato.storage.vectors.filters import as_sql
from minato.storage.vectors.indexes import DISTANCES, VectorIndex
from minato.storage.vectors.requests import NO_DIRECTION, Record, Shown, Sought, VectorPage

# Bytes of a page of vectors and metadata, as text. A page that would be larger ends before, with a token; Amazon's end
# at one million.
PAGE_BYTES = 8 * 1024 * 1024
UNDEFINED_TABLE, CHECK_VIOLATION, OF_PGVECTOR = "42P01", "23514", "22000"


@dataclass(frozen=True, slots=True)
class Found:
    """A vector: `embedding` and `metadata` are JSON, None where they were not asked for."""

    key: str
    embedding: str | None
    metadata: str | None
    distance: float | None = None


@asynccontextmanager
async def of_index(name: str) -> AsyncIterator[None]:
    """What PostgreSQL refuses in the block is a refusal of the index `name`."""
    try:
        yield
    except DBAPIError as error:
        state = getattr(error.orig, "sqlstate", None)
        if state == UNDEFINED_TABLE:
            # The index was deleted since its row was read.
            raise not_found(name) from None
        if state == CHECK_VIOLATION:
            raise invalid(f"Invalid record: {NO_DIRECTION}") from None
        if state == OF_PGVECTOR:
            raise invalid(f"The vectors of index {name} can't be compared with this one") from None
        raise


async def put_vectors(connection: AsyncConnection, index: VectorIndex, pgvector: str, records: list[Record]) -> None:
    """Store the vectors; those of the same keys are replaced, metadata and all."""
    statement = f"""
        insert into {index.table} (key, embedding, metadata)
        select given.key, given.embedding::{pgvector}.vector({index.dimension}), given.metadata::jsonb
        from unnest($1::text[], $2::text[], $3::text[]) as given (key, embedding, metadata)
        on conflict (key) do update set embedding = excluded.embedding, metadata = excluded.metadata
    """
    keys, embeddings = [record.key for record in records], [record.embedding for record in records]
    values = (keys, embeddings, [record.metadata for record in records])
    async with of_index(index.name):
        await connection.exec_driver_sql(statement, values)


async def get_vectors(connection: AsyncConnection, index: VectorIndex, keys: list[str], shown: Shown) -> list[Found]:
    """The vectors of these keys that are there, in the order in which they were asked for, each once."""
    statement = f"select {_columns(shown)} from {index.table} where key = any ($1::text[])"
    async with of_index(index.name):
        rows = await connection.exec_driver_sql(statement, (keys,))
    found = {row.key: Found(row.key, row.embedding, row.metadata) for row in rows}
    return [found[key] for key in dict.fromkeys(keys) if key in found]


async def delete_vectors(connection: AsyncConnection, index: VectorIndex, keys: list[str]) -> None:
    """Delete the vectors of these keys; those that are not there are no error.

    Rows are locked in the order of a put, so that the two never wait for each other.
    """
    locked = f"select key from {index.table} where key = any ($1::text[]) order by key for update"
    async with of_index(index.name):
        await connection.exec_driver_sql(f"delete from {index.table} where key in ({locked})", (keys,))


async def list_vectors(
    connection: AsyncConnection, index: VectorIndex, page: VectorPage, shown: Shown
) -> tuple[list[Found], bool]:
    """The vectors of a page by key, and whether there are more. A page ends early where it becomes too large."""
    weights = [f"octet_length(page.{name})" for name, asked in _asked(shown).items() if asked]
    statement = f"""
        with page as materialized (
            select {_columns(shown)} from {index.table}
            where key > $1 and mod(abs(hashtext(key)::bigint), $2::bigint) = $3::bigint
            order by key limit $4
        )
        select * from (
            select *, sum({" + ".join(weights) or "0"}) over sofar as weight,
                row_number() over sofar as number, count(*) over () as total
            from page window sofar as (order by key rows unbounded preceding)
        ) weighed
        where number = 1 or weight <= $5 order by key
    """
    values = (page.after, page.segments, page.segment, page.limit + 1, PAGE_BYTES)
    async with of_index(index.name):
        rows = (await connection.exec_driver_sql(statement, values)).all()
    shown_rows = rows[: page.limit]
    more = bool(rows) and rows[0].total > len(shown_rows)
    return [Found(row.key, row.embedding, row.metadata) for row in shown_rows], more


async def query_vectors(
    connection: AsyncConnection, index: VectorIndex, pgvector: str, sought: Sought, shown: Shown
) -> list[Found]:
    """The nearest vectors that fit the filter, with their distances: every one is looked at, so none is missed."""
    values: list[object] = [sought.embedding, sought.nearest]
    fits = as_sql(sought.filter, "metadata", values) if sought.filter is not None else "true"
    # Read once, not for each row.
    statement = f"""
        with given as materialized (select $1::text::{pgvector}.vector as sought)
        select {_columns(shown)}, embedding operator({pgvector}.{DISTANCES[index.metric]}) sought as distance
        from {index.table}, given where {fits}
        order by distance, key limit $2
    """
    async with of_index(index.name):
        rows = await connection.exec_driver_sql(statement, tuple(values))
    return [Found(row.key, row.embedding, row.metadata, row.distance) for row in rows]


def _asked(shown: Shown) -> dict[str, bool]:
    return {"embedding": shown.data, "metadata": shown.metadata}


def _columns(shown: Shown) -> str:
    """As text; a vector is written as JSON writes a list."""
    told = [f"{name}::text" if asked else f"null::text as {name}" for name, asked in _asked(shown).items()]
    return ", ".join(["key", *told])
