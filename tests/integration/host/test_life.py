"""The life of a branch: made, refused, asleep, awake, dropped without a trace, and what a crash leaves."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from minato.background import ended
from minato.host import branches as module
from minato.host.errors import BranchError

from tests.integration.realtime.phoenix import phoenix
from tests.support.hosted import CONTROL, Backed, Hosted, hosting
from tests.support.postgres import Cluster
from tests.support.waiting import PATIENCE

SESSIONS = "select count(*) from pg_stat_activity where datname = $1"
SLOTS = "select count(*) from pg_replication_slots where database = $1"
DROPS = "select count(*) from pg_stat_activity where query like $1 and state = 'active'"
DATABASES = "select count(*) from pg_database where datname = $1"
SLOW = "create function public.slow() returns int language sql as 'select 1 from pg_sleep(3600)'"
NOTES = {"event": "*", "schema": "public", "table": "notes"}


def database(branch: Backed) -> str:
    return f"b_{branch.told['id']}"


async def counted(hosted: Hosted, statement: str, name: str) -> int:
    db = await asyncpg.connect(hosted.cluster.address("postgres").admin)
    try:
        return int(await db.fetchval(statement, name))
    finally:
        await db.close()


async def test_a_branch_is_told_of_with_all_that_a_client_needs(hosted: Hosted) -> None:
    branch = await hosted.branch(id="checkout", label="cart.spec.ts > pays", ttl="1h30m")
    told = branch.told
    assert told["url"] == f"{hosted.url}/b/checkout"
    assert (told["label"], told["ttl"], told["from"]) == ("cart.spec.ts > pays", 5400.0, "base")
    assert told["db_url"].partition("?")[0].endswith("/b_checkout")
    shown = (await hosted.control.get(f"{CONTROL}/checkout")).json()
    assert shown["size_bytes"] > 1_000_000
    listed = (await hosted.control.get(CONTROL)).json()
    assert [one["id"] for one in listed["branches"]] == ["checkout"]
    assert listed["limit"] == 100
    env = (await hosted.control.get(f"{CONTROL}/checkout/env")).text
    assert f"SUPABASE_URL={told['url']}\n" in env
    page = (await hosted.control.get(f"{CONTROL}/checkout/env?prefix=VITE_&format=json")).json()
    assert page["VITE_SUPABASE_URL"] == told["url"]
    assert not any("SERVICE" in name or "SECRET" in name for name in page)


async def test_a_list_with_figures_keeps_no_branch_awake_or_alive(hosted: Hosted) -> None:
    branch = await hosted.branch(id="late", label="clock.spec.ts")
    async with branch.client() as client:
        await client.put("/_dev/v1/clock", json={"advance": "1h"})
        rule = {"where": "request", "match": {"table": "notes"}, "do": {"status": 503}}
        await client.post("/_dev/v1/faults", json=rule)
    first = (await hosted.control.get(CONTROL, params={"figures": "true"})).json()["branches"][0]
    again = (await hosted.control.get(CONTROL, params={"figures": "true"})).json()["branches"][0]
    assert first["size_bytes"] > 1_000_000
    assert (first["clock"]["offset_s"], first["clock"]["frozen"], first["faults"]) == (3600.0, False, 1)
    assert (first["requests"], first["expires_at"]) == (again["requests"], again["expires_at"])
    assert first["idle_s"] <= again["idle_s"]


async def test_what_becomes_of_branches_is_told_in_the_journal_of_main(hosted: Hosted) -> None:
    await hosted.branch(id="told", label="a.spec.ts")
    await hosted.control.post(f"{CONTROL}/told/reset")
    await hosted.control.delete(f"{CONTROL}/told")
    events = (await hosted.control.get("/_dev/v1/events", params={"kind": "branch", "q": "told"})).json()
    assert [event["data"]["what"] for event in events] == ["dropped", "reset", "created"]
    assert events[0]["data"] == {"id": "told", "label": "a.spec.ts", "from": "base", "what": "dropped"}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"lable": "typo"}, 400, "bad_request"),
        ([], 400, "bad_request"),
        ({"id": "../etc"}, 400, "bad_request"),
        ({"id": "main"}, 400, "bad_request"),
        ({"id": "x" * 40}, 400, "bad_request"),
        ({"ttl": "soon"}, 400, "bad_duration"),
        ({"ttl": -1}, 400, "bad_duration"),
        ({"ttl": "9" * 400 + "d"}, 400, "bad_duration"),
        ({"ttl": "9" * 5000 + "d"}, 400, "bad_duration"),
        ({"from": "nowhere"}, 404, "branch_not_found"),
        ({"keys": "mine"}, 400, "bad_request"),
    ],
)
async def test_what_cannot_be_made_is_refused_by_its_code(hosted: Hosted, body: Any, status: int, code: str) -> None:
    refused = await hosted.control.post(CONTROL, json=body)
    assert (refused.status_code, refused.json()["code"]) == (status, code), refused.text
    assert hosted.branches.living == []


async def test_a_name_is_given_once_and_a_database_of_somebody_elses_is_left_alone(hosted: Hosted) -> None:
    await hosted.branch(id="twice")
    again = await hosted.control.post(CONTROL, json={"id": "twice"})
    assert (again.status_code, again.json()["code"]) == (409, "branch_exists")
    db = await asyncpg.connect(hosted.cluster.address("postgres").admin)
    try:
        await db.execute("create database b_theirs")
        refused = await hosted.control.post(CONTROL, json={"id": "theirs"})
        assert (refused.status_code, refused.json()["code"]) == (409, "branch_exists")
        assert await db.fetchval(DATABASES, "b_theirs") == 1
        assert not (hosted.folder / "branches" / "theirs").exists()
    finally:
        await db.execute("drop database b_theirs")
        await db.close()


async def test_more_than_the_limit_are_refused(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 1)
    await hosted.branch()
    refused = await hosted.control.post(CONTROL)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_branches")


async def test_many_at_once_are_all_made_and_dropped(hosted: Hosted) -> None:
    made = await asyncio.gather(*(hosted.branch() for _ in range(6)))
    assert len({branch.url for branch in made}) == 6
    dropped = await asyncio.gather(*(hosted.control.delete(f"{CONTROL}/{branch.told['id']}") for branch in made))
    assert [answer.status_code for answer in dropped] == [204] * 6


async def test_an_address_without_a_branch_says_so_to_programs_pages_and_sockets(hosted: Hosted) -> None:
    refused = await hosted.control.get("/b/chekout/rest/v1/cars", headers={"origin": "http://localhost:5173"})
    assert refused.status_code == 404
    assert refused.json()["message"] == 'There is no branch "chekout".'
    assert refused.headers["access-control-allow-origin"] == "*"
    preflight = await hosted.control.options("/b/chekout/rest/v1/cars", headers={"origin": "http://localhost:5173"})
    assert preflight.status_code == 204
    for path in ("/b/", "/b/%63hekout/rest/v1/", "/b//rest/v1/", "/b/nobody"):
        assert (await hosted.control.get(path)).status_code == 404, path


async def test_who_may_not_ask_learns_nothing_and_makes_nothing(hosted: Hosted) -> None:
    for headers, code in (
        ({"host": "evil.example"}, "wrong_host"),
        ({"origin": "http://evil.example"}, "wrong_origin"),
        ({"sec-fetch-site": "cross-site"}, "wrong_origin"),
        ({"x-forwarded-for": "8.8.8.8"}, "not_local"),
    ):
        for method in ("GET", "POST"):
            refused = await hosted.control.request(method, CONTROL, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, code)
            assert "access-control-allow-origin" not in refused.headers
    branch = await hosted.branch()
    mails = await hosted.control.get(f"/b/{branch.told['id']}/_dev/outbox", headers={"host": "evil.example"})
    assert mails.status_code == 403


async def test_a_drop_leaves_no_session_slot_database_or_file_and_is_remembered(hosted: Hosted) -> None:
    branch = await hosted.branch()
    name, folder = database(branch), hosted.folder / "branches" / branch.told["id"]
    async with phoenix(branch) as socket, branch.client() as client:
        await socket.follow("room", NOTES)
        await client.post("/rest/v1/notes", json={"body": "one"})
        assert await counted(hosted, SLOTS, name) == 1
        assert folder.is_dir()
        assert (await hosted.control.delete(f"{CONTROL}/{branch.told['id']}")).status_code == 204
        assert await socket.closed() == 1012
        gone = await client.get("/rest/v1/notes")
        assert (gone.status_code, gone.json()["code"]) == (410, "branch_expired")
        assert "was dropped at 20" in gone.json()["message"]
    await hosted.branches.leavings.settle()
    assert [await counted(hosted, each, name) for each in (SESSIONS, SLOTS, DATABASES)] == [0, 0, 0]
    assert not folder.exists()


async def test_a_request_under_way_is_answered_when_its_branch_is_dropped(hosted: Hosted) -> None:
    branch = await hosted.branch()
    async with hosted.session(branch) as db:
        await db.execute(SLOW)
    async with branch.client() as client:
        waiting = asyncio.ensure_future(client.post("/rest/v1/rpc/slow"))
        await until_counted(
            hosted, "select count(*) from pg_stat_activity where datname = $1 and wait_event = 'PgSleep'", branch
        )
        assert (await hosted.control.delete(f"{CONTROL}/{branch.told['id']}")).status_code == 204
        answer = await waiting
    assert (answer.status_code, answer.json()["code"]) == (503, "branch_dropped")


@asynccontextmanager
async def slow_to_go(hosted: Hosted, *branches: Backed) -> AsyncIterator[None]:
    """Make DROP DATABASE wait for these until the block ends, as a checkpoint of a busy disk does."""
    db = await asyncpg.connect(hosted.cluster.address("postgres").admin)
    try:
        async with db.transaction():
            for branch in branches:
                await db.execute(f"comment on database {database(branch)} is 'held'")
            yield
    finally:
        await db.close()


async def test_drops_answer_before_the_databases_are_gone_and_need_one_session_for_all(hosted: Hosted) -> None:
    made = [await hosted.branch(label="slow") for _ in range(4)]
    async with slow_to_go(hosted, *made):
        for branch in made[1:]:
            assert (await hosted.control.delete(f"{CONTROL}/{branch.told['id']}")).status_code == 204
        assert (await hosted.control.delete(f"{CONTROL}?label=slow")).json() == {"deleted": 1}
        await until_counted(hosted, DROPS, "drop database%")
        listed = (await hosted.control.get(CONTROL)).json()
        assert (listed["branches"], listed["leaving"]) == ([], 4)
        async with made[0].client() as client:
            assert (await client.get("/rest/v1/notes")).status_code == 410
        assert (await hosted.branch()).told["id"]
        assert await counted(hosted, DROPS, "drop database%") == 1
    await hosted.branches.leavings.settle()
    assert [await counted(hosted, DATABASES, database(branch)) for branch in made] == [0] * 4
    assert not any((hosted.folder / "branches" / branch.told["id"]).exists() for branch in made)


async def test_a_name_that_is_given_again_waits_for_what_is_left_of_it(hosted: Hosted) -> None:
    first = await hosted.branch(id="again")
    async with first.client() as client:
        await client.post("/rest/v1/notes", json={"body": "of the first"})
    async with slow_to_go(hosted, first):
        assert (await hosted.control.delete(f"{CONTROL}/again")).status_code == 204
        second = asyncio.ensure_future(hosted.branch(id="again"))
        await until_counted(hosted, DROPS, "drop database%")
        assert not second.done()
    async with (await second).client() as client:
        assert (await client.get("/rest/v1/notes")).json() == []


async def test_a_drop_that_postgresql_refused_is_made_up_for_by_the_next_start(
    cluster: Cluster, tmp_path: Path
) -> None:
    db = await asyncpg.connect(cluster.address("postgres").admin)
    async with cluster.fresh_database() as address:
        async with hosting(cluster, tmp_path, address) as hosted:
            branch = await hosted.branch(id="stays")
            await db.execute("alter database b_stays is_template true")
            assert (await hosted.control.delete(f"{CONTROL}/stays")).status_code == 204
            await hosted.branches.leavings.settle()
            assert await db.fetchval(DATABASES, database(branch)) == 1
        assert (tmp_path / "branches" / "stays").is_dir()
        await db.execute("alter database b_stays is_template false")
        async with hosting(cluster, tmp_path, address) as hosted:
            await hosted.branch(id="other")
            assert await db.fetchval(DATABASES, "b_stays") == 0
    await db.close()
    assert sorted(os.listdir(tmp_path / "branches")) == [".templates", "lock"]


async def until_counted(hosted: Hosted, statement: str, of: Backed | str, wanted: int = 1) -> None:
    name = of if isinstance(of, str) else database(of)
    async with asyncio.timeout(PATIENCE):
        while await counted(hosted, statement, name) != wanted:  # noqa: ASYNC110 - rings no bell
            await asyncio.sleep(0.01)


async def test_a_branch_that_nobody_asks_has_no_session_and_learns_at_the_next_request_what_changed(
    hosted: Hosted,
) -> None:
    branch = await hosted.branch()
    async with branch.client() as client:
        async with phoenix(branch) as socket:
            await socket.follow("room", NOTES)
            hosted.branches.clock.advance(timedelta(seconds=6))
            await hosted.branches.look()
            assert await counted(hosted, SLOTS, database(branch)) == 1
        await client.get("/rest/v1/notes")
        hosted.branches.clock.advance(timedelta(seconds=6))
        await hosted.branches.look()
        await until_counted(hosted, SESSIONS, branch, 0)
        assert await counted(hosted, SLOTS, database(branch)) == 0
        async with hosted.session(branch) as db:
            await db.execute("alter table public.notes rename to letters")
        assert (await client.get("/rest/v1/letters")).json() == []
        async with phoenix(branch) as socket:
            await socket.follow("room", {"event": "*", "schema": "public", "table": "letters"})
            await client.post("/rest/v1/letters", json={"body": "awake"})
            assert (await socket.change())["record"]["body"] == "awake"


async def test_a_branch_goes_when_its_time_is_over_and_its_address_says_so(hosted: Hosted) -> None:
    brief, lasting = await hosted.branch(ttl="10s"), await hosted.branch(ttl=0)
    assert lasting.told["expires_at"] is None
    hosted.branches.clock.advance(timedelta(days=1))
    await hosted.branches.look()
    assert [branch.id for branch in hosted.branches.living] == [lasting.told["id"]]
    async with brief.client() as client:
        assert "expired, unused for 10 seconds" in (await client.get("/rest/v1/notes")).json()["message"]


async def test_a_base_that_a_reset_took_along_is_made_again_and_its_branches_are_told_gone(hosted: Hosted) -> None:
    branch = await hosted.branch()
    base = hosted.branches.base.known
    assert base is not None
    db = await asyncpg.connect(hosted.cluster.address("postgres").admin)
    try:
        await db.execute(f"drop database {base.database} with (force)")
        await db.execute(f"drop database {database(branch)} with (force)")
    finally:
        await db.close()
    async with branch.client() as client:
        assert (await client.get("/rest/v1/notes")).status_code == 503
        await hosted.branches.look()
        gone = await client.get("/rest/v1/notes")
        assert gone.status_code == 410, gone.text
        assert "lost its database" in gone.json()["message"]
    other = await hosted.branch()
    async with other.client() as client:
        assert (await client.get("/rest/v1/notes")).json() == []


async def lose_database(hosted: Hosted, branch: Backed) -> None:
    """Drop it as a reset of the project does, and let the branch notice."""
    db = await asyncpg.connect(hosted.cluster.address("postgres").admin)
    try:
        await db.execute(f"drop database {database(branch)} with (force)")
    finally:
        await db.close()
    async with branch.client() as client:
        assert (await client.get("/rest/v1/notes")).status_code == 503


async def test_two_who_look_after_branches_at_once_drop_a_lost_one_once(hosted: Hosted) -> None:
    branch = await hosted.branch()
    await lose_database(hosted, branch)
    await asyncio.gather(hosted.branches.look(), hosted.branches.look())
    assert hosted.branches.living == []


async def test_a_branch_that_is_reset_while_its_database_is_looked_for_stays(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    branch = await hosted.branch()
    # Nobody else looks, who would find the database gone; the next branch that is made has somebody look again.
    await ended(hosted.branches._beat)
    await lose_database(hosted, branch)
    exists = hosted.branches.databases.exists

    async def resetting(name: str) -> bool:
        found = await exists(name)
        monkeypatch.setattr(hosted.branches.databases, "exists", exists)
        await hosted.branches.reset(branch.told["id"])
        return found

    monkeypatch.setattr(hosted.branches.databases, "exists", resetting)
    await hosted.branches.look()
    async with branch.client() as client:
        assert (await client.get("/rest/v1/notes")).json() == []


async def test_what_a_crash_left_is_dropped_by_the_next_start(cluster: Cluster, tmp_path: Path) -> None:
    left = tmp_path / "branches" / "left"
    (left / "storage").mkdir(parents=True)
    db = await asyncpg.connect(cluster.address("postgres").admin)
    await db.execute("create database b_left")
    async with cluster.fresh_database() as address, hosting(cluster, tmp_path, address) as hosted:
        await hosted.branch(id="other")
        assert await db.fetchval(DATABASES, "b_left") == 0
        assert not left.exists()
    await db.close()
    assert sorted(os.listdir(tmp_path / "branches")) == [".templates", "lock"]


async def test_two_servers_do_not_share_a_folder(cluster: Cluster, tmp_path: Path) -> None:
    async with (
        cluster.fresh_database() as first,
        cluster.fresh_database() as second,
        hosting(cluster, tmp_path, first) as one,
        hosting(cluster, tmp_path, second) as two,
    ):
        await one.branch()
        refused = await two.control.post(CONTROL)
        assert (refused.status_code, refused.json()["code"]) == (501, "branches_unavailable")


async def test_a_login_that_may_not_create_databases_is_told_what_it_lacks(cluster: Cluster, tmp_path: Path) -> None:
    async with cluster.fresh_database() as address, hosting(cluster, tmp_path, address) as hosted:
        login = address.admin.replace("supabase_admin", "authenticator", 1)
        hosted.branches.databases._main = type(address)(login, address.authenticator, trusting=True)
        refused = await hosted.control.post(CONTROL)
        assert (refused.status_code, refused.json()["code"]) == (501, "branches_unavailable")
        assert "createdb" in refused.json()["hint"]
        with pytest.raises(BranchError):
            hosted.branches.require("any")


async def test_main_goes_on_as_ever(hosted: Hosted) -> None:
    async with hosted.main.client() as client, httpx.AsyncClient(base_url=hosted.url) as anybody:
        assert (await client.get("/auth/v1/admin/users")).status_code == 200
        assert (await anybody.get("/healthz")).text == "ok"
        assert (await anybody.get("/_dev/v1/nothing")).status_code == 404
        nothing = await anybody.put(CONTROL, content=json.dumps({}))
        assert (nothing.status_code, nothing.json()["code"]) == (405, "no_such_endpoint")
