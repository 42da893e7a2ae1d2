"""Fixtures of every test: `cluster` (a PostgreSQL), `address` (a fresh migrated database), `minato` (a running server).

`minato` lives as long as the test process and is shared: a test makes its own users, rows and buckets with names of its
own and leaves nothing that another could trip over. A test that must have a server to itself asks for `own_minato`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for


@pytest.fixture(scope="session")
async def cluster(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    """A PostgreSQL with a migrated template database: the embedded one, or that of MINATO_POSTGRES_BIN."""
    binaries = DatabaseSettings().postgres_bin
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path_factory.mktemp("postgres"), binaries, durable=False))
    cluster = Cluster(await postgres.start())
    try:
        await cluster.migrate_template()
        yield cluster
    finally:
        await postgres.stop()


@pytest.fixture
async def address(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    """A migrated database for this test alone."""
    async with cluster.fresh_database() as address:
        yield address


@pytest.fixture(scope="session")
async def minato(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server on a database of its own, shared by the tests of this process."""
    settings = settings_for(tmp_path_factory.mktemp("data"))
    async with cluster.fresh_database() as address, running(address, settings) as server:
        yield server


@pytest.fixture
async def own_minato(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    """A server and a database for this test alone."""
    async with running(address, settings_for(tmp_path)) as server:
        yield server
