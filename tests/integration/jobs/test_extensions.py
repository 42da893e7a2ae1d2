"""The server notices the two extensions by itself, works for them, and pays nothing where they are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import asyncpg
import pytest
from minato.database.address import DatabaseAddress
from minato.jobs import extensions

from tests.support.cron import without_jobs
from tests.support.loopback import loopback
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import until_rows

SESSIONS = "select count(*) from pg_stat_activity where datname = current_database() and application_name like $1"
SUCCEEDED = "select count(*) >= $1 from cron.job_run_details where status = 'succeeded'"


@pytest.fixture
async def address(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    async with without_jobs(cluster) as address:
        yield address


async def owner_of(cluster: Cluster, address: DatabaseAddress) -> asyncpg.Connection:
    return await asyncpg.connect(cluster.url(address, "postgres"))


async def test_without_the_extensions_nothing_of_them_runs(own_minato: Minato) -> None:
    await until_rows(own_minato.db, "select count(*) > 0 from pg_stat_activity where application_name like '%schema%'")
    assert await own_minato.db.fetchval(SESSIONS, "minato pg%") == 0


async def test_a_job_runs_from_the_moment_at_which_the_extension_is_there(
    cluster: Cluster, address: DatabaseAddress, own_minato: Minato
) -> None:
    owner = await owner_of(cluster, address)
    await owner.execute("create extension pg_cron with schema extensions")
    await owner.execute("select cron.schedule('n', '* * * * *', 'select 1')")
    await until_rows(own_minato.db, "select count(*) > 0 from pg_locks where classid = 1835626081 and objid = 18")
    async with asyncio.timeout(60):
        while not await owner.fetchval(SUCCEEDED, 1):
            own_minato.backend.clock.advance(timedelta(seconds=20))
            await asyncio.sleep(0.05)
    await owner.execute("drop extension pg_cron cascade")
    await owner.execute("create extension pg_cron")
    await owner.execute("select cron.schedule('n', '* * * * *', 'select 1')")
    async with asyncio.timeout(60):
        while not await owner.fetchval(SUCCEEDED, 1):
            own_minato.backend.clock.advance(timedelta(seconds=20))
            await asyncio.sleep(0.05)
    await owner.close()


@pytest.mark.parametrize("extension", ["pg_cron", "pg_net"])
async def test_the_session_of_an_extension_that_was_dropped_ends(
    cluster: Cluster, address: DatabaseAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extension: str
) -> None:
    monkeypatch.setattr(extensions, "LOOK_SECONDS", 0.05)
    async with running(address, settings_for(tmp_path)) as server:
        owner = await owner_of(cluster, address)
        of_it = SESSIONS.replace("$1", f"'minato {extension}'")
        for _ in range(2):
            await owner.execute(f"create extension {extension} with schema extensions")
            await until_rows(server.db, of_it.replace("count(*)", "count(*) = 1"))
            await owner.execute(f"drop extension {extension}")
            await until_rows(server.db, of_it.replace("count(*)", "count(*) = 0"))
        await owner.close()


async def test_a_request_is_sent_when_it_is_committed(
    cluster: Cluster, address: DatabaseAddress, own_minato: Minato
) -> None:
    owner = await owner_of(cluster, address)
    await owner.execute("create extension pg_net")
    async with loopback() as there:
        number = await owner.fetchval("select net.http_get($1)", there.url)
        await until_rows(owner, "select count(*) = 1 from net._http_response where id = $1", number)
        assert len(there.asked) == 1
    await owner.close()


@pytest.mark.parametrize("host", ["kong:8000", "supabase_kong_shop:8000", "host.docker.internal:{port}"])
async def test_the_names_of_the_clis_containers_lead_here(
    cluster: Cluster, address: DatabaseAddress, own_minato: Minato, host: str
) -> None:
    owner = await owner_of(cluster, address)
    await owner.execute("create extension pg_net")
    place = host.format(port=own_minato.url.rpartition(":")[2])
    number = await owner.fetchval("select net.http_get('http://' || $1 || '/auth/v1/health')", place)
    await until_rows(owner, "select count(*) = 1 from net._http_response where id = $1", number)
    row = await owner.fetchrow("table net._http_response")
    assert (row["status_code"], row["error_msg"]) == (200, None)
    assert "GoTrue" in row["content"]
    await owner.close()


async def test_another_process_takes_over_when_the_one_that_leads_ends(
    cluster: Cluster, address: DatabaseAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minato.jobs.extensions.STANDBY_SECONDS", 0.05)
    owner = await owner_of(cluster, address)
    await owner.execute("create extension pg_net")
    async with loopback() as there, running(address, settings_for(tmp_path / "second")):
        async with running(address, settings_for(tmp_path / "first")):
            for number in range(1, 21):
                await owner.execute("select net.http_get($1 || '/' || $2::int)", there.url, number)
            await until_rows(owner, "select count(*) = 20 from net._http_response")
        await owner.execute("select net.http_get($1 || '/21')", there.url)
        await until_rows(owner, "select count(*) = 21 from net._http_response")
        assert sorted(int(asked.path[1:]) for asked in there.asked) == list(range(1, 22))
    await owner.close()


async def test_pg_cron_and_pg_net_of_postgresql_itself_are_left_alone(
    cluster: Cluster, address: DatabaseAddress, own_minato: Minato
) -> None:
    """Theirs are C; a function in C stands for them here, for the wheel has neither."""
    await own_minato.db.execute("create extension pg_net")
    await until_rows(own_minato.db, "select count(*) > 0 from pg_locks where classid = 1835626081 and objid = 19")
    await own_minato.db.execute(
        "create or replace function net.wake() returns void language internal as 'pg_notification_queue_usage'"
    )
    attended = own_minato.application.extensions.works["net"]
    assert not await attended.is_present()
