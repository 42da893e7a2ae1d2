"""`/_dev/v1/events` and `/_dev/v1/requests`: what happened, by whom, what was run for it and what it led to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support.accounts import opened_account, post
from tests.support.hosted import Hosted
from tests.support.schema_cache import known
from tests.support.server import Minato
from tests.support.waiting import PATIENCE


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=PATIENCE) as client:
        yield client


async def noted(dev: httpx.AsyncClient, answer: httpx.Response) -> dict[str, Any]:
    """What the journal tells of the request that got this answer."""
    told: dict[str, Any] = (await dev.get(f"/requests/{answer.headers['x-request-id']}")).json()
    return told


async def test_a_read_tells_its_caller_statement_values_and_time(minato: Minato, dev: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    session = (await dev.post("/users/sign-in", json={"user": account["email"]})).json()
    async with minato.client(session["access_token"]) as client:
        answer = await client.get("/rest/v1/profiles", params={"select": "user_id", "user_id": f"eq.{account['id']}"})
    event = await noted(dev, answer)
    data = event["data"]
    assert (event["kind"], event["level"], event["title"]) == ("request", "info", "GET /rest/v1/profiles 200")
    caller = {"role": "authenticated", "sub": account["id"], "email": account["email"], "aal": "aal1"}
    assert data["caller"] == caller
    assert "profiles" in data["statement"]
    assert account["id"] in "".join(data["values"])
    assert set(data["stages"]) == {"jwt", "parse", "plan", "transaction", "response"}
    assert 0 < data["stages"]["transaction"] <= event["ms"]
    assert json.loads(data["response"]["text"]) == answer.json()


async def test_a_refused_write_tells_what_was_sent_and_why_it_was_refused(
    minato: Minato, dev: httpx.AsyncClient
) -> None:
    async with minato.client() as client:
        answer = await client.post("/rest/v1/follows", json={"follower_id": None, "following_id": None})
    assert answer.status_code == 401
    event = await noted(dev, answer)
    data = event["data"]
    assert (event["level"], data["code"], data["hint"]) == ("warn", "42501", answer.json()["hint"])
    assert json.loads(data["request"]["text"]) == {"follower_id": None, "following_id": None}
    assert data["caller"]["role"] == "anon"
    assert (await dev.get("/requests/last:error")).json()["id"] is not None


async def test_a_request_without_a_key_is_told_too(minato: Minato, dev: httpx.AsyncClient) -> None:
    async with httpx.AsyncClient(base_url=minato.url) as client:
        answer = await client.get("/auth/v1/user")
    assert answer.status_code == 401
    assert (await noted(dev, answer))["data"]["message"] == answer.json()["msg"]


async def test_passwords_tokens_and_codes_are_not_kept(minato: Minato, dev: httpx.AsyncClient) -> None:
    address, password = "kept.secret@example.com", "very-Secret-77"
    async with minato.client() as client:
        made = await post(client, "/signup", {"email": address, "password": password})
        mails = (await dev.get("/../outbox", params={"to": address})).json()
        refused = await client.get(f"/auth/v1/verify?type=signup&token={mails[0]['token']}1&redirect_to=http://a")
        wrong = await post(client, "/token?grant_type=password", {"email": address, "password": password})
        form = await client.post("/auth/v1/token", data={"grant_type": "password", "password": password})
    told = ""
    for answer in (made, refused, wrong, form):
        told += json.dumps(await noted(dev, answer))
    assert address in told
    for secret in (password, mails[0]["token"], minato.anon_key):
        assert secret not in told


async def test_a_request_says_which_messages_it_led_to(minato: Minato, dev: httpx.AsyncClient) -> None:
    address = "led.to@example.com"
    async with minato.client() as client:
        answer = await post(client, "/signup", {"email": address, "password": "very-Secret-77"})
    mails = (await dev.get("/../outbox", params={"to": address, "wait": 5})).json()
    (led,) = (await noted(dev, answer))["led_to"]
    assert (led["kind"], led["title"]) == ("message", f"email to {address}: signup")
    assert led["data"]["message_id"] == mails[0]["id"]
    listed = (await dev.get("/events", params={"cause": answer.headers["x-request-id"]})).json()
    assert [event["kind"] for event in listed] == ["request", "message"]


async def test_events_are_told_as_they_happen_and_from_where_a_reader_was(
    minato: Minato, dev: httpx.AsyncClient
) -> None:
    begin = (await dev.get("/events", params={"limit": 1})).json()
    after = begin[0]["seq"] if begin else 0
    async with minato.client() as client:
        await client.get("/rest/v1/never_there")
        headers = {"accept": "text/event-stream", "last-event-id": str(after)}
        async with dev.stream("GET", "/events", params={"q": "never_there"}, headers=headers) as stream:
            lines = stream.aiter_lines()
            first = await told(lines)
            await client.get("/rest/v1/never_there?select=id")
            second = await told(lines)
    assert (first["title"], first["data"]["query"]) == ("GET /rest/v1/never_there 404", "")
    assert second["data"]["query"] == "select=id"
    assert second["seq"] > first["seq"] > after


async def test_a_reader_who_was_elsewhere_hears_of_the_gap_and_of_all_there_is(hosted: Hosted) -> None:
    branch = await hosted.branch()
    # Of a server that has ended, or of the branch before its reset.
    headers = {"accept": "text/event-stream", "last-event-id": "9999"}
    async with branch.client() as client:
        await client.get("/rest/v1/never_there")
        async with asyncio.timeout(PATIENCE), client.stream("GET", "/_dev/v1/events", headers=headers) as stream:
            lines = stream.aiter_lines()
            gap, first = await told(lines), await told(lines)
            await client.get("/rest/v1/never_there?select=id")
            second = await told(lines)
    assert gap == {}
    assert (first["data"]["query"], second["data"]["query"]) == ("", "select=id")


async def told(lines: AsyncIterator[str]) -> dict[str, Any]:
    """The data of the next event of a stream."""
    async for line in lines:
        if line.startswith("data: "):
            event: dict[str, Any] = json.loads(line.removeprefix("data: "))
            return event
    raise AssertionError("the stream has ended")


async def test_preflights_and_the_developers_own_calls_are_no_events(minato: Minato, dev: httpx.AsyncClient) -> None:
    preflight = {"origin": "http://a.example", "access-control-request-method": "GET"}
    async with minato.client() as client:
        answer = await client.options("/rest/v1/profiles", headers=preflight)
    assert (await dev.get(f"/requests/{answer.headers['x-request-id']}")).status_code == 404
    answer = await dev.get("/events")
    refused = await dev.get(f"/requests/{answer.headers['x-request-id']}")
    assert (refused.status_code, refused.json()["code"]) == (404, "request_not_found")


async def test_each_branch_has_a_journal_of_its_own_that_can_be_emptied(hosted: Hosted) -> None:
    async with httpx.AsyncClient(base_url=hosted.url, timeout=PATIENCE) as client:
        branch = (await client.post("/_dev/v1/branches", json={})).json()
        key = {"apikey": branch["anon_key"]}
        await client.get("/rest/v1/only_main", headers=key)
        await client.get(f"/b/{branch['id']}/rest/v1/only_branch", headers=key)
        events = f"/b/{branch['id']}/_dev/v1/events"
        titles = [event["title"] for event in (await client.get(events)).json()]
        assert titles == ["GET /rest/v1/only_branch 404"]
        assert (await client.delete(events)).status_code == 204
        assert (await client.get(events)).json() == []
        assert "only_main" in json.dumps((await client.get("/_dev/v1/events")).json())


async def test_what_the_server_warns_of_is_told_beside_the_request_that_led_to_it(
    minato: Minato, dev: httpx.AsyncClient
) -> None:
    await known(
        minato,
        """create function public.full_disk() returns void language plpgsql as
           $$ begin raise exception sqlstate '53100' using message = 'no space left'; end $$; notify pgrst""",
    )
    try:
        async with minato.client() as client:
            answer = await client.post("/rest/v1/rpc/full_disk")
    finally:
        await minato.db.execute("drop function public.full_disk()")
    (led,) = (await noted(dev, answer))["led_to"]
    assert (answer.status_code, led["kind"], led["level"], led["title"]) == (503, "log", "error", "request failed")
    assert led["data"] == {"method": "POST", "path": "/rpc/full_disk", "status": "503"}
