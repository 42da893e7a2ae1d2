"""A single connection serves everybody in turn: nothing of one is left for the next, and it can't be held for ever."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.data_api import Serve, got, token
from tests.support.waiting import PATIENCE

STEPS = {
    "reads": ("GET", "/books?id=eq.1", None),
    "fails": ("GET", "/books?nothing=eq.1", None),
    "breaks a constraint": ("POST", "/books", {"id": 1}),
    "keeps a setting": ("POST", "/rpc/keep", {"value": "mine"}),
    "takes too long": ("POST", "/rpc/slow", {}),
    "is refused at the end": ("PATCH", "/books?id=eq.1", {"price": 5}),
    "leaves": ("POST", "/rpc/wait", {"seconds": 30}),
}
MINE = {"x-mine": "secret", "prefer": "timezone=Asia/Tokyo, max-affected=0, handling=strict"}
CLEAN = {"role": "alone_web", "claims": {"role": "alone_web"}, "kept": None, "header": None, "read_only": "on"}


async def take(client: httpx.AsyncClient, step: str) -> None:
    method, path, body = STEPS[step]
    patience = 0.3 if step == "leaves" else 30
    with suppress(httpx.TimeoutException):
        await client.request(method, path, json=body, headers=MINE if "refused" in step else {}, timeout=patience)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=4))
async def test_whatever_one_caller_does_the_next_sees_nothing_of_it(serve: Serve, steps: list[str]) -> None:
    async with serve(db_pool=1) as alone:
        async with alone.client(token(role="alone_member", secret="mine")) as member:
            for step in steps:
                await take(member, step)
        seen = (await got(alone, "/rpc/seen")).json()
        assert {name: seen[name] for name in CLEAN} == CLEAN
        assert (seen["path"], seen["timeout"]) == ('"api", "public"', "0")


async def test_who_finds_no_free_connection_is_told_and_later_served(serve: Serve) -> None:
    async with serve(db_pool=1, db_pool_acquisition_timeout=0.2) as alone, alone.client() as client:
        holding = asyncio.create_task(client.post("/rpc/wait", json={"seconds": 1}))
        async with asyncio.timeout(PATIENCE):
            while (refused := await client.get("/books")).status_code == 200:
                pass
        assert (refused.status_code, refused.json()) == (
            504,
            {
                "code": "PGRST003",
                "message": "Timed out acquiring connection from connection pool.",
                "details": None,
                "hint": None,
            },
        )
        assert (await holding).status_code == 204
        assert (await client.get("/books")).status_code == 200


@pytest.mark.parametrize("option", ["db_pool_max_lifetime", "db_pool_max_idletime"])
async def test_a_connection_is_replaced_when_its_time_is_over(serve: Serve, option: str) -> None:
    async with serve(db_pool=2, **{option: "0.01"}) as alone, alone.client() as client:
        for _ in range(3):
            answers = await asyncio.gather(*(client.get("/books?id=eq.1") for _ in range(8)))
            assert {answer.status_code for answer in answers} == {200}
