"""`/_dev/sink`: what hooks and webhooks send is kept, answered as was arranged, and told with its signature."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from minato.auth.hooks.http_hook import signed_headers

from tests.support import accounts
from tests.support.accounts import PASSWORD, fresh_address, sign_up
from tests.support.postgres import Cluster
from tests.support.server import Minato

SECRET = f"v1,whsec_{base64.b64encode(b'k' * 32).decode()}"
OTHER = f"v1,whsec_{base64.b64encode(b'o' * 32).decode()}"


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev", timeout=30) as client:
        yield client


async def received(dev: httpx.AsyncClient, name: str, **query: Any) -> list[dict[str, Any]]:
    answer = await dev.get(f"/v1/sinks/{name}", params=query)
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, Any]] = answer.json()
    return entries


async def test_whatever_comes_is_kept_and_answered(dev: httpx.AsyncClient) -> None:
    answer = await dev.post("/sink/orders/new?x=1", json={"id": 7}, headers={"x-mine": "a"})
    assert (answer.status_code, answer.json()) == (200, {})
    await dev.delete("/sink/orders")
    first, second = await received(dev, "orders")
    assert (first["n"], first["method"], first["path"], first["json"]) == (1, "POST", "/new?x=1", {"id": 7})
    assert (first["headers"]["x-mine"], first["signature"]) == ("a", "unsigned")
    assert (second["method"], second["path"], second["json"], second["body"]) == ("DELETE", "/", None, "")
    assert [entry["n"] for entry in await received(dev, "orders", since=1)] == [2]
    assert {"name": "orders", "count": 2} in (await dev.get("/v1/sinks")).json()
    assert (await dev.delete("/v1/sinks/orders")).status_code == 204
    assert await received(dev, "orders") == []


async def test_a_test_waits_for_what_comes(dev: httpx.AsyncClient) -> None:
    waiting = asyncio.create_task(received(dev, "later", wait="20s"))
    await received(dev, "another")
    await dev.post("/sink/later", content=b"now")
    assert [entry["body"] for entry in await waiting] == ["now"]
    nothing = await dev.get("/v1/sinks/later", params={"since": 1, "wait": "1ms", "required": "true"})
    assert (nothing.status_code, nothing.json()["code"]) == (408, "no_message")


async def test_answers_come_in_their_order_and_the_last_one_stays(dev: httpx.AsyncClient) -> None:
    replies = [
        {"status": 503, "headers": {"retry-after": "1"}, "delay_ms": 1},
        {"status": 200, "body": "plain"},
        {"status": 204},
    ]
    told = (await dev.put("/v1/sinks/flaky", json={"replies": replies})).json()
    assert told["url"].endswith("/_dev/sink/flaky")
    answers = [await dev.post("/sink/flaky") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [503, 200, 204, 204]
    assert (answers[0].headers["retry-after"], answers[0].json(), answers[1].text) == ("1", {}, "plain")


async def test_a_signature_is_judged(minato: Minato, dev: httpx.AsyncClient) -> None:
    await dev.put("/v1/sinks/signed", json={"secret": SECRET})
    now = int(minato.backend.clock.timestamp())
    for secrets, moment, wanted in (
        ([SECRET], now, "valid"),
        ([OTHER, SECRET], now, "valid"),
        ([OTHER], now, "invalid"),
        ([SECRET], now - 3600, "too_old"),
    ):
        headers = signed_headers(secrets, "msg_1", moment, b"{}")
        await dev.post("/sink/signed", content=b"{}", headers=headers)
        assert (await received(dev, "signed"))[-1]["signature"] == wanted
    await dev.post("/sink/bare", content=b"{}", headers=signed_headers([SECRET], "msg_1", now, b"{}"))
    assert (await received(dev, "bare"))[-1]["signature"] == "no_secret"


async def test_a_hook_of_auth_reaches_a_sink_which_has_a_say(
    minato: Minato, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # A hook's address is a setting: the sink is another server's.
    hook: dict[str, Any] = {"hook_before_user_created_enabled": True, "hook_before_user_created_secrets": SECRET}
    hook["hook_before_user_created_uri"] = f"{minato.url}/_dev/sink/hook"
    async with (
        accounts.server(cluster, tmp_path_factory.mktemp("hooked"), **hook) as hooked,
        hooked.client() as client,
        httpx.AsyncClient(base_url=f"{minato.url}/_dev", timeout=30) as dev,
    ):
        refusal = {"error": {"http_code": 403, "message": "not today"}}
        await dev.put("/v1/sinks/hook", json={"replies": [{"body": refusal}, {}], "secret": SECRET})
        refused = await sign_up(client, fresh_address(hooked), PASSWORD)
        assert (refused.status_code, refused.json()["message"]) == (403, "not today")
        assert (await sign_up(client, fresh_address(hooked), PASSWORD)).status_code == 200
        assert [entry["signature"] for entry in await received(dev, "hook")] == ["valid", "valid"]


@pytest.mark.parametrize("body", [b"\xff\xfe", b'"\\ud800"', b"[1e999, NaN]", b"[" * 100000, b'{"a": "\\u0000"}'])
async def test_no_body_is_too_odd_to_be_told(dev: httpx.AsyncClient, body: bytes) -> None:
    assert (await dev.post("/sink/odd", content=body)).status_code == 200
    assert (await received(dev, "odd"))[-1]["method"] == "POST"


@pytest.mark.parametrize(
    "arranged",
    [
        {"reply": []}, {"replies": [{"status": 99}]}, {"replies": [{"status": 700}]}, {"replies": [{"delay_ms": -1}]},
        {"replies": [{"headers": {"a b": "c"}}]}, {"replies": [{"headers": {"a": "b\r\nc: d"}}]},
    ],
)  # fmt: skip
async def test_an_answer_that_nobody_can_give_is_refused(dev: httpx.AsyncClient, arranged: dict[str, Any]) -> None:
    answer = await dev.put("/v1/sinks/refused", json=arranged)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


async def test_what_is_too_large_or_named_oddly_is_refused(dev: httpx.AsyncClient) -> None:
    assert (await dev.post("/sink/large", content=b"x" * (1024 * 1024 + 1))).status_code == 413
    assert (await dev.post("/sink/a%20b")).status_code == 400
    assert (await dev.get("/v1/sinks/a%20b")).status_code == 400


async def test_a_captcha_of_tests_passes_by_one_word_alone(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    known: dict[str, Any] = {"security_captcha_enabled": True, "security_captcha_secret": "minato"}
    async with (
        accounts.server(cluster, tmp_path_factory.mktemp("captcha"), **known) as minato,
        minato.client() as client,
    ):
        for token, status in (("pass", 200), ("fail", 400), ("", 400)):
            meta = {"gotrue_meta_security": {"captcha_token": token}}
            answer = await sign_up(client, fresh_address(minato), PASSWORD, **meta)
            assert answer.status_code == status, answer.text


async def test_pg_net_sends_to_a_sink_what_a_trigger_asked_for_and_hears_its_reply(
    dev: httpx.AsyncClient, minato: Minato
) -> None:
    await minato.db.execute("create extension if not exists pg_net")
    await minato.db.execute("create table public.orders (id int)")
    url = f"{minato.url}/_dev/sink/webhooks/orders"
    await minato.db.execute(f"""
        create function public.tell() returns trigger language plpgsql as $$
        begin
            perform net.http_post('{url}', to_jsonb(new), headers => '{{"x-hook": "orders"}}');
            return new;
        end $$;
        create trigger tell after insert on public.orders for each row execute function public.tell()
    """)
    replies = [{"status": 503}, {"status": 201, "body": {"ok": True}}]
    assert (await dev.put("/v1/sinks/webhooks", json={"replies": replies})).status_code == 200

    await minato.db.execute("insert into public.orders values (7), (8)")

    await received(dev, "webhooks", wait="20s", since=1, required="true")
    first, second = await received(dev, "webhooks")
    assert sorted(sent["json"]["id"] for sent in (first, second)) == [7, 8]
    assert (first["method"], first["path"], first["headers"]["x-hook"]) == ("POST", "/orders", "orders")
    assert (await dev.post("/v1/settle", json={"timeout": "20s"})).json()["settled"]
    kept = await minato.db.fetch("select status_code from net._http_response order by status_code")
    assert [row["status_code"] for row in kept] == [201, 503]
