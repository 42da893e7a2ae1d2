"""`POST /_dev/v1/requests/<id>/replay`: a request is sent again, as who asked it or as somebody else."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support.accounts import opened_account, post
from tests.support.hosted import BUCKET, Backed, Hosted
from tests.support.server import Minato
from tests.support.waiting import PATIENCE


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=PATIENCE) as client:
        yield client


async def replayed(dev: httpx.AsyncClient, answer: httpx.Response, **wish: Any) -> httpx.Response:
    """The request that got this answer, sent again."""
    return await dev.post(f"/requests/{answer.headers['x-request-id']}/replay", json=wish or None)


async def test_a_read_is_sent_again_as_who_asked_and_is_a_request_of_its_own(
    minato: Minato, dev: httpx.AsyncClient
) -> None:
    account = await opened_account(minato)
    session = (await dev.post("/users/sign-in", json={"user": account["email"]})).json()
    async with minato.client(session["access_token"]) as client:
        answer = await client.get("/rest/v1/profiles", params={"user_id": f"eq.{account['id']}", "select": "user_id"})
    told = (await replayed(dev, answer)).json()
    assert (told["status"], json.loads(told["body"]["text"])) == (200, answer.json())
    assert told["headers"]["content-range"] == answer.headers["content-range"]
    assert (told["caller"]["sub"], told["of"]["id"]) == (account["id"], answer.headers["x-request-id"])
    assert told["id"] != answer.headers["x-request-id"]
    event = (await dev.get(f"/requests/{told['id']}")).json()
    assert (event["title"], event["data"]["query"]) == ("GET /rest/v1/profiles 200", answer.url.query.decode())


async def test_another_caller_may_be_whom_the_policies_know(minato: Minato, dev: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    async with minato.client() as client:
        answer = await client.get("/rest/v1/rpc/never_there")
        mine = await client.get("/auth/v1/user")
    callers: list[Any] = [
        *("anon", "service_role"),
        {"user": account["email"]},
        {"user": account["id"], "claims": {"app_role": "tester"}},
        {"claims": {"sub": account["id"], "role": "authenticated"}},
        {"token": minato.service_role_key},
    ]
    asked = [(await replayed(dev, answer, **{"as": caller})).json()["caller"] for caller in callers]
    roles = ["anon", "service_role", *["authenticated"] * 3, "service_role"]
    assert [each["role"] for each in asked] == roles
    assert [each["sub"] for each in asked[2:5]] == [account["id"]] * 3
    # A user has a session, as auth asks for one.
    told = (await replayed(dev, mine, **{"as": {"user": account["email"]}})).json()
    assert (told["status"], json.loads(told["body"]["text"])["email"]) == (200, account["email"])


async def test_nobody_and_nonsense_are_no_callers(minato: Minato, dev: httpx.AsyncClient) -> None:
    async with minato.client() as client:
        answer = await client.get("/rest/v1/profiles?limit=1")
    unknown = await replayed(dev, answer, **{"as": {"user": "nobody.there@example.com"}})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "user_not_found")
    nonsense: list[Any] = ["postgres", {"user": ""}, {"claims": {}}, {"token": "a b"}, {"user": "a", "role": "b"}]
    for wrong in nonsense:
        assert (await replayed(dev, answer, **{"as": wrong})).json()["code"] == "bad_request"
    assert (await dev.post("/requests/never/replay")).json()["code"] == "request_not_found"


async def bodies(branch: Backed) -> list[str]:
    async with branch.client() as client:
        return [row["body"] for row in (await client.get("/rest/v1/notes?select=body&order=id")).json()]


async def test_a_write_is_done_again_on_its_branch_with_the_same_body_or_another(hosted: Hosted) -> None:
    branch = await hosted.branch()
    async with branch.client() as client, httpx.AsyncClient(base_url=f"{branch.url}/_dev/v1") as dev:
        answer = await client.post(
            "/rest/v1/notes", json={"body": "first"}, headers={"prefer": "return=representation"}
        )
        again = (await replayed(dev, answer)).json()
        other = (await replayed(dev, answer, body={"body": "other"}, **{"as": "anon"})).json()
        wrong = (await replayed(dev, answer, body={"nothing": 1})).json()
    assert [json.loads(told["body"]["text"])[0]["body"] for told in (again, other)] == ["first", "other"]
    assert (other["caller"]["role"], wrong["status"]) == ("anon", 400)
    assert await bodies(branch) == ["first", "first", "other"]


async def test_a_token_that_has_expired_since_is_renewed(hosted: Hosted) -> None:
    branch = await hosted.branch()
    claims = {"aud": "authenticated", "role": "authenticated", "sub": "7c1e0000-0000-4000-8000-000000000000"}
    now = int(branch.backend.clock.timestamp())
    token = branch.backend.keys.sign({**claims, "exp": now + 60})
    async with branch.client(token) as client, httpx.AsyncClient(base_url=f"{branch.url}/_dev/v1") as dev:
        answer = await client.get("/rest/v1/notes?select=id")
        assert (await dev.put("/clock", json={"advance": "2h"})).status_code == 200
        assert (await client.get("/rest/v1/notes?select=id")).status_code == 401
        told = (await replayed(dev, answer)).json()
    assert (told["status"], told["caller"]["sub"]) == (200, claims["sub"])


async def test_what_was_not_kept_is_not_sent_again(hosted: Hosted) -> None:
    branch = await hosted.branch()
    async with branch.client() as client, httpx.AsyncClient(base_url=f"{branch.url}/_dev/v1") as dev:
        small = await client.post(f"/storage/v1/object/{BUCKET}/small.txt", content=b"kept")
        large = await client.post(f"/storage/v1/object/{BUCKET}/large.txt", content=b"x" * 70_000)
        signing = await post(client, "/signup", {"email": "again@example.com", "password": "very-Secret-77"})
        assert (small.status_code, large.status_code) == (200, 200)
        await client.delete(f"/storage/v1/object/{BUCKET}/small.txt")
        told = (await replayed(dev, small)).json()
        refused = [await replayed(dev, answer) for answer in (large, signing)]
        spoken = await replayed(dev, signing, body={"email": "other@example.com", "password": "very-Secret-77"})
        content = (await client.get(f"/storage/v1/object/{BUCKET}/small.txt")).text
    assert (told["status"], content) == (200, "kept")
    assert [(answer.status_code, answer.json()["code"]) for answer in refused] == [(400, "not_replayed")] * 2
    assert "more of a body than is kept" in refused[0].json()["message"]
    assert "say the body" in refused[1].json()["message"]
    assert (spoken.json()["status"], "very-Secret-77" in spoken.text) == (200, False)


async def test_no_answer_of_a_replay_shows_a_key_or_a_token(minato: Minato, dev: httpx.AsyncClient) -> None:
    async with minato.client() as client:
        answer = await client.get("/rest/v1/profiles?limit=1")
    told = await replayed(dev, answer, **{"as": "service_role"})
    assert told.json()["caller"]["role"] == "service_role"
    assert minato.service_role_key not in told.text
