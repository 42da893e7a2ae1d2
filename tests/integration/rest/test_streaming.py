"""Large results pass through: nobody holds them, and the session is whole afterwards."""

from __future__ import annotations

import asyncio
import hashlib

import httpx
import psutil
import pytest

from tests.support.server import Minato
from tests.support.waiting import PATIENCE

BIG = """
create or replace function big(rows int) returns setof text language sql stable as
  $$ select repeat(md5(n::text), 512) from generate_series(1, rows) n $$;
create or replace function big_json(rows int) returns json language sql stable as
  $$ select json_agg(repeat(md5(n::text), 512)) from generate_series(1, rows) n $$;
create domain "application/octet-stream" as bytea;
create function blob(mebibytes int) returns "application/octet-stream" language sql stable as
  $$ select convert_to(repeat(repeat('x', 1024), mebibytes * 1024), 'UTF8') $$;
notify pgrst, 'reload schema';
"""
MEBIBYTE = 1024 * 1024


@pytest.fixture(scope="module")
async def big(club: Minato, anon: httpx.AsyncClient) -> httpx.AsyncClient:
    await club.db.execute(BIG)
    await club.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
    return anon


async def test_a_large_result_arrives_whole(big: httpx.AsyncClient) -> None:
    answer = await big.get("/rpc/big_json?rows=200")
    expected = [hashlib.md5(str(number).encode()).hexdigest() * 512 for number in range(1, 201)]
    assert answer.json() == expected
    assert int(answer.headers["content-length"]) == len(answer.content) > 3 * MEBIBYTE


async def test_memory_stays_flat_however_large_the_result(big: httpx.AsyncClient, club: Minato) -> None:
    process, size, peak = psutil.Process(), 0, 0
    # The one role whose statements may take as long as they like.
    async with club.client(club.service_role_key, accept="application/octet-stream") as client:
        await client.get("/rest/v1/rpc/blob?mebibytes=2")
        before = process.memory_info().rss
        async with client.stream("GET", "/rest/v1/rpc/blob?mebibytes=100") as answer:
            assert answer.status_code == 200
            async for piece in answer.aiter_raw():
                size += len(piece)
                peak = max(peak, process.memory_info().rss)
    assert size == 100 * MEBIBYTE
    assert peak - before < 30 * MEBIBYTE


async def test_large_results_at_once_do_not_mix(big: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(big.get(f"/rpc/big_json?rows={100 + number}") for number in range(12)))
    assert [len(answer.json()) for answer in answers] == [100 + number for number in range(12)]
    assert (await big.get("/teams?id=eq.1")).json() == [{"id": 1, "title": "A"}]


async def test_who_leaves_in_the_middle_blocks_nobody(big: httpx.AsyncClient, club: Minato) -> None:
    for _ in range(4):
        async with club.client() as leaving, leaving.stream("GET", "/rest/v1/rpc/big_json?rows=1000") as answer:
            assert answer.status_code == 200
    async with asyncio.timeout(PATIENCE):
        answers = await asyncio.gather(*(big.get("/teams?id=eq.1") for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}


async def test_a_large_result_may_still_be_refused(big: httpx.AsyncClient) -> None:
    accept = {"accept": "application/vnd.pgrst.object+json"}
    answer = await big.get("/rpc/big?rows=200", headers=accept)
    assert answer.status_code == 200 or answer.json()["code"] == "PGRST116"
    assert (await big.get("/rpc/big?rows=2", headers=accept)).json()["details"] == "The result contains 2 rows"
    assert (await big.get("/teams?id=eq.1")).status_code == 200


async def test_a_hundred_thousand_rows_are_inserted_at_once(big: httpx.AsyncClient) -> None:
    rows = [{"id": 1000 + number, "title": f"Team {number}"} for number in range(100_000)]
    answer = await big.post("/teams", json=rows, headers={"prefer": "count=exact, tx=rollback"})
    assert (answer.status_code, answer.headers["content-range"]) == (201, "*/100000")
