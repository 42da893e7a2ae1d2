"""A database that drops its connections is found again."""

from __future__ import annotations

import asyncio

import httpx

from tests.support.server import Minato

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
