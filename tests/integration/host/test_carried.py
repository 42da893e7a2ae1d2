"""A snapshot has the time, the outbox and the draws of its source; whoever comes from it goes on from there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from minato.host.carried import CARRIED

from tests.support.hosted import CONTROL, Backed, Hosted

SNAPSHOTS = "/_dev/v1/snapshots"
NOON = "2026-12-01T12:00:00.000Z"


@pytest.fixture(autouse=True)
async def _drop_snapshots(hosted: Hosted) -> AsyncIterator[None]:
    yield
    for each in (await hosted.control.get(SNAPSHOTS)).json()["snapshots"]:
        (await hosted.control.delete(f"{SNAPSHOTS}/{each['name']}")).raise_for_status()


async def sign_up(branch: Backed, email: str) -> dict[str, Any]:
    async with branch.public() as client:
        answer = await client.post("/auth/v1/signup", json={"email": email, "password": "correct horse"})
        answer.raise_for_status()
        told: dict[str, Any] = answer.json()
        return told


async def move(branch: Backed, **wanted: Any) -> None:
    async with branch.client() as client:
        (await client.put("/_dev/v1/clock", json=wanted)).raise_for_status()


async def clock(branch: Backed) -> dict[str, Any]:
    async with branch.client() as client:
        told: dict[str, Any] = (await client.get("/_dev/v1/clock")).json()
        return told


async def mails(branch: Backed) -> list[dict[str, Any]]:
    async with branch.client() as client:
        told: list[dict[str, Any]] = (await client.get("/_dev/outbox")).json()
        return told


async def saved(hosted: Hosted, name: str, of: str) -> None:
    answer = await hosted.control.post(SNAPSHOTS, json={"name": name, "of": of, "replace": True})
    assert answer.status_code == 201, answer.text


async def test_a_branch_of_a_snapshot_has_its_time_and_its_mails_whose_links_lead_to_the_branch(hosted: Hosted) -> None:
    source = await hosted.branch()
    await move(source, freeze=NOON, sql=True)
    await sign_up(source, "first@example.com")
    await sign_up(source, "second@example.com")
    await saved(hosted, "frozen", source.told["id"])
    await sign_up(source, "later@example.com")
    branch = await hosted.branch(**{"from": "snapshot:frozen"})
    told = await clock(branch)
    assert (told["now"], told["frozen"], told["sql"]) == (NOON, True, "on")
    async with hosted.session(branch) as db:
        assert (await db.fetchval("select now()")).isoformat() == "2026-12-01T12:00:00+00:00"
    kept = await mails(branch)
    assert [mail["to"] for mail in kept] == ["second@example.com", "first@example.com"]
    assert kept[0]["link"].startswith(f"{branch.url}/auth/v1/verify")
    async with branch.public() as client:
        assert "access_token" in (await client.get(kept[0]["link"])).headers["location"]
    assert len(await mails(source)) == 3


async def test_a_time_that_goes_on_is_as_far_ahead(hosted: Hosted) -> None:
    source = await hosted.branch()
    await move(source, advance="1d")
    ahead = (await clock(source))["offset_s"]
    await saved(hosted, "tomorrow", source.told["id"])
    branch = await hosted.branch(**{"from": "snapshot:tomorrow"})
    told = await clock(branch)
    assert (told["frozen"], told["sql"], told["offset_s"]) == (False, "off", pytest.approx(ahead, abs=0.01))
    await move(branch, advance="1d")
    await hosted.control.post(f"{CONTROL}/{branch.told['id']}/reset", json={"to": "snapshot:tomorrow"})
    assert (await clock(branch))["offset_s"] == pytest.approx(ahead, abs=0.01)


async def test_who_comes_back_to_a_snapshot_draws_no_id_again_that_is_there(hosted: Hosted) -> None:
    branch = await hosted.branch(seed=7)
    first = await sign_up(branch, "a@example.com")
    await saved(hosted, "seeded", branch.told["id"])
    await hosted.control.post(f"{CONTROL}/{branch.told['id']}/reset", json={"to": "snapshot:seeded"})
    second = await sign_up(branch, "b@example.com")
    again = await hosted.branch(seed=7, **{"from": "snapshot:seeded"})
    assert first["id"] != second["id"] == (await sign_up(again, "b@example.com"))["id"]
    other = await hosted.branch(seed=8, **{"from": "snapshot:seeded"})
    assert (await sign_up(other, "b@example.com"))["id"] not in (first["id"], second["id"])


async def test_main_comes_back_to_the_mails_and_the_time_of_a_snapshot(hosted: Hosted) -> None:
    hosted.main.backend.outbox.clear()
    try:
        await sign_up(hosted.main, "carried@example.com")
        await move(hosted.main, advance="2h")
        ahead = (await clock(hosted.main))["offset_s"]
        await saved(hosted, "whole", "main")
        await move(hosted.main, reset=True)
        hosted.main.backend.outbox.clear()
        answer = await hosted.control.post(f"{CONTROL}/main/reset", json={"to": "snapshot:whole"})
        assert answer.status_code == 200, answer.text
        assert [mail["to"] for mail in await mails(hosted.main)] == ["carried@example.com"]
        assert (await clock(hosted.main))["offset_s"] == pytest.approx(ahead, abs=0.01)
    finally:
        await move(hosted.main, reset=True)
        hosted.main.backend.outbox.clear()


async def test_a_branch_of_main_has_a_time_and_an_outbox_of_its_own(hosted: Hosted) -> None:
    await move(hosted.main, advance="2h")
    try:
        branch = await hosted.branch(**{"from": "main"})
        assert ((await clock(branch))["offset_s"], await mails(branch)) == (0, [])
    finally:
        await move(hosted.main, reset=True)


async def test_a_snapshot_of_an_older_release_has_the_real_time_and_no_mails(hosted: Hosted) -> None:
    source = await hosted.branch()
    await sign_up(source, "a@example.com")
    source.backend.clock.advance(timedelta(hours=1))
    await saved(hosted, "older", source.told["id"])
    (hosted.branches.sources.snapshots.place("older") / CARRIED).unlink()
    branch = await hosted.branch(**{"from": "snapshot:older"})
    assert ((await clock(branch))["offset_s"], await mails(branch)) == (0, [])


async def test_a_snapshot_of_a_snapshot_has_the_same(hosted: Hosted) -> None:
    source = await hosted.branch()
    await sign_up(source, "a@example.com")
    await saved(hosted, "one", source.told["id"])
    await saved(hosted, "two", "snapshot:one")
    branch = await hosted.branch(**{"from": "snapshot:two"})
    assert [mail["to"] for mail in await mails(branch)] == ["a@example.com"]
