"""SQLAlchemy engines for our own services: each session is one role's, and forgets what user code left in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import await_only

from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress, login_of
from minato.database.as_caller import FORGET, Setting, set_locally
from minato.database.outage import CONNECTION_ERRORS
from minato.database.silence import OF_SERVER
from minato.tokens.caller import SERVICE_ROLE

AUTHENTICATOR = "authenticator"
# The login of the address itself, for what no service role may do. Its sessions print values as change feeds do.
OWNER = "owner"
# A function of the project's that fits better than the one that is meant would run as the superuser.
CATALOGUE_ALONE = {"search_path": "pg_catalog, pg_temp"}
# Not what is set for the login of requests, nor for that of a service elsewhere.
AS_A_SERVICE = {
    **{"search_path": '"$user", public, auth, extensions', "statement_timeout": "0", "lock_timeout": "0"},
    "idle_in_transaction_session_timeout": "0",
}
PLAIN_TEXT = {"datestyle": "ISO", "intervalstyle": "postgres", "statement_timeout": "15s"}

# Triggers and policies are user code: what they set for the session must not reach the next request. Sessions of a
# service begin with its role, which the first part takes away.
RESET = f"{FORGET};RESET ROLE"
Connect = Callable[..., Awaitable[asyncpg.Connection]]
After = Callable[[bool], Awaitable[None]]
# Where a session keeps that it wrote, until it comes back.
WROTE, ERA = "minato wrote", "minato era"
# No number of an era: a session is not used again.
ENDED = -1
# One that says no goodbye by then is cut off.
CLOSE_SECONDS = 2.0


# What using an engine raises beside DatabaseUnreachable: a statement failed, or no session was free in time.
ENGINE_ERRORS = (DBAPIError, PoolTimeout)


class DatabaseUnreachable(ConnectionError):
    """No connection could be opened; nothing was done."""


@dataclass
class Era:
    """Sessions of a former `number` are not used again."""

    number: int = 0


class IdleSessions:
    """Those of an engine that lie in its pool. `dispose` would lose sight of the others: nobody could wait for them."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._records: set[ConnectionPoolEntry] = set()
        event.listen(engine.sync_engine, "checkout", self._left, insert=True)
        event.listen(engine.sync_engine, "checkin", self._came_back)

    async def close(self) -> None:
        """Whoever asks next gets a new one, also while those of before still end: the pool may lend them meanwhile."""
        while self._records:
            record = self._records.pop()
            record.info[ERA] = ENDED
            session = record.driver_connection
            if session is not None:
                with suppress(*CONNECTION_ERRORS):
                    await session.close(timeout=CLOSE_SECONDS)

    def _left(self, _connection: object, record: ConnectionPoolEntry, _proxy: object) -> None:
        self._records.discard(record)

    def _came_back(self, _connection: object, record: ConnectionPoolEntry) -> None:
        self._records.add(record)


def open_engine(
    role: str,
    address: DatabaseAddress,
    settings: DatabaseSettings,
    connect: Connect,
    after: After | None = None,
    era: Era | None = None,
) -> AsyncEngine:
    """An engine whose sessions are `role`. Using it raises DatabaseUnreachable while PostgreSQL is away.

    `after` is called behind each commit of what wrote, before anybody is told of it; with False where the session was
    lost in it.
    """
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: _connect(role, address, connect),
        pool_size=settings.service_pool_size,
        max_overflow=0,
        pool_timeout=settings.pool_timeout,
        # An error that is logged would show them, password hashes and tokens among them.
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "checkout", partial(_require_usable, era or Era()))
    event.listen(engine.sync_engine, "reset", _forget)
    if after is not None:
        event.listen(engine.sync_engine, "commit", _notice)
        event.listen(engine.sync_engine, "reset", partial(_tell, after))
        event.listen(engine.sync_engine, "handle_error", partial(_doubt, after))
    return engine


def cause_of(error: DBAPIError) -> Exception:
    """What asyncpg raised, where SQLAlchemy's error tells less; `error` itself where there is nothing else."""
    cause = error.orig.__cause__ if error.orig is not None else None
    return cause if isinstance(cause, Exception) else error


def is_lost(error: BaseException) -> bool:
    """Whether `error` means that the connection, not the statement, failed."""
    return isinstance(error, DatabaseUnreachable) or (isinstance(error, DBAPIError) and error.connection_invalidated)


async def set_on(connection: AsyncConnection, settings: Iterable[Setting]) -> None:
    """Make `settings` hold until the transaction of `connection` ends, in one round trip."""
    statement, values = set_locally(settings)
    await connection.exec_driver_sql(statement, tuple(values))


@asynccontextmanager
async def caller_transaction(engine: AsyncEngine, settings: Iterable[Setting]) -> AsyncIterator[AsyncConnection]:
    """A transaction in which `settings` hold; committed at the end, rolled back by any exception.

    `engine` must be the one of `authenticator`: its sessions have no rights of their own to fall back to.
    """
    async with engine.begin() as connection:
        await set_on(connection, settings)
        yield connection


def _notice(connection: Any) -> None:
    """Runs before COMMIT. What only read has no transaction id."""
    wrote = connection.exec_driver_sql("select pg_catalog.pg_current_xact_id_if_assigned() is not null").scalar()
    connection.info[WROTE] = connection.info.get(WROTE) or wrote


def _tell(after: After, connection: Any, record: Any, _state: Any) -> None:
    """Runs when a session comes back to its pool, behind `_forget`."""
    if record.info.pop(WROTE, False):
        connection.run_async(lambda _: after(True))


def _doubt(after: After, context: ExceptionContext) -> None:
    """Runs when something failed. A session that is lost in a COMMIT may have made it."""
    connection = context.connection
    if context.is_disconnect and connection is not None and connection.info.pop(WROTE, False):
        await_only(after(False))


async def _connect(role: str, address: DatabaseAddress, connect: Connect) -> Any:
    url, settings = service_login(role, address)
    try:
        return await connect(url, server_settings=settings)
    except CONNECTION_ERRORS as error:
        raise DatabaseUnreachable(str(error)) from error


def service_login(role: str, address: DatabaseAddress) -> tuple[str, dict[str, str]]:
    """Where a session of `role` logs in, and what is set for it from the start.

    Triggers and policies of the project's run in the sessions of services, and SET ROLE asks who logged in. So on a
    server of ours no superuser did.
    """
    if role == AUTHENTICATOR:
        return address.authenticator, {"application_name": "minato"}
    named = {"application_name": f"minato {role}", **OF_SERVER}
    if role == OWNER:
        return address.admin, {**named, **PLAIN_TEXT, **CATALOGUE_ALONE}
    if not address.trusting:
        return address.admin, {**named, "role": role}
    if role == SERVICE_ROLE:
        return address.authenticator, {**named, **AS_A_SERVICE, "role": role}
    return login_of(address, role), {**named, **AS_A_SERVICE}


def _require_usable(era: Era, connection: Any, record: Any, _proxy: Any) -> None:
    """Runs when a session leaves its pool. The loop has heard of one that was closed, so no round trip asks for it."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError("PostgreSQL closed the connection")
    if record.info.setdefault(ERA, era.number) != era.number:
        raise DisconnectionError("the session is of a former era")


def _forget(connection: Any, _record: Any, state: Any) -> None:
    """Runs when a session comes back to its pool. One that only read, statement by statement, has nothing to forget."""
    if state.terminate_only or not state.asyncio_safe or connection.autocommit:
        return
    try:
        connection.rollback()
        connection.run_async(lambda session: session.execute(RESET))
    except Exception:
        # Raised here, SQLAlchemy would log it with its trace. An outage is told once, and a closed session is never
        # used again: `_require_usable`.
        if not connection.driver_connection.is_closed():
            raise
