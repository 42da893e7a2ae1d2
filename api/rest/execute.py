"""Runs the statement of one request as its caller: the only place that waits for the database.

One transaction: BEGIN with all settings in one round trip, the statement, COMMIT. The statement is prepared once per
role and connection, as a plan shared by two roles would be made anew at every change between them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import asyncpg
import orjson

from api.database.database import Database
from api.rest.errors import RestError
from api.rest.result import QueryResult
from api.rest.sql.statement import Statement
from api.rest.sql.transaction import end
from api.rest.sqlstate import database_error

RETRY_AFTER = ("Retry-After", "1")


@dataclass(frozen=True)
class Transaction:
    """How to run a statement. `check` may refuse the result, which rolls everything back."""

    begin: str
    role: str
    authenticated: bool
    commits: bool
    check: Callable[[QueryResult], None]


class Executor:
    """Runs transactions on the request pool."""

    def __init__(self, database: Database, acquire_timeout: float) -> None:
        self._database = database
        self._acquire_timeout = acquire_timeout
        self._releases: set[asyncio.Task[None]] = set()

    async def run(self, transaction: Transaction, statement: Statement) -> QueryResult:
        """The result of `statement`, after its transaction has ended. Raises RestError."""
        try:
            async with self._connection() as connection:
                return await _run(connection, transaction, statement)
        except asyncpg.PostgresError as error:
            raise _translated(error, transaction.authenticated) from None
        except (asyncpg.InterfaceError, OSError) as error:
            message = "Database client error. Retrying the connection."
            raise RestError(503, "PGRST001", message, str(error), headers=[RETRY_AFTER]) from None

    async def drain(self) -> None:
        """Wait until every connection is back in the pool."""
        await asyncio.gather(*self._releases, return_exceptions=True)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        pool = self._database.requests
        try:
            connection = await pool.acquire(timeout=self._acquire_timeout)
        except TimeoutError:
            raise RestError(504, "PGRST003", "Timed out acquiring connection from connection pool.") from None
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise RestError(503, "PGRST000", "Database connection error.", str(error), headers=[RETRY_AFTER]) from None
        try:
            yield connection
        finally:
            # The answer does not wait for the reset that keeps one caller's session from the next.
            release = asyncio.create_task(pool.release(connection))
            self._releases.add(release)
            release.add_done_callback(self._releases.discard)


async def _run(connection: Any, transaction: Transaction, statement: Statement) -> QueryResult:
    try:
        await connection.execute(transaction.begin)
        result = await _result_of(connection, transaction.role, statement)
        if statement.estimate is not None:
            result = replace(result, total=await _estimated(connection, statement.estimate, result.total))
        if not statement.explains:
            transaction.check(result)
        await connection.execute(end(transaction.commits))
    except (asyncpg.PostgresError, RestError):
        await connection.execute("ROLLBACK")
        raise
    return result


async def _result_of(connection: Any, role: str, statement: Statement) -> QueryResult:
    text = _prepared_text(statement.text, role)
    if statement.explains:
        lines = await connection.fetch(text, *statement.values)
        return QueryResult(body="\n".join(line[0] for line in lines).encode())
    return _result(await connection.fetchrow(text, *statement.values))


def _prepared_text(text: str, role: str) -> str:
    """The text under which the statement is prepared: its own for each role."""
    return f"/* {role} */ {text}" if role.isidentifier() else f"/* {role.encode().hex()} */ {text}"


def _result(row: Any) -> QueryResult:
    if row is None:
        return QueryResult(body=b"null")
    total, page_total, body, headers, status, location, inserted = row
    return QueryResult(total, page_total, body, headers, status, tuple(location or ()), inserted)


async def _estimated(connection: Any, estimate: Statement, counted: int | None) -> int | None:
    """The planner's number of rows; a count that stayed below its cap is better."""
    if counted is not None and estimate.exact_up_to is not None and counted <= estimate.exact_up_to:
        return counted
    explained = orjson.loads(await connection.fetchval(estimate.text, *estimate.values))
    rows = int(explained[0]["Plan"]["Plan Rows"])
    return rows if counted is None else max(rows, counted)


def _translated(error: asyncpg.PostgresError, authenticated: bool) -> RestError:
    fields: Any = error
    message = fields.message or str(error)
    return database_error(fields.sqlstate or "XX000", message, fields.detail, fields.hint, authenticated)
