"""One database with the cast in it; every test acts in a transaction that is rolled back."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import asyncpg
import pytest

from tests.integration.marketplace.cast import Stage, set_the_scene, staged
from tests.support.postgres import Cluster


@pytest.fixture(scope="session")
async def market(cluster: Cluster) -> AsyncIterator[asyncpg.Connection]:
    """The owner's connection to a database in which everybody is present."""
    async with cluster.fresh_database() as address:
        db = await asyncpg.connect(address.admin)
        await db.set_type_codec("jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads)
        await set_the_scene(db)
        yield db
        await db.close()


@pytest.fixture
async def stage(market: asyncpg.Connection) -> AsyncIterator[Stage]:
    """A transaction in which everybody may act."""
    async with staged(market) as stage:
        yield stage
