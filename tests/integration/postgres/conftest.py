"""`wheel`: the shipped PostgreSQL with the platform on it, or that of MINATO_POSTGRES_BIN; `SERVER`: its programs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.config.database import DatabaseSettings
from minato.migrate.run import upgrade
from minato.postgres.address import PostgresAddress
from minato.postgres.binaries import find_binaries
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

SERVER = find_binaries(DatabaseSettings.of(os.environ).postgres_bin)


@pytest.fixture(scope="package")
async def wheel(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[PostgresAddress]:
    options = EmbeddedOptions(tmp_path_factory.mktemp("wheel") / "data", SERVER.folder, durable=False)
    postgres = EmbeddedPostgres(options)
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
