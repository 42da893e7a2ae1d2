"""A snapshot comes back into main: rows, files and mails, whole or not at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import asyncpg
import httpx
import pytest
import websockets
from minato.host.restore import PLAN
from pydantic import SecretStr

from tests.support.hosted import BUCKET, CONTROL, TABLE, Hosted, hosting, run
from tests.support.postgres import Cluster

SNAPSHOTS, MAIN = "/_dev/v1/snapshots", f"{CONTROL}/main/reset"
FILE = f"/storage/v1/object/{BUCKET}/a.txt"


@pytest.fixture(scope="module")
async def serving(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hosted]:
    """A server of its own: here main itself becomes another one. Its snapshot `before` has a note and a file."""
    async with cluster.fresh_database() as address:
        await run(address, TABLE)
        async with hosting(cluster, tmp_path_factory.mktemp("restore"), address) as hosted:
            async with hosted.main.client() as client:
                made = await client.post("/storage/v1/bucket", json={"name": BUCKET, "public": True})
                made.raise_for_status()
            await change(hosted, "old")
            saved = await hosted.control.post(SNAPSHOTS, json={"name": "before"})
            assert saved.status_code == 201, saved.text
            yield hosted


async def change(hosted: Hosted, word: str) -> None:
    """Let main have one note and one file that say so."""
    async with hosted.main.client() as client:
        (await client.delete("/rest/v1/notes", params={"id": "gt.0"})).raise_for_status()
        (await client.post("/rest/v1/notes", json={"body": word})).raise_for_status()
        await client.post(FILE, content=word.encode(), headers={"x-upsert": "true"})


async def told(hosted: Hosted) -> tuple[list[str], str]:
    """What the notes and the file say."""
    async with hosted.main.client() as client:
        notes = (await client.get("/rest/v1/notes")).json()
        return [note["body"] for note in notes], (await client.get(FILE)).text


async def restored(hosted: Hosted, **more: Any) -> httpx.Response:
    return await hosted.control.post(MAIN, json={"to": "snapshot:before", **more})


async def databases(hosted: Hosted) -> list[str]:
    """Those that a restore makes beside main's."""
    async with hosted.session(hosted.main) as db:
        found = await db.fetch("select datname from pg_database where datname ~ '^minato_(restored|former)_'")
    return [row[0] for row in found]


async def test_rows_files_mails_and_the_schema_are_those_of_the_snapshot(serving: Hosted) -> None:
    await change(serving, "new")
    async with serving.session(serving.main) as db:
        await db.execute("create table public.later (id int); grant all on public.later to anon; notify pgrst")
    async with serving.main.public() as anybody:
        await anybody.post("/auth/v1/signup", json={"email": "a@example.com", "password": "correct horse"})
    answer = await restored(serving)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["id"], answer.json()["from"]) == ("main", "snapshot:before")
    assert await told(serving) == (["old"], "old")
    async with serving.main.public() as anybody:
        assert (await anybody.get("/rest/v1/later")).status_code == 404
        assert (await anybody.get("/_dev/outbox")).json() == []
        signed_up = await anybody.post("/auth/v1/signup", json={"email": "a@example.com", "password": "correct horse"})
        assert signed_up.status_code == 200, signed_up.text
    assert await databases(serving) == []
    await change(serving, "once more")
    assert (await restored(serving)).status_code == 200
    assert await told(serving) == (["old"], "old")


async def test_sockets_are_closed_as_announced_and_come_again(serving: Hosted) -> None:
    address = serving.url.replace("http", "ws", 1)
    url = f"{address}/realtime/v1/websocket?apikey={serving.main.anon_key}&vsn=2.0.0"
    async with websockets.connect(url) as line:
        assert (await restored(serving)).status_code == 200
        await line.wait_closed()
        assert line.close_code == 1012
    async with websockets.connect(url) as line:
        await line.send(json.dumps([None, "1", "phoenix", "heartbeat", {}]))
        assert json.loads(await line.recv())[4]["status"] == "ok"


async def test_requests_meanwhile_wait_and_none_fails(serving: Hosted) -> None:
    await change(serving, "new")
    async with serving.main.client() as client:
        restoring = asyncio.create_task(restored(serving))
        answers = []
        while not restoring.done():
            answers.append((await client.get("/rest/v1/notes")).json())
        assert restoring.result().status_code == 200
    assert all([note["body"] for note in each] in (["new"], ["old"]) for each in answers)


async def test_a_session_of_somebody_else_s_is_named_and_nothing_has_changed(serving: Hosted) -> None:
    await change(serving, "new")
    foreign = await asyncpg.connect(
        serving.main.backend.database.address.admin, server_settings={"application_name": "a psql"}
    )
    try:
        answer = await restored(serving)
        assert (answer.status_code, answer.json()["code"]) == (409, "source_busy")
        assert "a psql" in answer.json()["message"]
        assert await told(serving) == (["new"], "new")
        assert (await restored(serving, force=True)).status_code == 200
    finally:
        foreign.terminate()
    assert await told(serving) == (["old"], "old")
    assert await databases(serving) == []


@pytest.mark.parametrize("source", ["base", "snapshot:nowhere", "snapshot:../../etc", None])
async def test_main_comes_back_to_nothing_but_a_snapshot(serving: Hosted, source: str | None) -> None:
    answer = await serving.control.post(MAIN, json={"to": source})
    assert answer.status_code in (400, 404), answer.text


async def test_a_process_that_ends_before_the_exchange_leaves_the_old(serving: Hosted) -> None:
    await change(serving, "new")
    restore = serving.branches.restore
    await restore.stage("before")
    assert len(await databases(serving)) == 1
    await serving.branches.mend()
    assert await told(serving) == (["new"], "new")
    assert await databases(serving) == []


@pytest.mark.parametrize("files", [False, True], ids=["before the files", "behind them"])
async def test_a_process_that_ends_after_the_exchange_leaves_the_new(serving: Hosted, files: bool) -> None:
    await change(serving, "new")
    restore = serving.branches.restore
    plan = await restore.stage("before")
    async with serving.branches.sources.held("main"):
        await restore.swap(plan, force=False)
        if files:
            restore.exchange_files()
        await serving.branches.mend()
    assert await told(serving) == (["old"], "old")
    assert await databases(serving) == []
    assert not (serving.folder / "branches" / ".restore" / PLAN).exists()


async def test_a_database_of_somebody_else_s_that_may_not_be_replaced_is_refused(
    serving: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = serving.main.backend
    theirs = backend.settings.database.model_copy(update={"database_url": SecretStr("postgresql://else/where")})
    monkeypatch.setattr(backend, "settings", replace(backend.settings, database=theirs))
    assert (await restored(serving)).status_code == 200, "a superuser may"
    pooled = theirs.model_copy(update={"direct_url": SecretStr("postgresql://else/where")})
    monkeypatch.setattr(backend, "settings", replace(backend.settings, database=pooled))
    answer = await restored(serving)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_ours")
