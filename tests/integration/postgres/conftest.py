"""`wheel`: the shipped PostgreSQL with the platform on it, whatever MINATO_POSTGRES_BIN names for other tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.migrate.run import upgrade
from minato.postgres.address import PostgresAddress
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres


@pytest.fixture(scope="package")
async def wheel(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[PostgresAddress]:
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path_factory.mktemp("wheel") / "data", durable=False))
    address = await postgres.start()
    try:
        await asyncio.to_thread(upgrade, address.socket_url())
        yield address
    finally:
        await postgres.stop()


@pytest.fixture
async def shipped(wheel: PostgresAddress) -> AsyncIterator[asyncpg.Connection]:
    """The superuser's connection inside a transaction that is rolled back."""
    connection = await asyncpg.connect(wheel.socket_url())
    await connection.transaction().start()
    try:
        yield connection
    finally:
        await connection.close()
