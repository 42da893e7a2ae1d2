"""`owner`: a connection of the project's owner to a migrated database of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.postgres import Cluster


@pytest.fixture
async def owner(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    """As `postgres`, which is no superuser."""
    connection = await asyncpg.connect(cluster.url(address, "postgres"))
    try:
        yield connection
    finally:
        await connection.close()
