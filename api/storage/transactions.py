"""How this room talks to the database: as the caller, under the caller's policies, or as the service itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from api.config.storage import StorageSettings
from api.database.caller_transaction import RequestInfo, Setting, caller_settings, caller_transaction, set_local
from api.database.database import Database
from api.database.engines import AUTHENTICATOR
from api.storage.request import Request
from api.tokens.caller import SERVICE_ROLE, Caller

LOCK = text("select pg_advisory_xact_lock(hashtextextended(:name, 0))")


class Transactions:
    """`as_caller` is where row-level security decides; `as_service` writes what was decided; `look_up` only reads."""

    def __init__(self, database: Database, settings: StorageSettings) -> None:
        self._database = database
        self._settings = settings

    @asynccontextmanager
    async def as_caller(self, request: Request) -> AsyncIterator[AsyncConnection]:
        """A transaction as the request's caller."""
        settings = self._for(request.known_caller, request)
        async with caller_transaction(self._database.engine(AUTHENTICATOR), settings) as connection:
            yield connection

    @asynccontextmanager
    async def as_service(self, request: Request, lock: str | None = None) -> AsyncIterator[AsyncConnection]:
        """A transaction as service_role, alone with the object called `lock`, if one is given."""
        service = Caller(SERVICE_ROLE, {"role": SERVICE_ROLE})
        async with self._database.engine(SERVICE_ROLE).begin() as connection:
            await set_local(connection, self._for(service, request))
            if lock is not None:
                await connection.execute(LOCK, {"name": lock})
            yield connection

    @asynccontextmanager
    async def look_up(self) -> AsyncIterator[AsyncConnection]:
        """A connection as service_role for one statement that only reads: one round trip, no settings."""
        engine = self._database.engine(SERVICE_ROLE).execution_options(isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            yield connection

    def _for(self, caller: Caller, request: Request) -> list[Setting]:
        return [
            *caller_settings(caller, RequestInfo(request.method, request.path, request.headers)),
            ("request.jwt", caller.token or ""),
            ("request.jwt.claim.sub", caller.subject or ""),
            ("request.jwt.claim.role", caller.role),
            ("storage.operation", request.operation),
            ("storage.allow_delete_query", "true"),
            ("statement_timeout", f"{self._settings.statement_timeout}s"),
            ("lock_timeout", f"{self._settings.lock_timeout}s"),
        ]


async def undo(connection: AsyncConnection) -> None:
    """Take back what the transaction did: it was only a question."""
    transaction = connection.get_transaction()
    assert transaction is not None, "a probe runs in a transaction"
    await transaction.rollback()
