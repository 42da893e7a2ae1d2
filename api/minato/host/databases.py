"""The databases of branches: clones of one another, on the server where main has its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from minato.database.address import DatabaseAddress
from minato.database.identifiers import quote_identifier
from minato.host.errors import BranchError, BranchExists

# A slot that just lost its client is still active for a moment, and so is a session.
ATTEMPTS, PAUSE_SECONDS = 200, 0.02
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
SESSIONS = "select count(*) from pg_catalog.pg_stat_activity where datname = $1"


class Databases:
    """They are made and dropped by one session in main's database, which is kept until `close`."""

    def __init__(self, main: DatabaseAddress) -> None:
        self._main = main
        self._session: asyncpg.Connection | None = None
        self._turn = asyncio.Lock()

    def address(self, name: str) -> DatabaseAddress:
        """How each login of ours reaches the database."""
        return DatabaseAddress(
            at(self._main.admin, name), at(self._main.authenticator, name), trusting=self._main.trusting
        )

    async def create(self, name: str, template: str | None = None) -> None:
        """An empty database, or a clone of one that nobody is connected to. Raises BranchError."""
        async with self._asking() as session:
            if template is None:
                await session.execute(f"create database {quote_identifier(name)}")
                return
            found = await session.fetchrow(BESIDE, template, name)
            if found is None:
                raise asyncpg.InvalidCatalogNameError(f'database "{template}" does not exist')
            owner, beside = found
            parts = (quote_identifier(part) for part in (name, template, owner))
            await session.execute("create database {} template {} owner {}".format(*parts))
            if beside:
                await session.execute("; ".join(beside))

    async def rename(self, name: str, new: str) -> None:
        """Another name for a database that nobody is connected to."""
        async with self._asking() as session:
            await session.execute(f"alter database {quote_identifier(name)} rename to {quote_identifier(new)}")

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

    async def figures(self, name: str) -> tuple[int, int]:
        """Its bytes on disk, and the sessions that it has."""
        async with self._asking() as session:
            return int(await session.fetchval(SIZE, name)), int(await session.fetchval(SESSIONS, name))

    async def close(self) -> None:
        """Let go of the session; another one is opened when it is needed."""
        session, self._session = self._session, None
        if session is not None:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await session.close()

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[asyncpg.Connection]:
        async with self._turn:
            if self._session is None or self._session.is_closed():
                own = {"application_name": "minato branches", "search_path": "pg_catalog"}
                self._session = await asyncpg.connect(self._main.admin, server_settings=own)
            try:
                yield self._session
            except asyncpg.InsufficientPrivilegeError as error:
                hint = f"alter role {urlsplit(self._main.admin).username or 'postgres'} createdb"
                raise BranchError(501, "branches_unavailable", f"PostgreSQL refused: {error}.", hint) from None
            except asyncpg.DuplicateDatabaseError as error:
                raise BranchExists(f"PostgreSQL refused: {error}.") from None


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
