"""How this room talks to the database: as the caller, under the caller's policies, or as the service itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.exc import TimeoutError as NoneFree
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.config.storage import StorageSettings
from minato.database.as_caller import Setting, setting_calls
from minato.database.database import Database
from minato.database.engines import AUTHENTICATOR, OWNER, DatabaseUnreachable, caller_transaction, set_on
from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.causes import OWN_ID
from minato.database.wire.messages import Row
from minato.database.wire.session import Command, Session, StatementError
from minato.http.shares import Shares, share_of
from minato.storage.request import Request, as_uuid
from minato.tokens.caller import SERVICE_ROLE, Caller

LOCK = text("select pg_advisory_xact_lock(hashtextextended(:name, 0))")
TRY_LOCK = text("select pg_try_advisory_xact_lock(hashtextextended(:name, 0))")
SERVICE = Caller(SERVICE_ROLE, {"role": SERVICE_ROLE})
# The owner of the schemas storage and storage_vectors.
STORAGE_ADMIN = "supabase_storage_admin"
AS_SERVICE = Command("select set_config('role', 'service_role', true)")
SAVEPOINT, BACK_TO_SAVEPOINT = Command("savepoint tried"), Command("rollback to savepoint tried")
REQUIRE_USER = "minato.require_user(${})"
Run = Callable[[Sequence[Command]], Awaitable[list[list[Row]]]]


class Refused(Exception):
    """The caller may not, as `error` says."""

    def __init__(self, error: StatementError) -> None:
        super().__init__(str(error))
        self.error = error


class Unfit(Exception):
    """What the statements were to wait for is not so."""


class Transactions:
    """`as_caller` is where row-level security decides; `as_service` writes what was decided; `look_up` only reads.

    What every reader and writer of an object waits for goes out in one flush: `read`, `try_as_caller`, `run_as_…`.
    """

    def __init__(self, database: Database, settings: StorageSettings) -> None:
        self._database = database
        self._settings = settings
        self._shares = Shares(share_of(database.settings.service_pool_size))
        # Each holds a connection for as long as its work takes; the other half is for who only asks.
        self._turns = asyncio.Semaphore(max(1, database.settings.service_pool_size // 2))

    @asynccontextmanager
    async def as_caller(self, request: Request) -> AsyncIterator[AsyncConnection]:
        """A transaction as the request's caller."""
        settings = self._for(request.known_caller, request)
        engine = self._database.engine(AUTHENTICATOR)
        async with self._share(request), caller_transaction(engine, settings) as connection:
            yield connection

    @asynccontextmanager
    async def as_service(self, request: Request, lock: str | None = None) -> AsyncIterator[AsyncConnection]:
        """A transaction as service_role, alone with the object called `lock`, if one is given."""
        async with self._database.engine(SERVICE_ROLE).begin() as connection:
            await set_on(connection, self._for(SERVICE, request))
            if lock is not None:
                await connection.execute(LOCK, {"name": lock})
            yield connection

    @asynccontextmanager
    async def as_storage(self, request: Request) -> AsyncIterator[AsyncConnection]:
        """A transaction as the owner of this room's tables, for what no role of the API may do.

        Nothing of the project's is found by its name alone: not a function that fits better, nor an operator.
        """
        engine = self._database.engine(STORAGE_ADMIN)
        async with self._share(request), engine.begin() as connection:
            await set_on(connection, [("search_path", "pg_catalog, pg_temp"), *self._limits(request)])
            yield connection

    @asynccontextmanager
    async def as_owner(self) -> AsyncIterator[AsyncConnection]:
        """A transaction as the login of the database's address, for what an administrator alone may do."""
        async with self._database.engine(OWNER).begin() as connection:
            yield connection

    @asynccontextmanager
    async def look_up(self) -> AsyncIterator[AsyncConnection]:
        """A connection as service_role for statements by themselves: one round trip each, no settings."""
        engine = self._database.engine(SERVICE_ROLE).execution_options(isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def turn(self, name: str) -> AsyncIterator[bool]:
        """Whether nobody else, on any node, is at work on what is called `name`: then nobody is until the block ends.

        The node's death ends it, too. Work that takes long waits here for that of this process that came before.
        """
        async with self._turns, self._database.engine(SERVICE_ROLE).begin() as connection:
            yield bool(await connection.scalar(TRY_LOCK, {"name": name}))

    async def read(self, command: Command) -> list[Row]:
        """The rows of a statement that only reads, as service_role; nothing stays that a session had to forget."""
        async with self._session() as session:
            return (await session.run([AS_SERVICE, command], reset=False))[-1]

    async def run_as_caller(self, request: Request, command: Command) -> list[Row]:
        """The rows of a statement in a transaction of its own, as the request's caller."""
        async with self._session(request) as session:
            (rows,) = await self._written(session.run, [self._begin(request.known_caller, request), command], 1)
        await self._database.wrote()
        return rows

    async def run_as_service(self, request: Request, commands: Sequence[Command]) -> list[list[Row]]:
        """The rows of each statement, in one transaction as service_role, committed."""
        async with self._session(request) as session:
            rows = await self._written(session.run, [self._begin(SERVICE, request), *commands], 1)
        await self._database.wrote()
        return rows

    async def run_if_allowed(
        self, request: Request, tried: Command, unless: Command, commands: Sequence[Command]
    ) -> list[list[Row]]:
        """The rows of each statement as service_role, committed, if the request's caller may do `tried`: in one flush.

        That is done first and taken back, as by `try_as_caller`. Whatever is raised, nothing was done: Refused of the
        caller, Unfit when `unless` failed, StatementError of the statements themselves.
        """
        caller = request.known_caller
        trying = [SAVEPOINT, self._begin(caller, request, _user(caller)), tried, BACK_TO_SAVEPOINT]
        judged = [*trying, self._begin(SERVICE, request), unless]
        async with self._session(request) as session:
            try:
                rows = await self._written(session.run_begun, [*judged, *commands], len(judged))
            except StatementError as error:
                # BEGIN is counted, too.
                if error.position == len(judged):
                    raise Unfit from None
                raise Refused(error) if error.position < len(judged) else error from None
        await self._database.wrote()
        return rows

    async def _written(self, run: Run, commands: Sequence[Command], judged: int) -> list[list[Row]]:
        """What the commands gave that come after the first so many."""
        causes = self._database.causes
        try:
            if not causes.on:
                return (await run(commands))[judged:]
            with causes.write() as write:
                *results, own = await run([*commands, OWN_ID])
                write.told(own)
                return results[judged:]
        except BaseException as error:
            if not isinstance(error, StatementError) or error.is_farewell:
                # Perhaps behind the commit.
                await self._database.wrote(surely=False)
            raise

    async def try_as_caller(self, request: Request, command: Command, asked: Command | None = None) -> list[Row]:
        """Do it as the request's caller and take it back; the rows of `asked`, which the service reads before.

        Raises StatementError when it is refused. It is refused to a user who is gone, too, however long the token is
        still good. Nobody waits for the rollback.
        """
        settings = self._begin(request.known_caller, request, _user(request.known_caller))
        reading = [] if asked is None else [AS_SERVICE, asked]
        async with self._session(request) as session:
            answered = await session.attempt([*reading, settings, command])
        return answered[1] if reading else []

    @asynccontextmanager
    async def _share(self, request: Request) -> AsyncIterator[None]:
        """The engine's connections are few, and one caller's slow lists could hold them all."""
        holder, patience = request.share, self._database.settings.pool_timeout
        if not self._shares.try_enter(holder):
            assert holder is not None
            try:
                await self._shares.enter(holder, patience)
            except TimeoutError:
                raise NoneFree("too many transactions of one caller") from None
        try:
            yield
        finally:
            self._shares.leave(holder)

    @asynccontextmanager
    async def _session(self, request: Request | None = None) -> AsyncIterator[Session]:
        """A session, of the share of who sent `request`."""
        pool = self._database.sessions
        holder = None if request is None else request.share
        try:
            session = await pool.acquire(self._database.settings.pool_timeout, holder=holder)
        except TimeoutError:
            raise NoneFree("no session was free in time") from None
        except CONNECTION_ERRORS as error:
            raise DatabaseUnreachable(str(error)) from error
        try:
            yield session
        except (StatementError, OSError):
            pool.release(session)
            raise
        except BaseException:
            # The client has left, and nobody knows what the session is doing.
            pool.discard(session)
            raise
        pool.release(session)

    async def require_user(self, request: Request) -> None:
        """Raises StatementError when the request's caller is a user who is gone."""
        user = _user(request.known_caller)
        if user is not None:
            await self.read(Command(f"select {REQUIRE_USER.format(1)}", [user], SERVICE_ROLE))

    def _begin(self, caller: Caller, request: Request, user: str | None = None) -> Command:
        """What sets who calls and what was asked, until the transaction ends; fails when `user` is given and gone."""
        calls, values = setting_calls(self._for(caller, request))
        if user is not None:
            values.append(user)
            calls += f",{REQUIRE_USER.format(len(values))}"
        return Command(f"select num_nulls({calls})", values)

    def settings_of(self, request: Request) -> list[Setting]:
        """What policies may read while they judge the request's caller."""
        return self._for(request.known_caller, request)

    def _for(self, caller: Caller, request: Request) -> list[Setting]:
        return [
            ("role", caller.role),
            ("request.jwt.claims", caller.claims_json),
            *request.settings,
            ("request.jwt", caller.token or ""),
            ("request.jwt.claim.sub", caller.subject or ""),
            ("request.jwt.claim.role", caller.role),
            ("storage.allow_delete_query", "true"),
            *self._limits(request),
        ]

    def _limits(self, request: Request) -> list[Setting]:
        return [
            ("storage.operation", request.operation),
            ("statement_timeout", f"{self._settings.statement_timeout}s"),
            ("lock_timeout", f"{self._settings.lock_timeout}s"),
        ]


def _user(caller: Caller) -> str | None:
    """The user who must exist: that of a session of ours. Who else signs tokens knows users of their own."""
    return as_uuid(caller.subject) if caller.has_session else None


async def undo(connection: AsyncConnection) -> None:
    """Take back what the transaction did: it was only a question."""
    transaction = connection.get_transaction()
    assert transaction is not None, "a probe runs in a transaction"
    await transaction.rollback()
