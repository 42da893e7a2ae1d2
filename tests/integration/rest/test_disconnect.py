"""A client that leaves does not leave its query behind."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import httpx

from tests.support.server import Minato
from tests.support.waiting import PATIENCE

LOCK = 7_431
HOLD = f"""
create or replace function hold() returns void language plpgsql as
  $$ begin perform pg_advisory_xact_lock({LOCK}); perform pg_sleep(60); end $$
"""
HELD = "select count(*) from pg_locks where locktype = 'advisory' and objid = $1 and granted"


async def test_a_client_that_disconnects_cancels_its_query(club: Minato, anon: httpx.AsyncClient) -> None:
    await club.db.execute(HOLD)
    async with club.client() as leaving:
        request = asyncio.create_task(leaving.post("/rest/v1/rpc/hold"))
        async with asyncio.timeout(PATIENCE):
            while not await club.db.fetchval(HELD, LOCK):
                pass
        request.cancel()
        with suppress(asyncio.CancelledError):
            await request
    async with asyncio.timeout(PATIENCE), club.db.transaction():
        # Only a function that was stopped gives its lock back this early.
        await club.db.execute(f"select pg_advisory_xact_lock({LOCK})")
    assert (await anon.get("/teams")).status_code == 200
