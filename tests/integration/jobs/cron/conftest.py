"""`cron`: pg_cron in a database of the test's own, worked by hand at a time that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.cron import Cron, scheduling, without_jobs
from tests.support.postgres import Cluster


@pytest.fixture
async def address(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    async with without_jobs(cluster) as address:
        yield address


@pytest.fixture
async def cron(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[Cron]:
    async with scheduling(address, cluster.url(address, "postgres")) as cron:
        yield cron


@pytest.fixture(scope="module")
async def cron_functions(cluster: Cluster) -> AsyncIterator[asyncpg.Connection]:
    """The developer's connection to a database with pg_cron, in which no test schedules anything."""
    async with cluster.bare_database() as address:
        connection = await asyncpg.connect(address.admin)
        await connection.execute("create extension pg_cron")
        yield connection
        await connection.close()
