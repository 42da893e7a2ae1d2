"""A PostgreSQL for one test process and databases cloned from a migrated template in some 20 ms."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

import asyncpg
from minato.database.address import DatabaseAddress
from minato.migrate.run import upgrade
from minato.places import MIGRATIONS
from minato.postgres.address import PostgresAddress
from minato.project.folder import Project
from minato.project.migrate import migrate_project

TEMPLATE = "minato_template"
MARKETPLACE = Project(MIGRATIONS / "marketplace")


@dataclass
class Cluster:
    """A running PostgreSQL and the databases of the tests on it, clones of `template` named after `prefix`."""

    postgres: PostgresAddress
    template: str = TEMPLATE
    prefix: str = "minato_test"

    def __post_init__(self) -> None:
        self._names = count(1)
        self._connection: asyncpg.Connection | None = None
        self._turn = asyncio.Lock()

    def address(self, database: str) -> DatabaseAddress:
        """The connection strings of both logins."""
        admin, authenticator = (
            self.postgres.socket_url(user, database) for user in ("supabase_admin", "authenticator")
        )
        return DatabaseAddress(admin, authenticator, trusting=True)

    def url(self, address: DatabaseAddress, user: str) -> str:
        """The connection string of any role to the database at `address`."""
        return address.authenticator.replace("authenticator", user, 1)

    async def migrate_template(self) -> None:
        """Make the template: an empty database with every migration run."""
        await self._admin(f"create database {self.template}")
        await self.upgrade(self.address(self.template))

    @asynccontextmanager
    async def fresh_database(self) -> AsyncIterator[DatabaseAddress]:
        """A migrated database of one's own, dropped at the end."""
        name = f"{self.prefix}_{next(self._names)}"
        # A database's own grants are not cloned; its owner needs none. Files are copied sooner than their pages are.
        await self._admin(f"create database {name} template {self.template} owner postgres strategy file_copy")
        try:
            yield self.address(name)
        finally:
            await self._drop(name)

    @asynccontextmanager
    async def bare_database(self) -> AsyncIterator[DatabaseAddress]:
        """A database without anything of ours in it, dropped at the end."""
        name = f"{self.prefix}_{next(self._names)}"
        await self._admin(f"create database {name}")
        try:
            yield self.address(name)
        finally:
            await self._drop(name)

    @asynccontextmanager
    async def platform_database(self, revision: str = "head") -> AsyncIterator[DatabaseAddress]:
        """A database of the platform alone, migrated as far as `revision`, dropped at the end."""
        async with self.bare_database() as address:
            await asyncio.to_thread(upgrade, address.admin, revision)
            yield address

    @asynccontextmanager
    async def database_at(self, version: str) -> AsyncIterator[DatabaseAddress]:
        """A database with the marketplace's migrations up to `version`, dropped at the end."""
        async with self.platform_database() as address:
            await asyncio.to_thread(migrate_project, address.admin, MARKETPLACE, version)
            yield address

    async def refill(self, name: str) -> None:
        """Put a migrated database in the place of one that nobody is connected to."""
        await self._drop(name)
        await self._admin(f"create database {name} template {self.template} owner postgres strategy file_copy")

    async def upgrade(self, address: DatabaseAddress) -> None:
        """Run whatever a database lacks."""
        await asyncio.to_thread(upgrade, address.admin)
        await asyncio.to_thread(migrate_project, address.admin, MARKETPLACE)

    async def _drop(self, name: str) -> None:
        """Drop a database; a replication slot that just lost its client is still active for a moment."""
        for _ in range(200):
            try:
                return await self._admin(f"drop database {name} with (force)")
            except asyncpg.ObjectInUseError:
                await asyncio.sleep(0.02)
        raise AssertionError(f"{name} is still in use")

    async def drop_slot(self, name: str) -> None:
        """Drop a replication slot, whoever still streams from it."""
        ending = f"select pg_terminate_backend(active_pid, 10000) from pg_replication_slots where slot_name = '{name}'"
        await self._admin(ending)
        await self._admin(f"select pg_drop_replication_slot('{name}')")

    async def version(self) -> int:
        """PostgreSQL's major version."""
        connection = await asyncpg.connect(self.address("postgres").admin)
        try:
            major: int = connection.get_server_version().major
            return major
        finally:
            await connection.close()

    async def _admin(self, statement: str) -> None:
        """Run a statement beside all databases, by one connection that is kept: a new one takes as long as a drop."""
        async with self._turn:
            if self._connection is None or self._connection.is_closed():
                self._connection = await asyncpg.connect(self.address("postgres").admin)
            await self._connection.execute(statement)

    async def close(self) -> None:
        """Let go of that connection."""
        if self._connection is not None:
            await self._connection.close()
