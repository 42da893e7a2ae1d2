"""Storage and private channels say why, too; and what they say is what PostgreSQL asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato

ANNA, TOM = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
POLICIES = """
create policy "Into their own folder" on storage.objects for insert to authenticated
    with check (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text);
create policy "See one's own" on storage.objects for select to authenticated
    using (bucket_id = 'papers' and owner_id = auth.uid()::text);
create policy "Change one's own" on storage.objects for update to authenticated
    using (bucket_id = 'papers' and owner_id = auth.uid()::text);
create policy "No drafts" on storage.objects as restrictive for insert to authenticated
    with check (storage.filename(name) not like 'draft%');
create policy "Members listen" on realtime.messages for select to authenticated
    using (realtime.topic() = 'club' and auth.uid() = '11111111-1111-1111-1111-111111111111');
create policy "With a second factor" on realtime.messages as restrictive for select to authenticated
    using (realtime.topic() <> 'vault' or (auth.jwt() ->> 'aal') = 'aal2');
create policy "The vault" on realtime.messages for select to authenticated using (realtime.topic() = 'vault');
"""


@pytest.fixture(scope="module")
async def shelf(told: Minato) -> AsyncIterator[Minato]:
    await told.db.execute(POLICIES)
    async with told.client(told.service_role_key) as service:
        await service.post("/storage/v1/bucket", json={"name": "papers"})
        await service.post(f"/storage/v1/object/papers/{TOM}/plan.txt", content=b"secret")
    yield told
    names = await told.db.fetch("select polname, polrelid::regclass::text as t from pg_policy")
    await told.db.execute(";".join(f'drop policy "{each["polname"]}" on {each["t"]}' for each in names))


async def upload(shelf: Minato, key: str, token: str | None = None, **headers: str) -> httpx.Response:
    async with shelf.client(token) as client:
        sent = {"content-type": "text/plain", **headers}
        return await client.post(f"/storage/v1/object/papers/{key}", content=b"x", headers=sent)


async def ask(shelf: Minato, **asked: Any) -> dict[str, Any]:
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{shelf.url}/_dev/v1/why", json=asked)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_an_upload_that_is_refused_says_why(shelf: Minato) -> None:
    anna = shelf.token(ANNA)
    refused = (await upload(shelf, f"{TOM}/x.txt", anna)).json()
    assert refused["message"] == "new row violates row-level security policy"
    assert refused["hint"].startswith(
        '"Into their own folder": (storage.foldername(name))[1] = (auth.uid())::text is false'
    )
    assert TOM in refused["hint"]
    restricted = (await upload(shelf, f"{ANNA}/draft.txt", anna)).json()
    assert restricted["hint"].startswith('The restrictive policy "No drafts"')
    nobody = (await upload(shelf, "x.txt")).json()
    assert "this request is anon" in nobody["hint"]
    assert (await upload(shelf, f"{ANNA}/fine.txt", anna)).status_code == 200


async def test_replacing_somebody_elses_object_says_that_it_is_there(shelf: Minato) -> None:
    await shelf.db.execute("update storage.objects set owner_id = $1 where name like $2", TOM, f"{ANNA}/kept.txt")
    async with shelf.client(shelf.service_role_key) as service:
        await service.post(f"/storage/v1/object/papers/{ANNA}/kept.txt", content=b"theirs")
    refused = (await upload(shelf, f"{ANNA}/kept.txt", shelf.token(ANNA), **{"x-upsert": "true"})).json()
    assert refused["hint"].startswith("The row exists already") or "See one's own" in refused["hint"]


async def test_an_object_that_is_hidden_says_by_what_and_one_that_is_not_there_nothing(shelf: Minato) -> None:
    async with shelf.client(shelf.token(ANNA)) as client:
        hidden = (await client.get(f"/storage/v1/object/papers/{TOM}/plan.txt")).json()
        absent = (await client.get(f"/storage/v1/object/papers/{TOM}/none.txt")).json()
    assert {**hidden, "hint": ""} == {**absent, "hint": ""}
    assert '"See one\'s own": owner_id = (auth.uid())::text is false' in hidden["hint"]
    assert "hint" not in absent


async def test_a_private_channel_that_is_refused_says_why(shelf: Minato) -> None:
    async with phoenix(shelf) as client:
        refused = await client.join("club", {"private": True}, access_token=shelf.token(TOM))
        response = refused.response
        assert response["reason"].endswith("permissions to read from this Channel topic: club")
        assert (
            "\"Members listen\": auth.uid() = '11111111-1111-1111-1111-111111111111'::uuid is false" in response["hint"]
        )
        vault = await client.join("vault", {"private": True}, access_token=shelf.token(TOM))
        assert vault.response["hint"].startswith('The restrictive policy "With a second factor"')
        joined = await client.join("club", {"private": True}, access_token=shelf.token(ANNA))
        assert joined.payload["status"] == "ok"


async def test_it_is_asked_without_doing_it(shelf: Minato) -> None:
    anna, key = shelf.token(ANNA), f"papers/{ANNA}/{uuid4()}.txt"
    told = await ask(shelf, room="storage", method="POST", path=f"/papers/{TOM}/y.txt", token=anna)
    assert (told["allowed"], told["table"]) == (False, "storage.objects")
    assert (await ask(shelf, room="storage", method="POST", path=f"/{key}", token=anna))["allowed"] is True
    assert await shelf.db.fetchval("select count(*) from storage.objects where name like $1", f"{ANNA}/%-%.txt") == 0
    hidden = await ask(shelf, room="storage", path=f"/papers/{TOM}/plan.txt", token=anna)
    assert hidden["rows"] == {"matching": 1, "visible": 0, "sampled": 1}
    deleted = await ask(shelf, room="storage", method="DELETE", path=f"/papers/{TOM}/plan.txt")
    assert (deleted["command"], deleted["rows"]["visible"]) == ("DELETE", 0)
    read = await ask(shelf, room="realtime", path="/club", token=shelf.token(TOM))
    assert (read["allowed"], read["steps"][0]["rule"]) == (False, "SELECT using")
    assert (await ask(shelf, room="realtime", path="/club", token=anna))["allowed"] is True
    written = await ask(shelf, room="realtime", method="POST", path="/club", token=anna)
    assert "no policy for INSERT" in written["sentence"]


@pytest.mark.parametrize("path", ["/", "/bucket", "/../x", "/%00/x", "/a/b?c=d"])
@pytest.mark.parametrize("room", ["storage", "realtime"])
async def test_a_question_that_makes_no_sense_is_no_error_of_the_server(shelf: Minato, room: str, path: str) -> None:
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{shelf.url}/_dev/v1/why", json={"room": room, "path": path, "token": "no.token.x"})
    assert 400 <= answer.status_code < 500
