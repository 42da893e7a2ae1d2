"""Who may see a changed row: the table's policies, asked as the subscriber, for many rows and subscribers at once.

Subscribers with the same role and claims share one check. It is against the table as it is now, not as it was at the
commit, as in the reference (`apply_rls`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg
import structlog

from api.database.database import Database
from api.database.identifiers import quote_identifier, quote_qualified
from api.realtime.change_feed.base import Relation, Row
from api.realtime.postgres_changes.catalog import ColumnFacts
from api.tokens.caller import Caller

# Checks share the request pool, so they may not take all of it.
CONCURRENT_CHECKS = 4
CANT_ASK = (asyncpg.PostgresConnectionError, asyncpg.QueryCanceledError, asyncpg.OperatorInterventionError)
AS_CALLER = (
    "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), "
    "set_config('statement_timeout', $3, true)"
)
# A policy that raises for one row is asked about the others; one that raises for all must not hold up everybody.
MAX_RAISING_ROWS = 8


class PolicyKeepsRaising(Exception):
    """Too many rows of a batch made the policies raise; it is not known who may see the rest."""


class Visibility:
    """Asks policies. `timeout` in seconds bounds one check, so a slow policy holds nobody up for long."""

    def __init__(self, database: Database, timeout: float, log: structlog.stdlib.BoundLogger) -> None:
        self._database = database
        self._timeout = timeout
        self._log = log
        self._slots = asyncio.Semaphore(CONCURRENT_CHECKS)
        self._releasing: set[asyncio.Future[Any]] = set()

    async def visible(
        self, relation: Relation, key: Sequence[ColumnFacts], rows: dict[int, Row], caller: Caller
    ) -> frozenset[int]:
        """The indexes of the rows `caller` may see now.

        A policy that raises hides the row it raised for. Raises PolicyKeepsRaising, and DATABASE_ERRORS when the
        database can't be asked.
        """
        try:
            return await self._visible(relation, key, rows, caller)
        except CANT_ASK:
            raise
        except asyncpg.PostgresError as error:
            self._log.info("row check refused", table=relation.table, role=caller.role, sqlstate=error.sqlstate)
            return await self._one_by_one(relation, key, rows, caller) if len(rows) > 1 else frozenset()

    async def _one_by_one(
        self, relation: Relation, key: Sequence[ColumnFacts], rows: dict[int, Row], caller: Caller
    ) -> frozenset[int]:
        seen: set[int] = set()
        raised = 0
        for index, row in rows.items():
            try:
                seen |= await self._visible(relation, key, {index: row}, caller)
            except CANT_ASK:
                raise
            except asyncpg.PostgresError as error:
                raised += 1
                if raised >= MAX_RAISING_ROWS:
                    raise PolicyKeepsRaising from error
        return frozenset(seen)

    async def _visible(
        self, relation: Relation, key: Sequence[ColumnFacts], rows: dict[int, Row], caller: Caller
    ) -> frozenset[int]:
        indexes = list(rows)
        keys = [[rows[index].get(column.name) for index in indexes] for column in key]
        found = await self._ask(_statement(relation, key), [*keys, indexes], caller)
        return frozenset(record["i"] for record in found)

    async def _ask(self, statement: str, values: Sequence[Any], caller: Caller) -> list[asyncpg.Record]:
        milliseconds = str(int(self._timeout * 1000))
        pool = self._database.requests
        async with self._slots:
            connection = await pool.acquire(timeout=self._timeout)
            try:
                await connection.execute("begin")
                await connection.execute(AS_CALLER, caller.role, caller.claims_json, milliseconds)
                rows: list[asyncpg.Record] = await connection.fetch(statement, *values)
                return rows
            finally:
                # Nobody needs to wait until the transaction is over and the connection clean.
                self._keep(asyncio.ensure_future(_give_back(pool, connection)))

    def _keep(self, task: asyncio.Future[Any]) -> None:
        self._releasing.add(task)
        task.add_done_callback(self._released)

    def _released(self, task: asyncio.Future[Any]) -> None:
        self._releasing.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._log.info("a connection was lost after a row check", error=type(task.exception()).__name__)


async def _give_back(pool: Any, connection: Any) -> None:
    try:
        await connection.execute("rollback")
    finally:
        await pool.release(connection)


def _statement(relation: Relation, key: Sequence[ColumnFacts]) -> str:
    """The indexes of the keys for which a row exists, as seen by whoever asks.

    A scalar subquery, and not `exists`, which may become a join: then policies would run on rows nobody asked about.
    """
    arrays = ", ".join(f"${i}::text[]" for i in range(1, len(key) + 1))
    names = ", ".join(f"k{i}" for i in range(1, len(key) + 1))
    same = " and ".join(
        f"t.{quote_identifier(column.name)} = asked.k{i}::{column.cast_type}" for i, column in enumerate(key, 1)
    )
    return (
        f"select asked.i from unnest({arrays}, ${len(key) + 1}::int[]) as asked({names}, i) "
        f"where (select true from {quote_qualified(relation.schema, relation.table)} as t where {same} limit 1)"
    )
