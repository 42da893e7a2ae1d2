"""The databases of branches: clones of one another, on the server where main has its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from minato.database.address import DatabaseAddress
from minato.database.identifiers import quote_identifier
from minato.host.errors import BranchError, BranchExists

# A slot that just lost its client is still active for a moment, and so is a session.
ATTEMPTS, PAUSE_SECONDS = 200, 0.02
# How long a source may take until it has no sessions. How long it is copied is another matter.
PATIENCE_SECONDS = 2.0
# Databases that are made or dropped at a time.
AT_ONCE = 2
# Where to be while main's own database is cloned.
MAINTENANCE = "template1"
# What belongs to a database and is not cloned with it: its settings, and what roles may do with it. A list among the
# settings is kept as it is written, quotes and all.
BESIDE = """
select pg_catalog.pg_get_userbyid(b.datdba), array(
    select pg_catalog.format('alter %s set %I = %s',
        case d.setrole when 0 then pg_catalog.format('database %I', $2::text)
            else pg_catalog.format('role %I in database %I', pg_catalog.pg_get_userbyid(d.setrole), $2::text) end,
        split_part(s, '=', 1),
        case when split_part(s, '=', 1) in ('search_path', 'session_preload_libraries', 'local_preload_libraries')
            then substr(s, strpos(s, '=') + 1) else quote_literal(substr(s, strpos(s, '=') + 1)) end)
    from pg_catalog.pg_db_role_setting d cross join unnest(d.setconfig) as s where d.setdatabase = b.oid
  union all
    select pg_catalog.format('grant %s on database %I to %I', a.privilege_type, $2::text, r.rolname)
    from pg_catalog.aclexplode(b.datacl) a join pg_catalog.pg_roles r on r.oid = a.grantee where a.grantee <> b.datdba)
from pg_catalog.pg_database b where b.datname = $1
"""
EXISTS = "select exists (select from pg_catalog.pg_database where datname = $1)"
SIZE = "select pg_catalog.pg_database_size($1::text)"
SIZES = """
select datname, pg_catalog.pg_database_size(oid) from pg_catalog.pg_database where datname = any($1::text[])
"""
WHO = """
select string_agg(distinct coalesce(nullif(application_name, ''), 'process ' || pid), ', ')
from pg_catalog.pg_stat_activity where datname = $1
"""
END = "select pg_catalog.pg_terminate_backend(pid, 5000) from pg_catalog.pg_stat_activity where datname = $1"
MAY_RENAME = """
select m.rolsuper or (m.rolcreatedb and pg_catalog.pg_has_role(d.datdba, 'member'))
from pg_catalog.pg_database d, pg_catalog.pg_roles m where d.datname = $1 and m.rolname = current_user
"""
SESSIONS = "select count(*) from pg_catalog.pg_stat_activity where datname = $1"
# An autovacuum worker makes room by itself.
IN_THE_WAY = f"{SESSIONS} and backend_type <> 'autovacuum worker'"


class Databases:
    """They are made and dropped by few sessions in main's database, which are kept until `close`."""

    def __init__(self, main: DatabaseAddress) -> None:
        self._main = main
        self._idle: list[asyncpg.Connection] = []
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._stillness = asyncio.Lock()

    def address(self, name: str) -> DatabaseAddress:
        """How each login of ours reaches the database."""
        return DatabaseAddress(
            at(self._main.admin, name), at(self._main.authenticator, name), trusting=self._main.trusting
        )

    async def create(self, name: str, empty: bool = False) -> None:
        """A database as this server makes them, or one for a dump, with nothing at all. Raises BranchError."""
        nothing = " template template0" if empty else ""
        async with self._asking() as session:
            await session.execute(f"create database {quote_identifier(name)}{nothing}")

    async def beside(self, name: str, called: str) -> list[str]:
        """The statements that give a database `called` so what belongs to this one and is in no dump."""
        async with self._asking() as session:
            owner, beside = await session.fetchrow(BESIDE, name, called)
            return [f"alter database {quote_identifier(called)} owner to {quote_identifier(owner)}", *beside]

    async def say(self, statements: Sequence[str]) -> None:
        """Carry out what `beside` told."""
        async with self._asking() as session:
            for statement in statements:
                await session.execute(statement)

    async def version(self) -> int:
        """PostgreSQL's, as libpq numbers them: 180004."""
        async with self._asking() as session:
            return int(await session.fetchval("show server_version_num"))

    async def clone(self, name: str, template: str) -> None:
        """A copy of a database that nobody is connected to. Raises BranchError."""
        async with self._asking() as session:
            await _clone(session, name, template)

    async def clone_live(self, name: str, source: str, force: bool) -> None:
        """A copy of one whose sessions of ours have been let go; others are ended if `force`d. Raises BranchError."""
        async with self._out_of(source):
            await self._alone(source, force, lambda session: _clone(session, name, source))

    @asynccontextmanager
    async def _out_of(self, name: str) -> AsyncIterator[None]:
        """No session of these is in the database until the block ends; whoever asks meanwhile waits. Raises BranchError
        where what they do takes too long."""
        async with AsyncExitStack() as stack:
            if name == name_in(self._main.admin):
                await stack.enter_async_context(self._stillness)
                try:
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        for _ in range(AT_ONCE):
                            await stack.enter_async_context(self._turns)
                except TimeoutError:
                    raise BranchError(409, "source_busy", "Other databases are being made or dropped.") from None
                await self.close()
            yield

    async def _alone(self, source: str, force: bool, act: Callable[[asyncpg.Connection], Awaitable[None]]) -> None:
        """Do what needs a database without sessions, as soon as it has none. Raises BranchError."""
        session = await self._connected(MAINTENANCE)
        try:
            if force:
                await session.fetch(END, source)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await session.fetchval(IN_THE_WAY, source):  # noqa: ASYNC110 - sessions ring no bell when they end
                    await asyncio.sleep(PAUSE_SECONDS)
            await act(session)
        except (TimeoutError, asyncpg.ObjectInUseError):
            names = await session.fetchval(WHO, source)
            message = f"Others are connected to the database: {names or 'unknown'}."
            raise BranchError(409, "source_busy", message, 'End them, or say "force": true.') from None
        finally:
            await session.close()

    async def rename(self, name: str, new: str) -> None:
        """Another name for a database that nobody is connected to."""
        async with self._asking() as session:
            await session.execute(f"alter database {quote_identifier(name)} rename to {quote_identifier(new)}")

    async def swap(self, name: str, new: str, former: str, force: bool) -> None:
        """Let `new` be called `name`, and what was called so `former`, in one transaction. Raises BranchError while
        others are connected, whom `force` ends."""
        renamed = ((name, former), (new, name))
        steps = [f"alter database {quote_identifier(a)} rename to {quote_identifier(b)}" for a, b in renamed]

        async def rename(session: asyncpg.Connection) -> None:
            await session.execute("; ".join(steps))

        async with self._out_of(name):
            await self._alone(name, force, rename)

    async def may_rename(self, name: str) -> bool:
        """Whether our login may give it another name."""
        async with self._asking() as session:
            return bool(await session.fetchval(MAY_RENAME, name))

    async def drop(self, name: str) -> None:
        """Drop it, whoever is connected; one that is gone already is fine."""
        statement = f"drop database if exists {quote_identifier(name)} with (force)"
        for attempt in range(ATTEMPTS):
            try:
                async with self._asking() as session:
                    await session.execute(statement)
                return
            except asyncpg.ObjectInUseError:
                if attempt == ATTEMPTS - 1:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def exists(self, name: str) -> bool:
        """Whether there is such a database."""
        async with self._asking() as session:
            return bool(await session.fetchval(EXISTS, name))

    async def connections(self) -> int:
        """How many sessions the server takes."""
        async with self._asking() as session:
            return int(await session.fetchval("show max_connections"))

    async def figures(self, name: str) -> tuple[int, int]:
        """Its bytes on disk, and the sessions that it has."""
        async with self._asking() as session:
            return int(await session.fetchval(SIZE, name)), int(await session.fetchval(SESSIONS, name))

    async def sizes(self, names: Sequence[str]) -> dict[str, int]:
        """The bytes on disk of those that are there; of none where one of them goes just now."""
        async with self._asking() as session:
            try:
                return {name: int(size) for name, size in await session.fetch(SIZES, names)}
            except asyncpg.PostgresError:
                return {}

    async def close(self) -> None:
        """Let go of the session; another one is opened when it is needed."""
        while self._idle:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await self._idle.pop().close()

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[asyncpg.Connection]:
        async with self._turns:
            session = self._idle.pop() if self._idle else None
            if session is None or session.is_closed():
                session = await self._connected(name_in(self._main.admin))
            try:
                yield session
            except asyncpg.InsufficientPrivilegeError as error:
                hint = f"alter role {urlsplit(self._main.admin).username or 'postgres'} createdb"
                raise BranchError(501, "branches_unavailable", f"PostgreSQL refused: {error}.", hint) from None
            except asyncpg.DuplicateDatabaseError as error:
                raise BranchExists(f"PostgreSQL refused: {error}.") from None
            finally:
                self._idle.append(session)

    async def _connected(self, database: str) -> asyncpg.Connection:
        own = {"application_name": "minato branches", "search_path": "pg_catalog"}
        return await asyncpg.connect(at(self._main.admin, database), server_settings=own)


async def _clone(session: asyncpg.Connection, name: str, template: str) -> None:
    found = await session.fetchrow(BESIDE, template, name)
    if found is None:
        raise asyncpg.InvalidCatalogNameError(f'database "{template}" does not exist')
    owner, beside = found
    parts = (quote_identifier(part) for part in (name, template, owner))
    await session.execute("create database {} template {} owner {}".format(*parts))
    if beside:
        await session.execute("; ".join(beside))


def at(url: str, database: str) -> str:
    """The connection string of `database` beside the one that `url` leads to.

    >>> at("postgresql://admin@/postgres?port=5432", "b_one")
    'postgresql://admin@/b_one?port=5432'
    """
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def name_in(url: str) -> str:
    """The name of the database that a connection string leads to.

    >>> name_in("postgresql://admin@/my%20shop?port=5432")
    'my shop'
    """
    return unquote(urlsplit(url).path.removeprefix("/"))
