"""Published tables for the realtime tests: each test has one of its own. And every way by which changes may come."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from minato.config.realtime import RealtimeSettings

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

both_feeds = pytest.mark.parametrize("minato", ["logical", "triggers"], indirect=True)


@pytest.fixture(scope="session")
async def minato(
    request: pytest.FixtureRequest, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Minato]:
    """The shared server; a module marked with `both_feeds` runs against two, one per change feed."""
    realtime = RealtimeSettings(change_feed=getattr(request, "param", None))
    settings = settings_for(tmp_path_factory.mktemp("data"), realtime=realtime)
    async with cluster.fresh_database() as address, running(address, settings) as server:
        yield server


@dataclass(frozen=True)
class Table:
    """A table in public, published for realtime."""

    name: str
    minato: Minato

    async def run(self, statement: str, *values: Any) -> None:
        """Run a statement as the owner; `{t}` stands for the table."""
        await self.minato.db.execute(statement.replace("{t}", f"public.{self.name}"), *values)

    def entry(self, event: str = "*", **more: Any) -> dict[str, Any]:
        """A postgres_changes entry for it."""
        return {"event": event, "schema": "public", "table": self.name, **more}


@pytest.fixture
async def notes(minato: Minato) -> AsyncIterator[Table]:
    """Notes with an owner, who alone may see them."""
    table = Table(f"notes{uuid4().hex[:8]}", minato)
    await table.run(
        """
        create table {t} (id int primary key, owner uuid, body text, price numeric(10, 2), secret text);
        alter table {t} enable row level security;
        create policy "Owners see their notes" on {t} for select using (owner = auth.uid());
        grant all on {t} to anon, authenticated, service_role;
        alter publication supabase_realtime add table {t};
        """
    )
    yield table
    await table.run("drop table if exists {t}")


@pytest.fixture
async def board(minato: Minato) -> AsyncIterator[Table]:
    """A table that everybody may see."""
    table = Table(f"board{uuid4().hex[:8]}", minato)
    await table.run(
        """
        create table {t} (id int primary key, body text, n int, price numeric(10, 2), done boolean);
        grant all on {t} to anon, authenticated, service_role;
        alter publication supabase_realtime add table {t};
        """
    )
    yield table
    await table.run("drop table if exists {t}")
