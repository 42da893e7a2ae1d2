"""Two backends in one process, on two databases of one cluster, below two prefixes of one port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.integration.realtime.phoenix import phoenix
from tests.support.branches import Branch, Branches, serving_branches
from tests.support.postgres import Cluster

SECRETS = {name: f"a secret of branch {name}, which is long enough" for name in ("one", "two")}
TABLE = "create table public.notes (id int primary key, body text); grant all on public.notes to service_role, anon"
PUBLISH = "alter publication supabase_realtime add table public.notes; notify pgrst, 'reload schema'"
ACTIVITY = "select count(*) from pg_stat_activity where datname = $1 and application_name like 'minato%'"
PASSWORD = "correct horse battery"


@pytest.fixture
async def branches() -> AsyncIterator[Branches]:
    async with serving_branches() as serving:
        yield serving


@pytest.fixture
async def pair(branches: Branches, cluster: Cluster, tmp_path: Path) -> AsyncIterator[tuple[Branch, Branch]]:
    async with (
        note_database(cluster) as first,
        note_database(cluster) as second,
        branches.branch("one", first, tmp_path / "one", SECRETS["one"]) as one,
        branches.branch("two", second, tmp_path / "two", SECRETS["two"]) as two,
    ):
        yield one, two


@asynccontextmanager
async def note_database(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    """A database with a published table of notes."""
    async with cluster.fresh_database() as address:
        await run(address, f"{TABLE}; {PUBLISH}")
        yield address


async def run(address: DatabaseAddress, statements: str) -> None:
    db = await asyncpg.connect(address.admin)
    try:
        await db.execute(statements)
    finally:
        await db.close()


async def sign_up(branch: Branch, email: str) -> dict[str, Any]:
    """A user of the branch, through the link of the mail."""
    async with branch.client(branch.anon_key) as client:
        made = await client.post("/auth/v1/signup", json={"email": email, "password": PASSWORD})
        assert made.status_code == 200, made.text
        outbox = (await client.get("/_dev/outbox")).json()
        (link,) = [mail["link"] for mail in outbox if mail["to"] == email]
        assert link.startswith(branch.url), link
        await client.get(link)
        signed = await client.post("/auth/v1/token?grant_type=password", json={"email": email, "password": PASSWORD})
        found: dict[str, Any] = signed.json()
        return found


async def test_each_has_its_own_users_and_refuses_the_others_keys_and_tokens(pair: tuple[Branch, Branch]) -> None:
    one, two = pair
    session = await sign_up(one, "anna@example.com")
    await sign_up(two, "ben@example.com")
    async with one.client() as ours, two.client() as theirs:
        assert [user["email"] for user in (await ours.get("/auth/v1/admin/users")).json()["users"]] == [
            "anna@example.com"
        ]
        assert len((await theirs.get("/_dev/outbox")).json()) == 1
    for branch, key in ((two, one.application.backend.api_keys.service_role), (two, session["access_token"])):
        async with branch.client(key) as stranger:
            for path in ("/rest/v1/notes", "/auth/v1/user"):
                answer = await stranger.get(path)
                assert answer.status_code in (401, 403), (path, answer.text)
            assert (await stranger.get("/storage/v1/bucket")).status_code in (400, 401, 403)


async def test_each_has_its_own_rows(pair: tuple[Branch, Branch]) -> None:
    for number, branch in enumerate(pair):
        async with branch.client() as client:
            sent = await client.post("/rest/v1/notes", json={"id": 1, "body": f"of {number}"})
            assert sent.status_code == 201, sent.text
    for number, branch in enumerate(pair):
        async with branch.client() as client:
            assert (await client.get("/rest/v1/notes")).json() == [{"id": 1, "body": f"of {number}"}]


async def test_each_has_its_own_files_and_resumable_uploads_go_on_below_the_prefix(pair: tuple[Branch, Branch]) -> None:
    one, two = pair
    async with one.client() as ours, two.client() as theirs:
        await ours.post("/storage/v1/bucket", json={"name": "files", "public": True})
        meta = "bucketName ZmlsZXM=,objectName bm90ZS50eHQ=,contentType dGV4dC9wbGFpbg=="
        tus = {"tus-resumable": "1.0.0"}
        begun = await ours.post(
            "/storage/v1/upload/resumable", headers={**tus, "upload-length": "5", "upload-metadata": meta}
        )
        location = begun.headers["location"]
        assert location.startswith(f"{one.url}/storage/v1/upload/resumable/"), location
        piece = {**tus, "upload-offset": "0", "content-type": "application/offset+octet-stream"}
        assert (await ours.patch(location, headers=piece, content=b"hello")).status_code == 204
        public = "/storage/v1/object/public/files/note.txt"
        assert (await ours.get(public)).content == b"hello"
        assert (await theirs.get(public)).status_code in (400, 404)
        assert "files" not in [bucket["id"] for bucket in (await theirs.get("/storage/v1/bucket")).json()]
        signed = await ours.post("/storage/v1/object/sign/files/note.txt", json={"expiresIn": 60})
        assert (await ours.get(f"/storage/v1{signed.json()['signedURL']}")).content == b"hello"


async def test_a_row_and_a_broadcast_reach_the_sockets_of_their_own_branch_only(pair: tuple[Branch, Branch]) -> None:
    one, two = pair
    async with phoenix(one) as here, phoenix(two) as there:
        for listening in (here, there):
            await listening.follow("room", {"event": "*", "schema": "public", "table": "notes"})
        for branch, body in ((two, "theirs"), (one, "ours")):
            async with branch.client() as client:
                await client.post("/rest/v1/notes", json={"id": 7, "body": body})
                said = {"topic": "room", "event": "said", "payload": {"by": body}}
                await client.post("/realtime/v1/api/broadcast", json={"messages": [said]})
        for listening, body in ((here, "ours"), (there, "theirs")):
            assert (await listening.change())["record"] == {"id": 7, "body": body}
            assert (await listening.event("broadcast")).payload["payload"] == {"by": body}
            assert await listening.settle() == []


async def test_a_stop_of_one_leaves_the_other_at_work(branches: Branches, cluster: Cluster, tmp_path: Path) -> None:
    async with note_database(cluster) as first, note_database(cluster) as second:
        async with branches.branch("one", first, tmp_path / "one", SECRETS["one"]) as one, phoenix(one) as listening:
            await listening.follow("room", {"event": "*", "schema": "public", "table": "notes"})
            async with (
                branches.branch("two", second, tmp_path / "two", SECRETS["two"]) as two,
                two.client() as client,
                phoenix(two) as cut,
            ):
                await sign_up(two, "ben@example.com")
                assert (await client.get("/rest/v1/notes")).json() == []
                await two.application.stop()
                assert await cut.closed() == 1012
            assert await connections(cluster, second) == 0
            await sign_up(one, "anna@example.com")
            async with one.client() as client:
                await client.post("/rest/v1/notes", json={"id": 1, "body": "still here"})
            assert (await listening.change())["record"]["body"] == "still here"


async def test_a_backend_that_cannot_start_is_undone_and_the_host_goes_on(
    branches: Branches, cluster: Cluster, tmp_path: Path
) -> None:
    async with note_database(cluster) as first, cluster.bare_database() as bare:
        async with branches.branch("one", first, tmp_path / "one", SECRETS["one"]) as one:
            with pytest.raises(Exception, match=r"role|schema|permission|relation"):
                async with branches.branch("two", bare, tmp_path / "two", SECRETS["two"]):
                    raise AssertionError("it started without a schema")
            assert await connections(cluster, bare) == 0
            await sign_up(one, "anna@example.com")


async def connections(cluster: Cluster, address: DatabaseAddress) -> int:
    """Ours to that database, once they are gone or a few seconds are over."""
    name = urlsplit(address.admin).path.removeprefix("/")
    db = await asyncpg.connect(cluster.address("postgres").admin)
    try:
        for _ in range(200):
            found = int(await db.fetchval(ACTIVITY, name))
            if found == 0:
                break
            await db.execute("select pg_sleep(0.02)")
        return found
    finally:
        await db.close()
