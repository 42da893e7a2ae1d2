"""What test suites of Supabase projects do with mail: wait for it, read link and code in it, go on with them."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from minato.database.address import DatabaseAddress

from tests.support.mail_catcher import mail_catcher
from tests.support.server import Minato, running, settings_for

OWN_TEMPLATE = (
    "<html><head><style>p { color: red }</style></head><body><h2>Welcome, {{ .Email }}</h2>"
    '<p>Follow <a href="{{ .ConfirmationURL }}">Sign in to Shop</a></p>'
    "<p>or enter your one-time code: <strong>{{ .Token }}</strong></p></body></html>"
)


@pytest.fixture
async def mailpit(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with mail_catcher(minato.backend) as client:
        yield client


def someone() -> str:
    return f"someone-{uuid4().hex}@example.com"


async def newest_to(mailpit: httpx.AsyncClient, address: str) -> dict[str, Any]:
    """As a helper of a suite does it: search, take the first, read it whole."""
    found = await mailpit.get("/api/v1/search", params={"query": f'to:"{address}"', "limit": 1})
    (first,) = found.json()["messages"]
    assert first["To"] == [{"Name": "", "Address": address}]
    message: dict[str, Any] = (await mailpit.get(f"/api/v1/message/{first['ID']}")).json()
    return message


def link_in(message: dict[str, Any]) -> str:
    found = re.search(r'<a[^>]*href="(http[^"]+/verify[^"]+)"', message["HTML"])
    assert found is not None
    return html.unescape(found[1])


async def ask_for_mail(minato: Minato, path: str, **body: Any) -> None:
    async with minato.client() as client:
        answer = await client.post(f"/auth/v1/{path}", json=body)
        assert answer.status_code == 200, answer.text


async def test_a_sign_up_is_confirmed_by_the_link_in_the_html(minato: Minato, mailpit: httpx.AsyncClient) -> None:
    address = someone()
    await ask_for_mail(minato, "signup", email=address, password="a-long-password")
    message = await newest_to(mailpit, address)
    async with httpx.AsyncClient() as browser:
        confirmed = await browser.get(link_in(message))
    assert confirmed.status_code == 303
    assert "access_token=" in confirmed.headers["location"]


async def test_a_magic_links_code_is_read_in_the_text(minato: Minato, mailpit: httpx.AsyncClient) -> None:
    address = someone()
    await ask_for_mail(minato, "otp", email=address, create_user=True)
    code = re.search(r"\b(\d{6})\b", (await newest_to(mailpit, address))["Text"])
    assert code is not None
    async with minato.client() as client:
        entered = await client.post("/auth/v1/verify", json={"type": "email", "email": address, "token": code[1]})
    assert entered.json()["user"]["email"] == address


async def test_the_newest_of_several_mails_to_one_person_is_told_first(
    minato: Minato, mailpit: httpx.AsyncClient
) -> None:
    address = someone()
    await ask_for_mail(minato, "signup", email=address, password="a-long-password")
    async with httpx.AsyncClient() as browser:
        await browser.get(link_in(await newest_to(mailpit, address)))
    await ask_for_mail(minato, "recover", email=address)
    assert "type=recovery" in link_in(await newest_to(mailpit, address))


async def test_a_suite_that_asks_inbucket_gets_in_too(minato: Minato, mailpit: httpx.AsyncClient) -> None:
    address = someone()
    await ask_for_mail(minato, "signup", email=address, password="a-long-password")
    mailbox = f"/api/v1/mailbox/{address.partition('@')[0]}"
    newest = (await mailpit.get(mailbox)).json()[-1]
    body = (await mailpit.get(f"{mailbox}/{newest['id']}")).json()["body"]
    link = re.search(r"http\S+/verify\S+", body["text"])
    assert link is not None
    async with httpx.AsyncClient() as browser:
        assert (await browser.get(link[0])).status_code == 303


async def test_between_two_tests_the_mailbox_is_emptied(minato: Minato, mailpit: httpx.AsyncClient) -> None:
    address = someone()
    await ask_for_mail(minato, "otp", email=address, create_user=True)
    assert (await mailpit.delete("/api/v1/messages")).text == "ok"
    found = (await mailpit.get("/api/v1/search", params={"query": f"to:{address}"})).json()
    assert (found["messages"], found["total"]) == ([], 0)


async def test_the_words_of_a_projects_own_template_are_in_the_text(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    auth = settings.auth.model_copy(
        update={"mailer_templates_magic_link": OWN_TEMPLATE, "mailer_templates_confirmation": OWN_TEMPLATE}
    )
    person = someone()
    async with running(address, replace(settings, auth=auth)) as minato, mail_catcher(minato.backend) as mailpit:
        await ask_for_mail(minato, "otp", email=person, create_user=True)
        text = (await newest_to(mailpit, person))["Text"]
    assert f"Welcome, {person}" in text
    assert re.search(r"Follow Sign in to Shop \( http\S+/verify\?token=\S+ \)", text)
    assert re.search(r"one-time code: \*\d{6}\*", text)
    assert "color" not in text
