"""`db`: the owner's connection inside a transaction that is rolled back, so a test may break what it likes;
`owner`: that of the project's owner to a database of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.as_project import owner_url
from tests.support.postgres import Cluster


@pytest.fixture(scope="session")
async def platform_address(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    """A database with the platform and no application on it, in which no test of this room leaves a trace."""
    async with cluster.platform_database() as address:
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


@pytest.fixture
async def owner(address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    """A plain connection of `postgres`, as any tool has it."""
    connection = await asyncpg.connect(owner_url(address))
    try:
        yield connection
    finally:
        await connection.close()
