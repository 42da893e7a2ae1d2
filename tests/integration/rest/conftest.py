"""A server for the data API alone: its own database with the fixture schema, whose writes a test may leave behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.config.rest import RestSettings
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

SCHEMA = Path(__file__).parents[2] / "fixtures" / "rest" / "schema.sql"


@pytest.fixture(scope="session")
async def club(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server on the fixture schema. Transactions may be rolled back on request, so that tests can write."""
    rest = RestSettings(db_tx_end="commit-allow-override", db_aggregates_enabled=True, db_plan_enabled=True)
    settings = settings_for(tmp_path_factory.mktemp("data"), rest=rest)
    async with cluster.fresh_database() as address, running(address, settings) as server:
        await server.db.execute("set search_path = public")
        await server.db.execute(SCHEMA.read_text())
        await server.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
        yield server


@pytest.fixture(scope="session")
async def anon(club: Minato) -> AsyncIterator[httpx.AsyncClient]:
    """A client without a user. Everything it writes is rolled back, unless it prefers otherwise."""
    async with club.client(prefer="tx=rollback") as client:
        client.base_url = httpx.URL(f"{club.url}/rest/v1")
        yield client


@pytest.fixture(scope="session")
async def user(club: Minato) -> AsyncIterator[httpx.AsyncClient]:
    """A client with a signed-in user's token."""
    async with club.client(club.token("11111111-1111-1111-1111-111111111111"), prefer="tx=rollback") as client:
        client.base_url = httpx.URL(f"{club.url}/rest/v1")
        yield client
