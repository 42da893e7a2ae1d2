"""A database that drops its connections is found again."""

from __future__ import annotations

import asyncio

import asyncpg
import httpx

from tests.support.data_api import SECRET, got, serving
from tests.support.postgres import Cluster
from tests.support.server import Minato
from tests.support.waiting import until

TERMINATE = (
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator' and pid <> pg_backend_pid()"
)


async def test_requests_work_again_after_every_connection_was_cut(club: Minato, anon: httpx.AsyncClient) -> None:
    await asyncio.gather(*(anon.get("/teams") for _ in range(10)))
    await club.db.execute(TERMINATE + " and datname = current_database()")
    answers = [(await anon.get("/teams")).status_code for _ in range(20)]
    assert set(answers) <= {200, 503}
    assert answers[-1] == 200


async def test_a_connection_cut_under_a_request_is_503(club: Minato, anon: httpx.AsyncClient) -> None:
    await club.db.execute(
        "create or replace function cut() returns void language sql security definer as "
        "$$ select pg_terminate_backend(pg_backend_pid()) $$"
    )
    answer = await anon.post("/rpc/cut")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert (await anon.get("/teams")).status_code == 200


async def test_an_api_that_was_there_before_its_database_serves_when_it_comes(cluster: Cluster) -> None:
    async with cluster.bare_database() as address:
        name = address.admin.rpartition("/")[2].partition("?")[0]
        db = await asyncpg.connect(cluster.address("postgres").admin)
        await db.execute(f"alter database {name} allow_connections false")
        given = {"PGRST_DB_URI": address.authenticator, "PGRST_JWT_SECRET": SECRET, "PGRST_DB_ANON_ROLE": "anon"}
        async with serving(None, {**given, "PGRST_DB_SCHEMAS": "public"}) as alone:
            assert (await got(alone, "/nothing")).json()["code"] == "PGRST002"
            await db.execute(f"alter database {name} allow_connections true")
            await until(lambda: alone.app.room.is_ready)
            assert (await got(alone, "/")).status_code == 200
        await db.close()
