"""`owner`: a connection of the project's owner to a migrated database of its own, on the PostgreSQL of the wheel: one
of before 18 finds no extensions of ours.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from tests.support.postgres import Cluster


@pytest.fixture(scope="session")
async def cluster(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    """That of all tests, unless MINATO_POSTGRES_BIN named another server for them."""
    if DatabaseSettings.of(os.environ).postgres_bin is None:
        yield cluster
        return
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path_factory.mktemp("wheel"), durable=False))
    own = Cluster(await postgres.start())
    try:
        await own.migrate_template()
        yield own
    finally:
        await own.close()
        await postgres.stop()


@pytest.fixture
async def owner(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    """As `postgres`, which is no superuser."""
    connection = await asyncpg.connect(cluster.url(address, "postgres"))
    try:
        yield connection
    finally:
        await connection.close()
