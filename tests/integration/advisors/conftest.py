"""`session`: a database of the platform alone, and what the tests do in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import psycopg2
import pytest
from psycopg2.extensions import connection as Connection

from tests.support.postgres import Cluster


@pytest.fixture(scope="module")
async def platform(cluster: Cluster) -> AsyncIterator[Cluster]:
    """A cluster whose databases are cloned from the platform alone."""
    async with cluster.platform_database() as address:
        name = address.admin.rpartition("/")[2].partition("?")[0]
        platform = Cluster(cluster.postgres, name, "minato_advised")
        yield platform
        await platform.close()


@pytest.fixture
async def session(platform: Cluster) -> AsyncIterator[Connection]:
    """A superuser in a database of the test's own, who can become anybody. What a test sets for a role belongs to the
    whole server, and goes with the test."""
    async with platform.fresh_database() as address:
        connection = await asyncio.to_thread(psycopg2.connect, address.admin)
        connection.autocommit = True
        try:
            yield connection
        finally:
            with connection.cursor() as cursor:
                cursor.execute("reset role; alter role authenticator reset pgrst.db_schemas")
            connection.close()
