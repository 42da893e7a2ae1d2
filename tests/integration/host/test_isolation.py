"""Two branches at once, and main: what is one's is nobody else's."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.integration.realtime.phoenix import phoenix
from tests.support.hosted import BUCKET, CONTENT, FILE, Backed, Hosted

PASSWORD = "correct horse battery"
NOTES = {"event": "*", "schema": "public", "table": "notes"}


@pytest.fixture
async def pair(hosted: Hosted) -> tuple[Backed, Backed]:
    return await hosted.branch(), await hosted.branch()


async def signed_up(branch: Backed, email: str) -> dict[str, Any]:
    """The session of a user who came by the link of the mail."""
    async with branch.public() as client:
        made = await client.post("/auth/v1/signup", json={"email": email, "password": PASSWORD})
        assert made.status_code == 200, made.text
        link = next(mail["link"] for mail in (await client.get("/_dev/outbox")).json() if mail["to"] == email)
        assert link.startswith(f"{branch.url}/auth/v1/verify"), link
        came = await client.get(link)
        assert came.status_code == 303, came.text
        given = parse_qs(urlsplit(came.headers["location"]).fragment)
        return {name: values[0] for name, values in given.items()}


async def test_each_has_its_own_users_mails_sessions_and_refresh_tokens(pair: tuple[Backed, Backed]) -> None:
    one, two = pair
    session = await signed_up(one, "anna@example.com")
    async with two.client() as client, two.public() as anybody:
        assert (await client.get("/auth/v1/admin/users")).json()["users"] == []
        assert (await client.get("/_dev/outbox")).json() == []
        refreshed = {"refresh_token": session["refresh_token"]}
        refused = await anybody.post("/auth/v1/token?grant_type=refresh_token", json=refreshed)
        assert refused.status_code == 400, refused.text
    async with one.public() as client:
        given = await client.post("/auth/v1/token?grant_type=refresh_token", json=refreshed)
        assert given.status_code == 200, given.text


async def test_a_user_token_of_one_is_refused_by_the_other_and_by_main_with_a_hint(
    hosted: Hosted, pair: tuple[Backed, Backed]
) -> None:
    one, two = pair
    session = await signed_up(one, "anna@example.com")
    hint = f"This token was issued by branch {one.told['id']}."
    for other in (two, hosted.main):
        async with other.client(session["access_token"]) as client:
            rest = await client.get("/rest/v1/notes")
            assert (rest.status_code, rest.json()["code"], rest.json()["hint"]) == (401, "PGRST301", hint)
            auth = await client.get("/auth/v1/user")
            assert (auth.status_code, auth.json()["error_code"]) == (403, "bad_jwt")
            assert hint in auth.json()["msg"]
            storage = await client.get("/storage/v1/bucket")
            assert storage.json()["statusCode"] == "403"
            assert hint in storage.json()["message"]
        async with phoenix(other) as socket:
            joined = await socket.join("room", access_token=session["access_token"])
            assert joined.payload["status"] == "error"
            assert hint in joined.response["reason"]
    async with one.client(session["access_token"]) as client:
        assert (await client.get("/auth/v1/user")).json()["email"] == "anna@example.com"


async def test_a_user_token_of_main_is_refused_by_a_branch(hosted: Hosted, pair: tuple[Backed, Backed]) -> None:
    one, _ = pair
    session = await signed_up(hosted.main, "mainly@example.com")
    async with one.client(session["access_token"]) as client:
        refused = await client.get("/rest/v1/notes")
        assert (refused.status_code, refused.json()["hint"]) == (401, "This token was issued by branch main.")


async def test_the_same_keys_open_each_to_its_own_rows_and_sequences(pair: tuple[Backed, Backed]) -> None:
    one, two = pair
    assert one.told["anon_key"] == two.told["anon_key"]
    for branch in pair:
        async with branch.client() as client:
            sent = await client.post(
                "/rest/v1/notes", json={"body": branch.told["id"]}, headers={"prefer": "return=representation"}
            )
            assert [(row["id"], row["body"]) for row in sent.json()] == [(1, branch.told["id"])]
            assert len((await client.get("/rest/v1/notes")).json()) == 1


async def test_each_has_its_own_files_and_all_begin_with_those_of_the_base(pair: tuple[Backed, Backed]) -> None:
    one, two = pair
    async with one.client() as ours, two.client() as theirs:
        public = f"/storage/v1/object/public/{BUCKET}/{FILE}"
        assert (await ours.get(public)).content == CONTENT
        await ours.put(f"/storage/v1/object/{BUCKET}/{FILE}", content=b"changed")
        await ours.post(f"/storage/v1/object/{BUCKET}/new.txt", content=b"new")
        assert (await ours.get(public)).content == b"changed"
        assert (await theirs.get(public)).content == CONTENT
        assert (await theirs.get(f"/storage/v1/object/public/{BUCKET}/new.txt")).status_code == 400
        signed = await ours.post(f"/storage/v1/object/sign/{BUCKET}/new.txt", json={"expiresIn": 60})
        assert (await ours.get(f"/storage/v1{signed.json()['signedURL']}")).content == b"new"
        gone = await theirs.request("DELETE", f"/storage/v1/object/{BUCKET}", json={"prefixes": [FILE]})
        assert gone.status_code == 200
        assert (await ours.get(public)).content == b"changed"


async def test_rows_broadcasts_and_presence_reach_the_sockets_of_their_own_branch_only(
    pair: tuple[Backed, Backed],
) -> None:
    one, two = pair
    async with phoenix(one) as here, phoenix(two) as there:
        for listening in (here, there):
            await listening.follow("room", NOTES)
        for branch, body in ((two, "theirs"), (one, "ours")):
            async with branch.client() as client:
                await client.post("/rest/v1/notes", json={"body": body})
                said = {"topic": "room", "event": "said", "payload": {"by": body}}
                await client.post("/realtime/v1/api/broadcast", json={"messages": [said]})
        for listening, body in ((here, "ours"), (there, "theirs")):
            assert (await listening.change())["record"]["body"] == body
            assert (await listening.event("broadcast")).payload["payload"] == {"by": body}
            assert await listening.settle() == []


async def test_ddl_and_its_notification_change_the_schema_of_one_alone(
    hosted: Hosted, pair: tuple[Backed, Backed]
) -> None:
    one, two = pair
    async with hosted.session(one) as db:
        await db.execute("create table public.extra (id int); grant all on public.extra to service_role")
    async with one.client() as ours, two.client() as theirs:
        assert (await ours.get("/rest/v1/extra")).json() == []
        missing = await theirs.get("/rest/v1/extra")
        assert (missing.status_code, missing.json()["code"]) == (404, "PGRST205")


async def test_a_browser_may_ask_a_branch_as_it_may_ask_main(pair: tuple[Backed, Backed]) -> None:
    one, _ = pair
    origin = {"origin": "http://localhost:5173"}
    asked = {**origin, "access-control-request-method": "POST", "access-control-request-headers": "apikey"}
    async with httpx.AsyncClient(base_url=one.url) as browser:
        preflight = await browser.options("/rest/v1/notes", headers=asked)
        assert preflight.status_code == 200
        assert "apikey" in preflight.headers["access-control-allow-headers"].lower()
        read = await browser.get("/rest/v1/notes", headers={**origin, "apikey": one.anon_key})
        assert read.headers["access-control-allow-origin"] in ("*", origin["origin"])
