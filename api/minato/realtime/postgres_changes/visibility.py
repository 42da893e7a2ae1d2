"""Who may see a changed row: the table's policies, asked as the subscriber, for many rows and subscribers at once.

Subscribers with the same role and claims share one check. It is against the table as it is now, not as it was at the
commit, as in the reference (`apply_rls`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from minato.database.as_caller import setting_calls
from minato.database.database import Database
from minato.database.identifiers import array_literal, quote_identifier, quote_qualified
from minato.database.wire.messages import Row as WireRow
from minato.database.wire.pool import ROLLBACK, SessionPool
from minato.database.wire.session import BEGIN, Command, Session, StatementError
from minato.realtime.change_feed.base import Relation, Row
from minato.realtime.postgres_changes.catalog import Catalog, ColumnFacts
from minato.realtime.postgres_changes.snapshot import SNAPSHOT, Waiting, await_visible
from minato.tokens.caller import Caller

# Checks share the sessions of the data API, so they may not take all of them.
CONCURRENT_CHECKS = 4
# Classes of SQLSTATE that say nothing of the row: no connection, a session in the wrong state, a conflict, no
# resources, a lock not had, stopped, a broken system.
CANT_ASK = ("08", "25", "26", "40", "53", "55", "57", "58", "XX")
# A policy that raises for one row is asked about the others; one that raises for all must not hold up everybody.
MAX_RAISING_ROWS = 8


@dataclass(frozen=True, slots=True)
class RowCheck:
    """Which rows of a table, by their index in a batch, `caller` may see, is asked: by the table's key."""

    relation: Relation
    key: Sequence[ColumnFacts]
    rows: dict[int, Row]
    caller: Caller


class PolicyKeepsRaising(Exception):
    """Too many rows of a batch made the policies raise; it is not known who may see the rest."""


class Visibility:
    """Asks policies. `timeout` in seconds bounds one check, so a slow policy holds nobody up for long."""

    def __init__(self, database: Database, catalog: Catalog, timeout: float, log: structlog.stdlib.BoundLogger) -> None:
        self._database = database
        self._catalog = catalog
        self._timeout = timeout
        self._log = log
        self._slots = asyncio.Semaphore(CONCURRENT_CHECKS)
        self._releasing: set[asyncio.Future[object]] = set()

    async def visible(self, check: RowCheck, xids: frozenset[int]) -> frozenset[int]:
        """The indexes of the rows its caller may see, now that the transactions `xids` are over for everybody.

        A policy that raises hides the row it raised for. Raises PolicyKeepsRaising, StillInvisible, and StatementError
        or DATABASE_ERRORS when the database can't be asked.
        """
        try:
            return await self._visible(check, xids)
        except StatementError as error:
            if error.sqlstate.startswith(CANT_ASK):
                raise
            table, role = check.relation.table, check.caller.role
            self._log.info("row check refused", table=table, role=role, sqlstate=error.sqlstate)
        # Perhaps it raised only for want of what these transactions wrote.
        await await_visible(self._catalog, xids)
        return await self._one_by_one(check)

    async def _one_by_one(self, check: RowCheck) -> frozenset[int]:
        seen: set[int] = set()
        raised = 0
        for index, row in check.rows.items():
            try:
                seen |= await self._visible(replace(check, rows={index: row}), frozenset())
            except StatementError as error:
                if error.sqlstate.startswith(CANT_ASK):
                    raise
                raised += 1
                if raised >= MAX_RAISING_ROWS:
                    raise PolicyKeepsRaising from error
        return frozenset(seen)

    async def _visible(self, check: RowCheck, xids: frozenset[int]) -> frozenset[int]:
        key, rows = check.key, check.rows
        keys = [array_literal(row.get(column.name) for row in rows.values()) for column in key]
        values, waiting = [*keys, array_literal(map(str, rows))], Waiting(xids)
        while True:
            snapshot, found = await self._ask(_statement(check.relation, key), values, check.caller)
            if await waiting.is_over(snapshot):
                return frozenset(int(index) for (index,) in found if index is not None)

    async def _ask(self, statement: str, values: Sequence[str], caller: Caller) -> tuple[str, list[WireRow]]:
        """A snapshot, and the rows of a statement that sees at least as much, run as `caller` in one flush."""
        asking = [BEGIN, self._as(caller), Command(statement, values, caller.role), ROLLBACK]
        pool = self._database.sessions
        async with self._slots:
            session = await pool.acquire(self._timeout)
            try:
                _, ((*_, snapshot),), found, _ = await session.run(asking, reset=False)
            except asyncio.CancelledError:
                pool.discard(session)
                raise
            except BaseException:
                # Nobody needs to wait until the failed transaction is over.
                self._keep(asyncio.ensure_future(_give_back(pool, session)))
                raise
            pool.release(session)
            return (snapshot or b"").decode(), found

    def _as(self, caller: Caller) -> Command:
        """Sets who asks. Its snapshot is older than that of the check behind it: what it shows, the check sees."""
        timeout = str(int(self._timeout * 1000))
        settings = [("role", caller.role), ("request.jwt.claims", caller.claims_json), ("statement_timeout", timeout)]
        calls, values = setting_calls(settings)
        return Command(f"select {calls}, {SNAPSHOT}", values)

    def _keep(self, task: asyncio.Future[object]) -> None:
        self._releasing.add(task)
        task.add_done_callback(self._released)

    def _released(self, task: asyncio.Future[object]) -> None:
        self._releasing.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._log.info("a connection was lost after a row check", error=type(task.exception()).__name__)


async def _give_back(pool: SessionPool, session: Session) -> None:
    try:
        await session.run([ROLLBACK])
    finally:
        pool.release(session)


def _statement(relation: Relation, key: Sequence[ColumnFacts]) -> str:
    """The indexes of the keys for which a row exists, as seen by whoever asks.

    A scalar subquery, and not `exists`, which may become a join: then policies would run on rows nobody asked about.
    So they would where PostgreSQL 15 finds the cast beside the comparison: casts are not leakproof, and what is not has
    to come after the policies, so that no index finds the row. `offset 0` keeps the cast outside.
    """
    arrays = ", ".join(f"${i}::text[]" for i in range(1, len(key) + 1))
    names = ", ".join(f"k{i}" for i in range(1, len(key) + 1))
    cast = ", ".join(f"k{i}::{column.cast_type} as k{i}" for i, column in enumerate(key, 1))
    same = " and ".join(f"t.{quote_identifier(column.name)} = asked.k{i}" for i, column in enumerate(key, 1))
    return (
        f"select asked.i from (select {cast}, i from unnest({arrays}, ${len(key) + 1}::int[]) as given({names}, i) "
        f"offset 0) as asked "
        f"where (select true from {quote_qualified(relation.schema, relation.table)} as t where {same} limit 1)"
    )
