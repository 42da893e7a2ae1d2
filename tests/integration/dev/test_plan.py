"""`POST /_dev/v1/requests/<id>/plan`: how PostgreSQL runs what a request ran, for whoever asked it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from minato.rest import explained

from tests.support.accounts import opened_account
from tests.support.hosted import Backed, Hosted
from tests.support.server import Minato
from tests.support.waiting import PATIENCE


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=PATIENCE) as client:
        yield client


async def planned(dev: httpx.AsyncClient, answer: httpx.Response, **wish: Any) -> httpx.Response:
    """The plan of the request that got this answer."""
    return await dev.post(f"/requests/{answer.headers['x-request-id']}/plan", json=wish or None)


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(each for child in plan.get("Plans", []) for each in nodes(child))]


async def test_a_read_is_planned_for_its_caller_with_their_policies(minato: Minato, dev: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    session = (await dev.post("/users/sign-in", json={"user": account["email"]})).json()
    filters = {"select": "user_id", "user_id": f"eq.{account['id']}"}
    async with minato.client(session["access_token"]) as client:
        of_user = await client.get("/rest/v1/profiles", params=filters)
    async with minato.client(minato.service_role_key) as client:
        of_service = await client.get("/rest/v1/profiles", params=filters)
    told, free = (await planned(dev, of_user)).json(), (await planned(dev, of_service)).json()
    assert (told["role"], told["analyzed"], told["writes"], told["execution_ms"]) == (
        "authenticated",
        False,
        False,
        None,
    )
    assert told["request"]["id"] == of_user.headers["x-request-id"]
    tables = {node.get("Relation Name") for node in nodes(told["plan"])}
    assert "profiles" in tables
    # The policy is in the plan of whom it holds back, and account.id stands in it as the parameter's value.
    assert told["plan"] != free["plan"]
    assert account["id"] in str(told["plan"])


async def test_analyze_tells_what_each_part_took_of_a_read(minato: Minato, dev: httpx.AsyncClient) -> None:
    async with minato.client() as client:
        answer = await client.get("/rest/v1/profiles?select=user_id&limit=1")
    told = (await planned(dev, answer, analyze=True)).json()
    assert told["analyzed"]
    assert told["execution_ms"] >= 0
    assert all("Actual Rows" in node for node in nodes(told["plan"]))


async def notes(branch: Backed) -> int:
    async with branch.client() as client:
        return len((await client.get("/rest/v1/notes?select=id")).json())


async def test_a_write_is_run_only_by_force_and_undone(hosted: Hosted) -> None:
    branch = await hosted.branch()
    async with branch.client() as client, httpx.AsyncClient(base_url=f"{branch.url}/_dev/v1") as dev:
        answer = await client.post("/rest/v1/notes", json={"body": "once"})
        assert answer.status_code == 201
        plain = (await planned(dev, answer)).json()
        refused = await planned(dev, answer, analyze=True)
        forced = (await planned(dev, answer, analyze=True, force=True)).json()
    assert plain["writes"]
    assert (refused.status_code, refused.json()["code"]) == (400, "writes")
    assert any(node["Node Type"] == "ModifyTable" and node["Actual Loops"] == 1 for node in nodes(forced["plan"]))
    assert await notes(branch) == 1


async def test_a_function_is_planned_with_its_arguments_and_for_so_long(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explained, "TIMEOUT", ("statement_timeout", "200ms"))
    branch = await hosted.branch()
    async with hosted.session(branch) as db:
        await db.execute(
            """create function public.tell(what text) returns text language plpgsql as $$
                begin insert into public.notes (body) values (what); return what; end $$;
               create function public.nap() returns void language sql stable as 'select pg_sleep(60)'"""
        )
    async with branch.client() as client, httpx.AsyncClient(base_url=f"{branch.url}/_dev/v1", timeout=30) as dev:
        answer = await client.post("/rest/v1/rpc/tell", json={"what": "said"})
        assert answer.json() == "said"
        assert (await planned(dev, answer)).json()["writes"]
        assert (await planned(dev, answer, analyze=True, force=True)).status_code == 200
        # Who waits no longer has asked all the same.
        with pytest.raises(httpx.ReadTimeout):
            await client.get("/rest/v1/rpc/nap", timeout=0.5)
        slow = (await dev.get("/requests/last")).json()["id"]
        endless = await dev.post(f"/requests/{slow}/plan", json={"analyze": True})
    assert await notes(branch) == 1
    assert (endless.status_code, endless.json()["code"]) == (400, "57014")
    assert "10 seconds" in endless.json()["hint"]


async def test_what_ran_no_sql_of_its_caller_is_refused_in_a_sentence(minato: Minato, dev: httpx.AsyncClient) -> None:
    async with minato.client() as client:
        of_auth = await client.get("/auth/v1/settings")
        unknown = await client.get("/rest/v1/never_there")
        description = await client.get("/rest/v1/")
        plan = await client.get(
            "/rest/v1/profiles?select=user_id", headers={"accept": "application/vnd.pgrst.plan+json"}
        )
    refused = [await planned(dev, answer) for answer in (of_auth, unknown, description, plan)]
    assert [answer.status_code for answer in refused] == [400] * 4
    assert [answer.json()["code"] for answer in refused] == ["not_planned"] * 4
    assert "another service" in refused[0].json()["message"]
    assert "before PostgreSQL was asked" in refused[1].json()["message"]
    assert (await dev.post("/requests/never/plan")).json()["code"] == "request_not_found"
    assert (await planned(dev, unknown, analyse=True)).json()["code"] == "bad_request"
