"""A branch that is reset stays where it is: for who presses twice, for who looks meanwhile, and for who misspells."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncpg
import pytest

from tests.support.hosted import CONTROL, Hosted


async def test_who_resets_twice_at_once_has_it_reset_twice(hosted: Hosted) -> None:
    await hosted.branch(id="twice")
    answers = await asyncio.gather(*(hosted.control.post(f"{CONTROL}/twice/reset") for _ in range(3)))
    assert [answer.status_code for answer in answers] == [200, 200, 200], [answer.text for answer in answers]
    assert (await hosted.control.get(f"{CONTROL}/twice")).status_code == 200


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "", 200), ("GET", "/env", 200), ("DELETE", "", 204)])
async def test_a_call_about_a_branch_that_is_being_reset_waits_for_it(
    hosted: Hosted, method: str, path: str, status: int
) -> None:
    await hosted.branch(id="awaited")
    resetting = asyncio.ensure_future(hosted.control.post(f"{CONTROL}/awaited/reset"))
    while not hosted.branches.is_arriving("awaited"):  # noqa: ASYNC110 - rings no bell
        await asyncio.sleep(0)
    answer = await hosted.control.request(method, f"{CONTROL}/awaited{path}")
    assert answer.status_code == status, answer.text
    assert (await resetting).status_code == 200


async def test_an_assistant_that_asks_during_a_reset_waits_for_its_end(hosted: Hosted) -> None:
    await hosted.branch(id="asked")
    resetting = asyncio.ensure_future(hosted.control.post(f"{CONTROL}/asked/reset"))
    while not hosted.branches.is_arriving("asked"):  # noqa: ASYNC110 - rings no bell
        await asyncio.sleep(0)
    call = {"name": "execute_sql", "arguments": {"project_id": "asked", "query": "select 1"}}
    told = await hosted.control.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    assert told.json()["result"]["isError"] is False, told.text
    assert (await resetting).status_code == 200


async def test_a_reset_to_a_source_that_others_are_connected_to_is_refused_and_the_branch_stays(hosted: Hosted) -> None:
    one = await hosted.branch(id="kept", **{"from": "main"})
    async with hosted.session(one) as own:
        await own.execute("create table public.mine ()")
    db = await asyncpg.connect(hosted.main.backend.database.address.admin)
    try:
        refused = await hosted.control.post(f"{CONTROL}/kept/reset")
    finally:
        await db.close()
    assert (refused.status_code, refused.json()["code"]) == (409, "source_busy"), refused.text
    async with hosted.session(one) as own:
        assert await own.fetchval("select to_regclass('public.mine') is not null")
    again = await hosted.control.post(f"{CONTROL}/kept/reset")
    assert again.status_code == 200, again.text
    async with hosted.session(one) as own:
        assert await own.fetchval("select to_regclass('public.mine') is null")
    await hosted.control.delete(f"{CONTROL}/kept")
    await hosted.branches.leavings.settle()
    left = await databases_of(hosted)
    assert [name for name in left if name.startswith("b_r")] == []


async def test_a_reset_while_the_base_cannot_be_made_is_refused_and_the_branch_stays(hosted: Hosted) -> None:
    one = await hosted.branch(id="stays")
    async with hosted.session(one) as own:
        await own.execute("insert into public.notes (body) values ('kept')")
    was, fill = hosted.ground.text, hosted.ground.fill

    async def broken(database: str, folder: Path) -> None:
        raise ValueError("a migration has a mistake")

    hosted.ground.text, hosted.ground.fill = "with a mistake", broken  # type: ignore[method-assign]
    try:
        refused = await hosted.control.post(f"{CONTROL}/stays/reset")
    finally:
        hosted.ground.text, hosted.ground.fill = was, fill  # type: ignore[method-assign]
    assert (refused.status_code, refused.json()["code"]) == (409, "template_stale"), refused.text
    async with one.client() as client:
        assert [row["body"] for row in (await client.get("/rest/v1/notes")).json()] == ["kept"]


async def databases_of(hosted: Hosted) -> list[str]:
    db = await asyncpg.connect(hosted.main.backend.database.address.admin)
    try:
        return [row["datname"] for row in await db.fetch("select datname from pg_database")]
    finally:
        await db.close()


async def test_a_branch_is_not_reset_to_itself_and_stays(hosted: Hosted) -> None:
    await hosted.branch(id="self")
    refused = await hosted.control.post(f"{CONTROL}/self/reset", json={"to": "self"})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_request"), refused.text
    assert (await hosted.control.get(f"{CONTROL}/self")).status_code == 200
