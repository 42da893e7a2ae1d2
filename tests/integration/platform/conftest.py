"""`db`: the owner's connection inside a transaction that is rolled back, so a test may break what it likes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.postgres import Cluster

LAST_PLATFORM_REVISION = "0010"


@pytest.fixture(scope="session")
async def platform_address(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    """A database with the platform and no application on it, in which no test of this room leaves a trace."""
    async with cluster.database_at(LAST_PLATFORM_REVISION) as address:
        yield address


@pytest.fixture
async def db(platform_address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(platform_address.admin)
    transaction = connection.transaction()
    await transaction.start()
    try:
        yield connection
    finally:
        await connection.close()
