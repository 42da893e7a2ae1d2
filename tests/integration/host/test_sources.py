"""What a branch comes from besides the template: main and branches as they are now, snapshots; and resets."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncpg
import pytest
from minato.host import databases, holding

from tests.integration.realtime.phoenix import phoenix
from tests.support.hosted import BUCKET, CONTROL, Backed, Hosted, hosting
from tests.support.postgres import Cluster
from tests.support.waiting import PATIENCE

SNAPSHOTS = "/_dev/v1/snapshots"
NOTES = {"event": "*", "schema": "public", "table": "notes"}


async def noted(branch: Backed, body: str) -> None:
    async with branch.client() as client:
        assert (await client.post("/rest/v1/notes", json={"body": body})).status_code == 201


async def bodies(branch: Backed) -> list[str]:
    async with branch.client() as client:
        return [row["body"] for row in (await client.get("/rest/v1/notes?order=id")).json()]


async def test_a_branch_of_a_branch_begins_with_what_is_there_and_both_go_their_way(hosted: Hosted) -> None:
    one = await hosted.branch()
    await noted(one, "before")
    async with one.client() as client:
        await client.post(f"/storage/v1/object/{BUCKET}/own.txt", content=b"own")
    async with phoenix(one) as socket:
        await socket.follow("room", NOTES)
        other = await hosted.branch(**{"from": one.told["id"]})
        await noted(one, "of one")
        await noted(other, "of the other")
        # Asked again once changes flow again; nobody is told of a loss, as nothing was committed meanwhile.
        assert (await socket.system("room"))["message"] == "Subscribed to PostgreSQL"
        assert (await socket.change())["record"]["body"] == "of one"
    assert await bodies(one) == ["before", "of one"]
    assert await bodies(other) == ["before", "of the other"]
    async with other.client() as client:
        assert (await client.get(f"/storage/v1/object/public/{BUCKET}/own.txt")).content == b"own"


@pytest.mark.parametrize("role", ["supabase_auth_admin", "supabase_storage_admin"])
async def test_main_is_copied_while_what_it_does_beside_requests_asks_for_sessions(
    hosted: Hosted, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Who never gets a turn waits for ever, on a busy machine and on one at rest.
    for waiting in (holding, databases):
        monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 30.0)
    database = hosted.main.backend.database

    async def house() -> None:
        while True:
            async with database.service(role).pool.lent(30):
                await asyncio.sleep(0)
            async with database.engine(role).begin() as session:
                await session.exec_driver_sql("select 1")
            await asyncio.sleep(0)

    keeping = asyncio.create_task(house())
    try:
        for _ in range(3):
            await hosted.branch(**{"from": "main"})
    finally:
        keeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeping


async def test_who_copies_a_branch_that_is_dropped_meanwhile_is_told_so(hosted: Hosted) -> None:
    await hosted.branch(id="going")
    copying = asyncio.ensure_future(hosted.control.post(CONTROL, json={"from": "going"}))
    dropped, copied = await asyncio.gather(hosted.control.delete(f"{CONTROL}/going"), copying)
    assert dropped.status_code == 204
    if copied.status_code != 201:
        assert (copied.status_code, copied.json()["code"]) == (404, "branch_not_found"), copied.text


async def test_main_is_copied_while_other_branches_are_made_and_listed(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Who lists without a pause is at work in all of them; what matters is that nobody waits for ever.
    for module in (holding, databases):
        monkeypatch.setattr(module, "PATIENCE_SECONDS", PATIENCE)

    async def listed() -> None:
        while True:
            await hosted.control.get(CONTROL, params={"figures": "true"})

    listing = asyncio.create_task(listed())
    try:
        for _ in range(2):
            asked = [hosted.control.post(CONTROL, json={"from": name}) for name in ("main", "base", "main", "base")]
            answers = await asyncio.gather(*asked)
            assert [answer.status_code for answer in answers] == [201] * 4, [answer.text for answer in answers]
    finally:
        listing.cancel()


async def test_a_branch_whose_events_somebody_watches_is_copied_and_the_watch_goes_on(hosted: Hosted) -> None:
    one = await hosted.branch()
    stream = {"accept": "text/event-stream"}
    async with one.client() as client, client.stream("GET", "/_dev/v1/events?kind=request", headers=stream) as watched:
        other = await hosted.branch(**{"from": one.told["id"]})
        saved = await hosted.control.post(SNAPSHOTS, json={"name": "watched", "of": one.told["id"]})
        assert saved.status_code == 201, saved.text
        await noted(one, "seen")
        async with asyncio.timeout(PATIENCE):
            assert "POST /rest/v1/notes" in await anext(line async for line in watched.aiter_lines() if "notes" in line)
    assert await bodies(other) == []
    await hosted.control.delete(f"{SNAPSHOTS}/watched")


async def test_a_session_that_ends_as_nobody_used_it_is_lent_to_nobody(hosted: Hosted) -> None:
    database = hosted.main.backend.database

    async def ask() -> None:
        for _ in range(200):
            async with database.engine("supabase_storage_admin").begin() as session:
                await session.exec_driver_sql("select 1")
            await asyncio.sleep(0)

    asking = asyncio.create_task(ask())
    while not asking.done():
        await database.rest()
        await asyncio.sleep(0)
    await asking


async def test_a_branch_of_main_has_mains_users_and_main_goes_on(hosted: Hosted) -> None:
    account = {"email": "of-main@example.com", "password": "correct horse battery", "email_confirm": True}
    async with hosted.main.client() as client:
        assert (await client.post("/auth/v1/admin/users", json=account)).status_code == 200
        branch, others = await asyncio.gather(hosted.branch(**{"from": "main"}), client.get("/auth/v1/admin/users"))
        assert others.status_code == 200
    async with branch.public() as client:
        signed = await client.post("/auth/v1/token?grant_type=password", json=account)
        assert signed.status_code == 200, signed.text
    async with hosted.main.client() as client:
        assert (await client.get("/auth/v1/admin/users")).status_code == 200


async def test_a_source_that_others_are_connected_to_is_busy_unless_they_may_be_ended(hosted: Hosted) -> None:
    one = await hosted.branch()
    db = await asyncpg.connect(
        one.backend.database.address.admin, server_settings={"application_name": "a person's psql"}
    )
    try:
        busy = await hosted.control.post(CONTROL, json={"from": one.told["id"]})
        assert (busy.status_code, busy.json()["code"]) == (409, "source_busy")
        assert "a person's psql" in busy.json()["message"]
        await hosted.branch(**{"from": one.told["id"], "force": True})
        assert db.is_closed()
    finally:
        db.terminate()
    assert await bodies(one) == []


async def test_a_reset_begins_anew_at_the_same_address_with_the_same_keys(hosted: Hosted) -> None:
    one = await hosted.branch(id="again", label="kept", ttl="20m")
    await noted(one, "goes")
    reset = await hosted.control.post(f"{CONTROL}/again/reset")
    assert reset.status_code == 200, reset.text
    told = reset.json()
    assert [told[name] for name in ("url", "anon_key", "label", "ttl")] == [
        one.told["url"],
        one.told["anon_key"],
        "kept",
        1200.0,
    ]
    assert await bodies(one) == []


async def test_a_request_that_comes_during_a_reset_waits_for_its_end(hosted: Hosted) -> None:
    one = await hosted.branch(id="waited")
    await noted(one, "goes")
    resetting = asyncio.ensure_future(hosted.control.post(f"{CONTROL}/waited/reset"))
    while not hosted.branches.is_arriving("waited"):  # noqa: ASYNC110 - rings no bell
        await asyncio.sleep(0)
    assert await bodies(one) == []
    assert (await resetting).status_code == 200


async def test_a_snapshot_is_kept_told_of_come_back_to_and_dropped(hosted: Hosted) -> None:
    one = await hosted.branch()
    await noted(one, "paid")
    made = await hosted.control.post(SNAPSHOTS, json={"name": "paid", "of": one.told["id"]})
    assert made.status_code == 201, made.text
    assert made.json()["files"] > 0
    again = await hosted.control.post(SNAPSHOTS, json={"name": "paid", "of": one.told["id"]})
    assert (again.status_code, again.json()["code"]) == (409, "snapshot_exists")
    await noted(one, "later")
    other = await hosted.branch(**{"from": "snapshot:paid"})
    assert await bodies(other) == ["paid"]
    await hosted.control.post(f"{CONTROL}/{one.told['id']}/reset", json={"to": "snapshot:paid"})
    assert await bodies(one) == ["paid"]
    assert [each["name"] for each in (await hosted.control.get(SNAPSHOTS)).json()["snapshots"]] == ["paid"]
    assert (await hosted.control.delete(f"{SNAPSHOTS}/paid")).status_code == 204
    gone = await hosted.control.post(CONTROL, json={"from": "snapshot:paid"})
    assert (gone.status_code, gone.json()["code"]) == (404, "snapshot_not_found")


async def test_a_snapshot_that_could_not_be_replaced_is_still_there(hosted: Hosted) -> None:
    one = await hosted.branch()
    await noted(one, "kept")
    asked = {"name": "old", "of": one.told["id"]}
    assert (await hosted.control.post(SNAPSHOTS, json=asked)).status_code == 201
    await noted(one, "later")
    async with hosted.session(one):
        busy = await hosted.control.post(SNAPSHOTS, json={**asked, "replace": True})
        assert (busy.status_code, busy.json()["code"]) == (409, "source_busy")
    assert await bodies(await hosted.branch(**{"from": "snapshot:old"})) == ["kept"]
    assert (await hosted.control.post(SNAPSHOTS, json={**asked, "replace": True})).status_code == 201
    assert await bodies(await hosted.branch(**{"from": "snapshot:old"})) == ["kept", "later"]
    assert (await hosted.control.delete(f"{SNAPSHOTS}/old")).status_code == 204


@pytest.mark.parametrize("asked", [{"name": "../up"}, {"name": "x", "of": "nobody"}, {"name": "x", "off": 1}])
async def test_a_snapshot_that_cannot_be_is_refused(hosted: Hosted, asked: dict[str, object]) -> None:
    assert (await hosted.control.post(SNAPSHOTS, json=asked)).status_code in (400, 404)
    assert (await hosted.control.get(SNAPSHOTS)).json() == {"snapshots": []}


async def test_labels_and_time_to_live_change_and_a_label_drops_many(hosted: Hosted) -> None:
    made = [await hosted.branch(label=f"cart.spec.ts > {n}") for n in range(2)]
    kept = await hosted.branch(label="other")
    changed = await hosted.control.patch(f"{CONTROL}/{kept.told['id']}", json={"label": "third", "ttl": "1h"})
    assert (changed.json()["label"], changed.json()["ttl"]) == ("third", 3600.0)
    assert (await hosted.control.delete(CONTROL)).status_code == 400
    deleted = await hosted.control.delete(CONTROL, params={"label": "cart.spec.ts"})
    assert deleted.json() == {"deleted": len(made)}
    assert [branch.id for branch in hosted.branches.living] == [kept.told["id"]]


async def test_the_template_is_made_anew_when_what_it_is_made_of_changes(hosted: Hosted) -> None:
    first = await hosted.branch()
    ground = hosted.ground
    before, former = ground.filled, hosted.branches.base.known
    ground.text += ", and then a migration"
    second = await hosted.branch()
    assert ground.filled == before + 1
    assert former != hosted.branches.base.known
    assert await bodies(first) == await bodies(second) == []


async def test_each_branch_has_a_clock_and_a_clone_begins_in_the_present(hosted: Hosted) -> None:
    one = await hosted.branch()
    async with one.client() as client:
        moved = await client.put("/_dev/v1/clock", json={"advance": "30d", "sql": True})
        assert (moved.status_code, moved.json()["sql"]) == (200, "on"), moved.text
    other = await hosted.branch(**{"from": one.told["id"]})
    ahead = "select now() > transaction_timestamp() + interval '29 days'"
    for branch, expected in ((one, True), (other, False), (hosted.main, False)):
        async with hosted.session(branch) as db:
            assert await db.fetchval(ahead) is expected
    days = [round(each.backend.clock.offset.total_seconds() / 86400) for each in (one, other, hosted.main)]
    assert days == [30, 0, 0]


async def test_a_fault_of_one_branch_is_nobody_elses(hosted: Hosted) -> None:
    one, other = await hosted.branch(), await hosted.branch()
    async with one.client() as ours, other.client() as theirs:
        made = await ours.post("/_dev/v1/faults", json={"where": "request", "do": {"status": 503}})
        assert made.status_code == 201, made.text
        assert (await ours.get("/rest/v1/notes")).status_code == 503
        assert (await theirs.get("/rest/v1/notes")).status_code == 200


async def test_snapshots_of_two_installations_on_one_server_may_have_one_name(
    hosted: Hosted, cluster: Cluster, tmp_path: Path
) -> None:
    one = await hosted.branch()
    await noted(one, "of the first")
    saved = await hosted.control.post(SNAPSHOTS, json={"name": "shared", "of": one.told["id"]})
    assert saved.status_code == 201, saved.text
    async with cluster.fresh_database() as address, hosting(cluster, tmp_path, address) as second:
        other = await second.branch()
        await noted(other, "of the second")
        saved = await second.control.post(SNAPSHOTS, json={"name": "shared", "of": other.told["id"]})
        assert saved.status_code == 201, saved.text
        assert await bodies(await second.branch(**{"from": "snapshot:shared"})) == ["of the second"]
        assert await bodies(await hosted.branch(**{"from": "snapshot:shared"})) == ["of the first"]
        assert (await second.control.delete(f"{SNAPSHOTS}/shared")).status_code == 204
    assert await bodies(await hosted.branch(**{"from": "snapshot:shared"})) == ["of the first"]
    assert (await hosted.control.delete(f"{SNAPSHOTS}/shared")).status_code == 204
