"""Runs the statement of one request as its caller: the only place that waits for the database.

Settings and statement go out in one flush and are one implicit transaction, committed before we read its end. Only
what may still be refused when its result is known (PUT, single objects, max-affected), another isolation than read
committed, or a rollback needs a BEGIN of its own and a second round trip.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import orjson

from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.causes import OWN_ID, Causes, Write
from minato.database.wire.messages import BINARY, TEXT, Row, formats
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command, Session, StatementError
from minato.database.wire.stream import RowStream
from minato.rest.errors import RestError
from minato.rest.result import QueryResult
from minato.rest.sql.statement import Statement
from minato.rest.sqlstate import RETRY_AFTER, database_error

ROW_FORMATS = formats(*[TEXT] * 6, BINARY)
COMMIT, ROLLBACK = Command("COMMIT"), Command("ROLLBACK")
CHECK_CONSTRAINTS = Command("SET CONSTRAINTS ALL IMMEDIATE")


class Transaction(NamedTuple):
    """How to run a statement, behind the `prelude` that makes its settings.

    `check` may refuse the result; `begin` is None for an implicit transaction.

    `hook` is the SQL of the pre-request function, if there is one. What only reads `streams`: nothing of it can fail
    any more once its row begins to arrive. `holder` is whose share of the sessions it counts to.
    `subject` is who reads and `writes`, for a replica; `replicable` is what one may run, which a failing `guard` keeps
    it from.
    """

    prelude: Command
    role: str
    authenticated: bool
    check: Callable[[QueryResult], None]
    begin: str | None = None
    commits: bool = True
    hook: str | None = None
    streams: bool = False
    holder: str | None = None
    subject: str = ""
    writes: bool = False
    replicable: bool = False
    guard: Command | None = None


class Server(Protocol):
    """The primary, or a replica."""

    @property
    def sessions(self) -> SessionPool: ...


class Executor:
    """Runs transactions on the sessions of `authenticator` at `database`."""

    def __init__(self, database: Server, acquire_timeout: float, causes: Causes | None = None) -> None:
        self._database = database
        self._causes = causes
        self._acquire_timeout = acquire_timeout

    async def run(self, transaction: Transaction, statement: Statement) -> QueryResult:
        """The result of `statement`, after its transaction has ended. Raises RestError."""
        try:
            session = await self._database.sessions.acquire(
                self._acquire_timeout, in_turn=transaction.streams, holder=transaction.holder
            )
        except TimeoutError:
            raise none_free() from None
        except CONNECTION_ERRORS as error:
            raise RestError(503, "PGRST000", "Database connection error.", str(error), headers=[RETRY_AFTER]) from None
        try:
            if self._causes is not None and self._causes.on and transaction.writes:
                with self._causes.write() as write:
                    return await self._run_on(session, transaction, statement, write)
            return await self._run_on(session, transaction, statement)
        except StatementError as error:
            raise _translated(error, transaction.authenticated) from None
        except OSError as error:
            raise lost(error) from None

    async def _run_on(
        self, session: Session, transaction: Transaction, statement: Statement, write: Write | None = None
    ) -> QueryResult:
        """Run it and give `session` back; a result that still arrives gives it back at its end."""
        pool = self._database.sessions
        try:
            if transaction.begin is None:
                streams = transaction.streams and statement.estimate is None and not statement.explains
                commands = _commands(transaction, statement)
                if write is None:
                    results = await session.run(commands, streams=streams)
                else:
                    *results, own = await session.run([*commands, OWN_ID])
                    write.told(own)
                result = _result(statement, results, session.stream)
                transaction.check(result)
            else:
                result = await _run_in_block(session, transaction, statement, write)
        except (StatementError, RestError, OSError):
            _drop(session, pool) if session.stream else pool.release(session)
            raise
        except BaseException:
            # The caller has left, or we don't know what the session is doing.
            _drop(session, pool)
            raise
        if session.stream is None:
            pool.release(session)
        else:
            session.stream.when_free(lambda came: pool.release(session) if came else pool.discard(session))
        return result


def none_free() -> RestError:
    """No session was to be had in time."""
    return RestError(504, "PGRST003", "Timed out acquiring connection from connection pool.")


def lost(error: Exception) -> RestError:
    """The session ended before the answer was complete."""
    message = "Database client error. Retrying the connection."
    return RestError(503, "PGRST001", message, str(error), headers=[RETRY_AFTER])


def _drop(session: Session, pool: SessionPool) -> None:
    if session.stream is not None:
        session.stream.close()
    pool.discard(session)


async def _run_in_block(
    session: Session, transaction: Transaction, statement: Statement, write: Write | None
) -> QueryResult:
    try:
        result = _result(statement, await session.run(_commands(transaction, statement), reset=False))
        transaction.check(result)
        if not transaction.commits:
            # Deferred constraints are still reported.
            await session.run([CHECK_CONSTRAINTS], reset=False)
    except (StatementError, RestError):
        if not session.closed:
            await session.run([ROLLBACK])
        raise
    if write is None or not transaction.commits:
        await session.run([COMMIT if transaction.commits else ROLLBACK])
    else:
        write.told((await session.run([OWN_ID, COMMIT]))[0])
    return result


def _commands(transaction: Transaction, statement: Statement) -> list[Command]:
    """Everything that one flush holds; the statement and its estimate come last."""
    scope = transaction.role
    commands = [Command(transaction.begin)] if transaction.begin is not None else []
    if transaction.guard is not None:
        commands.append(transaction.guard)
    commands.append(transaction.prelude)
    if transaction.hook is not None:
        commands.append(Command(transaction.hook, scope=scope))
    if statement.explains:
        commands.append(Command(statement.text, statement.values, scope))
    else:
        commands.append(Command(statement.text, statement.values, scope, ROW_FORMATS))
    if statement.estimate is not None:
        commands.append(Command(statement.estimate.text, statement.estimate.values, scope))
    return commands


def _result(statement: Statement, results: list[list[Row]], stream: RowStream | None = None) -> QueryResult:
    if statement.explains:
        return QueryResult(body=b"\n".join(line[0] or b"" for line in results[-1]))
    if statement.estimate is None:
        result = _from_row(results[-1])
        return result if stream is None else result._replace(body=stream)
    result = _from_row(results[-2])
    return result._replace(total=_estimated(results[-1], statement.estimate, result.total))


def _from_row(rows: list[Row]) -> QueryResult:
    if not rows:
        return QueryResult(body=b"null")
    total, page_total, headers, status, location, inserted, body = rows[0]
    return QueryResult(
        total=None if total is None else int(total),
        page_total=int(page_total or 0),
        body=body or b"",
        response_headers=None if headers is None else headers.decode(),
        response_status=None if status is None else status.decode(),
        location=() if location is None else tuple(orjson.loads(location)),
        inserted=None if inserted is None else int(inserted),
    )


def _estimated(explained: list[Row], estimate: Statement, counted: int | None) -> int | None:
    """The planner's number of rows; a count that stayed below its cap is better."""
    if counted is not None and estimate.exact_up_to is not None and counted <= estimate.exact_up_to:
        return counted
    rows = int(orjson.loads(explained[0][0] or b"")[0]["Plan"]["Plan Rows"])
    return rows if counted is None else max(rows, counted)


def _translated(error: StatementError, authenticated: bool) -> RestError:
    return database_error(error.fields, authenticated)
