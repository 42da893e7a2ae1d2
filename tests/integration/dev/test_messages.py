"""`/_dev/v1/mails` and `sms`: a test waits for a message, and is told when none came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from minato.mail.email import Email
from minato.sms.sender import TextMessage

from tests.support.accounts import fresh_address, sign_up, verify
from tests.support.server import Minato


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=30) as client:
        yield client


async def sent(minato: Minato, to: str, **said: Any) -> None:
    mail = {"subject": "Hello", "html": "", "text": "", "type": "note", **said}
    await minato.backend.mailer.send(Email(to, **mail))


async def test_the_mail_of_a_sign_up_has_link_code_and_what_confirms_it(minato: Minato, dev: httpx.AsyncClient) -> None:
    email = fresh_address(minato)
    async with minato.client() as client:
        await sign_up(client, email)
        answer = await dev.get("/mails", params={"to": email.upper(), "type": "signup", "wait": "5s", "required": True})
        (mail,) = answer.json()
        assert (mail["channel"], mail["to"], mail["type"]) == ("email", email, "signup")
        assert mail["token_hash"] in mail["link"]
        assert len(mail["code"]) == 6
        assert (await verify(client, "signup", mail["token_hash"])).status_code == 200
    assert (await dev.get(f"/messages/{mail['id']}")).json() == mail


async def test_nobody_reads_yesterday_s_code(minato: Minato, dev: httpx.AsyncClient) -> None:
    email = fresh_address(minato)
    await sent(minato, email, token="111111")
    (old,) = (await dev.get("/mails", params={"to": email})).json()
    newer = {"to": email, "since": old["id"]}
    assert (await dev.get("/mails", params=newer)).json() == []
    waiting = asyncio.create_task(dev.get("/mails", params={**newer, "wait": "20s"}))
    await dev.get("/mails", params={"to": "nobody@example.com"})
    await sent(minato, fresh_address(minato), token="333333")
    await sent(minato, email, token="222222")
    assert [mail["code"] for mail in (await waiting).json()] == ["222222"]


async def test_a_message_of_either_channel_ends_the_wait(minato: Minato, dev: httpx.AsyncClient) -> None:
    digits = f"44{minato.backend.entropy.digits(10)}"
    asked: dict[str, str | int] = {"to": f"+{digits[:2]} {digits[2:]}", "wait": 20}
    waiting = [asyncio.create_task(dev.get(path, params=asked)) for path in ("/messages", "/sms")]
    await dev.get("/mails")
    await minato.backend.sms.send(TextMessage(digits, "Your code is 123456", "sms", ""))
    for answer in await asyncio.gather(*waiting):
        (text,) = answer.json()
        assert (text["channel"], text["to"], text["code"], text["subject"]) == ("sms", digits, "123456", None)
    assert (await dev.get("/messages", params={"channel": "email", "to": digits})).json() == []


async def test_that_no_message_came_is_an_error_where_one_is_required(minato: Minato, dev: httpx.AsyncClient) -> None:
    email = fresh_address(minato)
    await sent(minato, email)
    asked = {"to": email, "type": "recovery"}
    assert (await dev.get("/mails", params=asked)).json() == []
    answer = await dev.get("/mails", params={**asked, "wait": "1ms", "required": "true"})
    assert (answer.status_code, answer.json()["code"]) == (408, "no_message")
    assert f"of type recovery to {email}" in answer.json()["message"]
    assert f"note to {email}" in answer.json()["hint"]
    texts = await dev.get("/sms", params={"to": "+15550000", "required": "true"})
    assert (texts.status_code, texts.json()["code"]) == (408, "no_message")


async def test_link_and_code_are_found_in_what_others_wrote(minato: Minato, dev: httpx.AsyncClient) -> None:
    email = fresh_address(minato)
    await sent(minato, email, text="In 2026: http://a.example/1234567 and 7654321.")
    (mail,) = (await dev.get("/mails", params={"to": email})).json()
    assert (mail["link"], mail["code"]) == ("http://a.example/1234567", "7654321")


@pytest.mark.parametrize("query", ["?too=a", "?wait=soon", "?wait=-1", "?wait=61", "?since=7", "?required=perhaps"])
async def test_what_the_call_does_not_take_is_named(dev: httpx.AsyncClient, query: str) -> None:
    answer = await dev.get(f"/mails{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


async def test_a_message_that_is_not_kept_is_not_found(dev: httpx.AsyncClient) -> None:
    answer = await dev.get("/messages/00000000-0000-0000-0000-000000000001")
    assert (answer.status_code, answer.json()["code"]) == (404, "message_not_found")
