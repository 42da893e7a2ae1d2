"""`/_dev/v1/mail-templates`: each mail of auth as its reader will see it, without an account and without leaving."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.support.accounts import fresh_address
from tests.support.server import Minato

PATH = "/mail-templates"


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=30) as client:
        yield client


async def test_every_template_makes_a_mail_that_lies_in_the_outbox_with_nothing_left_to_fill_in(
    minato: Minato, dev: httpx.AsyncClient
) -> None:
    names = (await dev.get(PATH)).json()["templates"]
    assert {"confirmation", "invite", "recovery", "magic_link", "email_changed_notification"} <= set(names)
    to = fresh_address(minato)
    made = [(await dev.post(f"{PATH}/{name}", json={"to": to})).json() for name in names]
    kept = (await dev.get("/mails", params={"to": to})).json()
    assert [mail["id"] for mail in kept] == [mail["id"] for mail in reversed(made)]
    for mail in made:
        assert mail["subject"]
        assert "{{" not in mail["html"] + mail["text"]
        assert " from  to " not in mail["text"], mail["type"]


async def test_its_link_and_code_open_nothing(minato: Minato, dev: httpx.AsyncClient) -> None:
    mail = (await dev.post(f"{PATH}/confirmation", json={"to": fresh_address(minato)})).json()
    assert (mail["type"], mail["code"], mail["token_hash"]) == ("signup", "123456", None)
    followed = await dev.get(mail["link"])
    assert "access_token" not in followed.headers["location"]
    assert "error" in followed.headers["location"]


async def test_without_a_body_it_is_for_nobody_in_particular(dev: httpx.AsyncClient) -> None:
    assert (await dev.post(f"{PATH}/recovery")).json()["to"] == "test@example.com"


async def test_a_template_that_is_none_names_those_that_are(dev: httpx.AsyncClient) -> None:
    answer = await dev.post(f"{PATH}/welcome")
    assert (answer.status_code, answer.json()["code"]) == (404, "template_not_found")
    assert "magic_link" in answer.json()["hint"]


@pytest.mark.parametrize("to", ["", "nobody", "a@b\r\nBcc: c@d", "a@b,c@d", "<a@b>", "x" * 300 + "@b"])
async def test_what_is_no_address_is_refused(dev: httpx.AsyncClient, to: str) -> None:
    assert (await dev.post(f"{PATH}/invite", json={"to": to})).status_code == 400
