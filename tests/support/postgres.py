"""A PostgreSQL for one test process and databases cloned from a migrated template in some 50 ms."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

import asyncpg

from api.database.address import DatabaseAddress

TEMPLATE = "minato_template"


@dataclass
class Cluster:
    """A running PostgreSQL; `admin(database)` and `authenticator(database)` are its connection strings."""

    host: str
    port: int
    superuser: str

    def __post_init__(self) -> None:
        self._names = count(1)

    def dsn(self, user: str, database: str) -> str:
        return f"postgresql://{user}@/{database}?host={self.host}&port={self.port}"

    def address(self, database: str) -> DatabaseAddress:
        return DatabaseAddress(self.dsn(self.superuser, database), self.dsn("authenticator", database))

    async def migrate_template(self) -> None:
        """Make the template: an empty database with every migration run."""
        from migrations.run import upgrade

        await self._admin(f"create database {TEMPLATE}")
        await asyncio.to_thread(upgrade, self.dsn(self.superuser, TEMPLATE))

    @asynccontextmanager
    async def fresh_database(self) -> AsyncIterator[DatabaseAddress]:
        """A migrated database of one's own, dropped at the end."""
        name = f"minato_test_{next(self._names)}"
        await self._admin(f"create database {name} template {TEMPLATE}")
        try:
            yield self.address(name)
        finally:
            await self._admin(f"drop database {name} with (force)")

    async def _admin(self, statement: str) -> None:
        connection = await asyncpg.connect(self.dsn(self.superuser, "postgres"))
        try:
            await connection.execute(statement)
        finally:
            await connection.close()
