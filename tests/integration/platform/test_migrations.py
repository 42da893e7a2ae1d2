"""Migrations run once, forward, each whole or not at all, on any database of a cluster and several at a time."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import asyncpg
import pytest
from minato.migrate import run
from minato.places import MIGRATIONS

from tests.support.postgres import Cluster

SUPERUSER = "supabase_admin"
VERSIONS = MIGRATIONS / "versions"

EmptyDatabase = Callable[..., AbstractAsyncContextManager[str]]


@pytest.fixture
def empty_database(cluster: Cluster) -> EmptyDatabase:
    """Makes an empty database, and gives its owner's (or another user's) connection string."""

    @asynccontextmanager
    async def make(name: str, owner: str = SUPERUSER) -> AsyncIterator[str]:
        admin = await asyncpg.connect(cluster.address("postgres").admin)
        try:
            await admin.execute(f"create database {name} owner {owner}")
            yield cluster.postgres.socket_url(owner, name)
        finally:
            await admin.execute(f"drop database if exists {name} with (force)")
            await admin.close()

    return make


async def test_an_empty_database_is_brought_to_the_head_and_stays_there(empty_database: EmptyDatabase) -> None:
    async with empty_database("migrated") as dsn:
        assert await asyncio.to_thread(run.current, dsn) is None
        assert await asyncio.to_thread(run.upgrade, dsn) == []
        assert await asyncio.to_thread(run.current, dsn) == run.head()
        assert await asyncio.to_thread(run.upgrade, dsn) == []


async def test_databases_of_one_cluster_migrate_at_the_same_time(empty_database: EmptyDatabase) -> None:
    async with empty_database("left_side") as left, empty_database("right_side") as right:
        # two of the processes meet in one database, and all three at the cluster's roles
        program = "import sys; from minato.migrate.run import upgrade; upgrade(sys.argv[1])"
        runners = [
            await asyncio.create_subprocess_exec(sys.executable, "-c", program, dsn) for dsn in (left, left, right)
        ]
        assert [await runner.wait() for runner in runners] == [0, 0, 0]
        assert [run.current(left), run.current(right)] == [run.head()] * 2


async def test_a_revision_stops_where_it_is_told_and_goes_on_from_there(empty_database: EmptyDatabase) -> None:
    async with empty_database("halfway") as dsn:
        await asyncio.to_thread(run.upgrade, dsn, "0003")
        assert await asyncio.to_thread(run.current, dsn) == "0003"
        await asyncio.to_thread(run.upgrade, dsn)
        assert await asyncio.to_thread(run.current, dsn) == run.head()


async def test_a_failing_revision_leaves_nothing_and_keeps_those_before_it(empty_database: EmptyDatabase) -> None:
    async with empty_database("failing") as dsn:
        await asyncio.to_thread(run.upgrade, dsn, "0005")
        connection = await asyncpg.connect(dsn)
        await connection.execute("create table storage.objects ()")
        with pytest.raises(Exception, match='relation "objects" already exists'):
            await asyncio.to_thread(run.upgrade, dsn)
        assert await connection.fetchval("select to_regclass('storage.buckets')") is None
        assert await asyncio.to_thread(run.current, dsn) == "0005"
        await connection.close()


async def test_an_owner_who_is_no_superuser_is_told_what_could_not_be_done(
    cluster: Cluster, empty_database: EmptyDatabase
) -> None:
    admin = await asyncpg.connect(cluster.address("postgres").admin)
    try:
        await admin.execute("create role hoster login createrole")
        await admin.execute("grant anon, authenticated, service_role, authenticator, postgres, supabase_auth_admin,"
            " supabase_storage_admin, supabase_realtime_admin, dashboard_user to hoster with admin option")  # fmt: skip
    finally:
        await admin.close()
    async with empty_database("foreign_server", owner="hoster") as dsn:
        warnings = await asyncio.to_thread(run.upgrade, dsn)
        assert await asyncio.to_thread(run.current, dsn) == run.head()
        assert any(re.search("pgrst_ddl_watch.*permission denied to create event trigger", text) for text in warnings)


def test_the_head_is_known_without_importing_alembic() -> None:
    program = "import sys; from minato.migrate import run; print(run.head(), 'alembic' in sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.split() == [max(path.name.split("_")[1] for path in VERSIONS.glob("*.sql")), "False"]


def test_every_revision_is_a_pair_that_follows_the_one_before() -> None:
    previous = None
    for module in sorted(VERSIONS.glob("*.py"), key=lambda path: path.name.split("_")[1]):
        assert module.with_suffix(".sql").exists()
        source = module.read_text()
        revision = module.name.split("_")[1]
        assert f'revision = "{revision}"' in source
        before = f'"{previous}"' if previous else "None"
        assert f"down_revision = {before}" in source
        assert "lock_timeout=" in source
        assert "def downgrade" not in source
        previous = revision


def test_no_migration_sets_a_password() -> None:
    assert [path.name for path in VERSIONS.glob("*.sql") if re.search(r"password\s+'", path.read_text())] == []
