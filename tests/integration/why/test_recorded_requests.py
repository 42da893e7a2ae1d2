"""`/_dev/v1/requests/<id>/why`: a request that was answered is explained, with its own caller, filters and body."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support.server import Minato

ANNA, TOM = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
OFFERS = f"""
create table public.offers (id int primary key, owner uuid default auth.uid(), code text, state text default 'draft');
insert into public.offers values (1, '{TOM}', 'a', 'open'), (2, '{TOM}', 'b', 'draft');
alter table public.offers enable row level security;
grant all on public.offers to anon, authenticated, service_role;
create policy "Open ones are seen" on public.offers for select using (state = 'open');
create policy "Members offer as themselves" on public.offers for insert to authenticated
    with check (owner = auth.uid() and code = 'right');
create policy "Owners change theirs" on public.offers for update to authenticated using (owner = auth.uid());
create function public.locked() returns int language sql as 'select 1';
revoke all on function public.locked() from public, anon, authenticated;
create policy "Own papers" on storage.objects for select to authenticated using (owner_id = auth.uid()::text);
notify pgrst, 'reload schema';
"""


@pytest.fixture(scope="module")
async def offers(told: Minato) -> AsyncIterator[Minato]:
    await told.db.execute(OFFERS)
    async with told.client(told.service_role_key) as service:
        await service.post("/storage/v1/bucket", json={"name": "drawer"})
        await service.post("/storage/v1/object/drawer/a paper.txt", content=b"secret")
    yield told
    await told.db.execute('drop table offers; drop function locked(); drop policy "Own papers" on storage.objects')


async def why(minato: Minato, asked: httpx.Response | str) -> httpx.Response:
    request_id = asked if isinstance(asked, str) else asked.headers["x-request-id"]
    async with httpx.AsyncClient() as client:
        return await client.get(f"{minato.url}/_dev/v1/requests/{request_id}/why")


async def explained(minato: Minato, asked: httpx.Response | str) -> dict[str, Any]:
    answer = await why(minato, asked)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_refused_insert_is_explained_with_the_values_that_it_sent(offers: Minato) -> None:
    async with offers.client(offers.token(ANNA)) as client:
        refused = await client.post("/rest/v1/offers", json={"id": 9, "code": "wrong"})
    told = await explained(offers, refused)
    assert (told["allowed"], told["command"], told["table"]) == (False, "INSERT", "public.offers")
    # A column called code is hidden where the request is shown, and compared as it was sent.
    assert "code is wrong" in told["sentence"]
    assert told["sentence"] == refused.json()["hint"]
    assert told["request"] == {"id": refused.headers["x-request-id"], "title": "POST /rest/v1/offers 403"}
    assert await explained(offers, "last:error") == told


async def test_what_the_request_preferred_counts(offers: Minato) -> None:
    body = {"id": 9, "code": "right"}
    async with offers.client(offers.token(ANNA)) as client:
        refused = await client.post("/rest/v1/offers", json=body, headers={"prefer": "return=representation"})
        fine = await client.post("/rest/v1/offers", json={**body, "id": 10})
    assert (refused.status_code, fine.status_code) == (403, 201)
    assert "insert is allowed" in (await explained(offers, refused))["sentence"]


async def test_a_read_and_an_update_that_found_nothing_say_what_is_hidden(offers: Minato) -> None:
    async with offers.client(offers.token(ANNA)) as client:
        empty = await client.get("/rest/v1/offers?select=id&id=eq.2&order=id.desc")
        assert (await explained(offers, "last"))["request"]["id"] == empty.headers["x-request-id"]
        unchanged = await client.patch("/rest/v1/offers?id=eq.1", json={"state": "sold"})
    assert (empty.json(), unchanged.status_code) == ([], 204)
    assert (await explained(offers, empty))["sentence"].startswith(
        "0 rows: 1 matches the filter, row level security hides it. \"Open ones are seen\": state = 'open'::text"
    )
    told = await explained(offers, unchanged)
    assert (told["command"], told["caller"]) == ("UPDATE", {"role": "authenticated"})
    assert f"auth.uid() is {ANNA}" in told["sentence"]
    assert await offers.db.fetchval("select state from offers where id = 1") == "open"


async def test_a_function_that_may_not_be_called_tells_what_its_answer_said(offers: Minato) -> None:
    async with offers.client() as client:
        refused = await client.post("/rest/v1/rpc/locked", json={})
    told = await explained(offers, refused)
    assert told["sentence"] == refused.json()["hint"]
    assert told["notes"] == ["As the answer said then."]


async def test_an_object_that_is_hidden_is_explained_for_whoever_asked(offers: Minato) -> None:
    async with offers.client(offers.token(ANNA)) as client:
        hidden = await client.get("/storage/v1/object/authenticated/drawer/a paper.txt")
        signed = await client.post("/storage/v1/object/sign/drawer/a paper.txt", json={"expiresIn": 60})
    assert (hidden.status_code, signed.status_code) == (400, 400)
    for answer in (hidden, signed):
        told = await explained(offers, answer)
        assert (told["command"], told["table"]) == ("SELECT", "storage.objects")
        assert '"Own papers"' in told["sentence"]


async def test_what_no_policy_was_asked_about_is_not_explained(offers: Minato) -> None:
    async with offers.client() as client:
        elsewhere = await client.get("/auth/v1/settings")
        missing = await client.get("/rest/v1/nothing_there")
        whole = {"id": 3, "code": "x" * 70_000}
        large = await client.post("/rest/v1/offers", json=whole)
    async with offers.client("no.such.token") as stranger:
        unknown = await stranger.get("/rest/v1/offers")
    for answer in (elsewhere, unknown):
        refused = await why(offers, answer)
        assert (refused.status_code, refused.json()["code"]) == (400, "not_explained")
    assert (await why(offers, missing)).json()["code"] == "PGRST205"
    assert (await explained(offers, large))["notes"] == ["As the answer said then."]
    gone = await why(offers, "never-asked")
    assert (gone.status_code, gone.json()["code"]) == (404, "request_not_found")
