"""A server for the data API alone: its own database with the fixture schema, whose writes a test may leave behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest
from minato.config.rest import RestSettings

from tests.support.data_api import SECRET, Alone, Serve, serving
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

ALONE = Path(__file__).with_name("alone.sql")
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


@pytest.fixture(scope="module")
async def serve(cluster: Cluster) -> AsyncIterator[Serve]:
    """Serve with options by name: `serve(db_max_rows=2)`."""
    async with cluster.bare_database() as address:
        connection = await asyncpg.connect(address.admin)
        await connection.execute(ALONE.read_text())
        await connection.close()
        given = {"DB_URI": cluster.url(address, "alone_login"), "DB_SCHEMAS": "api", "DB_ANON_ROLE": "alone_web"}

        @asynccontextmanager
        async def served(**options: object) -> AsyncIterator[Alone]:
            upper = {name.upper(): str(value) for name, value in options.items()}
            environment = {f"PGRST_{name}": value for name, value in ({"JWT_SECRET": SECRET} | given | upper).items()}
            async with serving(None, environment) as alone:
                yield alone

        yield served
