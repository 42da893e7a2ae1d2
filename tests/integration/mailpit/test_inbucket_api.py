"""The paths of Inbucket, which test suites have that are older than the CLI's Mailpit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest

from tests.integration.mailpit.test_mailpit_api import ANNA
from tests.support.mail_catcher import mail_catcher
from tests.support.server import Minato


@pytest.fixture
async def inbucket(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    """With two mails to Anna, under two of her addresses, and one to somebody else."""
    async with mail_catcher(minato.backend) as client:
        for to, subject in (("Anna@example.com", "1"), ("anna+x@other.example", "2"), ("ben@example.com", "3")):
            minato.backend.outbox.add(replace(ANNA, to=to, subject=subject))
        yield client


async def test_a_mailbox_is_the_name_before_the_at_and_lists_oldest_first(inbucket: httpx.AsyncClient) -> None:
    answers = [await inbucket.get(f"/api/v1/mailbox/{name}") for name in ("anna", "anna@example.com", "ANNA+y")]
    found = answers[0].json()
    assert [answer.json() for answer in answers] == [found] * 3
    assert [message["subject"] for message in found] == ["1", "2"]
    assert list(found[0]) == ["mailbox", "id", "from", "to", "subject", "date", "posix-millis", "size", "seen"]
    assert (found[0]["mailbox"], found[0]["seen"]) == ("anna", False)
    assert found[0]["from"] == "Admin <admin@email.com>"
    assert found[0]["to"] == ["<Anna@example.com>"]
    assert (await inbucket.get("/api/v1/mailbox/nobody")).json() == []
    assert (await inbucket.get("/api/v1/mailbox/no body")).json() == []


async def test_a_message_is_told_by_its_id_or_as_the_latest(inbucket: httpx.AsyncClient) -> None:
    oldest = (await inbucket.get("/api/v1/mailbox/anna")).json()[0]["id"]
    found = (await inbucket.get(f"/api/v1/mailbox/anna/{oldest}")).json()
    assert found["body"]["html"].strip() == ANNA.html
    assert "123456" in found["body"]["text"]
    assert found["header"]["Subject"] == ["1"]
    assert found["attachments"] == []
    assert (await inbucket.get("/api/v1/mailbox/anna/latest")).json()["subject"] == "2"
    source = await inbucket.get("/api/v1/mailbox/anna/latest/source")
    assert source.headers["content-type"] == "text/plain; charset=utf-8"
    assert "Subject: 2\r\n" in source.text
    for path in ("ben/unknown", f"ben/{oldest}", "nobody/latest", "anna/unknown/source"):
        missing = await inbucket.get(f"/api/v1/mailbox/{path}")
        assert (missing.status_code, missing.text) == (404, "404 page not found")


async def test_a_message_is_seen_when_it_is_marked_and_gone_when_it_is_deleted(inbucket: httpx.AsyncClient) -> None:
    path = f"/api/v1/mailbox/anna/{(await inbucket.get('/api/v1/mailbox/anna')).json()[0]['id']}"
    assert (await inbucket.patch(path, json={"seen": True})).json() == "OK"
    assert (await inbucket.get(path)).json()["seen"] is True
    assert (await inbucket.patch(path, content=b"nonsense")).status_code == 400
    assert (await inbucket.delete(path)).json() == "OK"
    assert [message["subject"] for message in (await inbucket.get("/api/v1/mailbox/anna")).json()] == ["2"]
    assert (await inbucket.delete(path)).status_code == 404


async def test_a_mailbox_is_emptied_and_the_others_are_not(inbucket: httpx.AsyncClient) -> None:
    assert (await inbucket.delete("/api/v1/mailbox/anna@example.com")).json() == "OK"
    assert (await inbucket.get("/api/v1/mailbox/anna")).json() == []
    assert len((await inbucket.get("/api/v1/mailbox/ben")).json()) == 1
