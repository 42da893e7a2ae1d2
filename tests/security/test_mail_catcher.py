"""The mail catcher has everybody's mail: it answers programs and pages of this machine, and nobody's page elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest

from tests.integration.mailpit.test_mailpit_api import ANNA
from tests.security.test_developer_pages import NAVIGATION, STRANGERS, shares
from tests.support.mail_catcher import mail_catcher
from tests.support.server import Minato

PATHS = (
    *("/", "/api/v1/messages", "/api/v1/search?query=x", "/api/v1/message/latest", "/api/v1/message/latest/raw"),
    *("/view/latest.html", "/view/latest.txt", "/api/v1/mailbox/anna", "/_dev/outbox", "/_dev/mailbox", "/livez"),
)


@pytest.fixture
async def mailpit(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with mail_catcher(minato.backend) as client:
        minato.backend.outbox.add(ANNA)
        yield client


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
async def test_who_is_not_at_this_machine_reads_and_deletes_nothing(
    minato: Minato, mailpit: httpx.AsyncClient, stranger: dict[str, str]
) -> None:
    for path in PATHS:
        for method in ("GET", "HEAD", "DELETE", "PUT", "OPTIONS", "POST"):
            answer = await mailpit.request(method, path, headers=stranger)
            assert (answer.status_code, shares(answer)) == (403, []), (method, path)
    assert len(minato.backend.outbox.find()) == 1


async def test_another_page_may_lead_to_the_mailbox_and_read_nothing(mailpit: httpx.AsyncClient) -> None:
    opened = await mailpit.get("/", headers=NAVIGATION, follow_redirects=True)
    assert (opened.status_code, opened.url.path) == (200, "/_dev/mailbox")
    for path in PATHS[1:9]:
        assert (await mailpit.get(path, headers=NAVIGATION)).status_code == 403, path


async def test_a_page_of_its_own_may_ask(mailpit: httpx.AsyncClient) -> None:
    own = {"origin": str(mailpit.base_url).rstrip("/"), "sec-fetch-site": "same-origin"}
    answer = await mailpit.get("/api/v1/messages", headers=own)
    assert (answer.status_code, shares(answer)) == (200, [])


async def test_the_name_it_is_called_by_is_heeded_and_no_other(minato: Minato) -> None:
    async with mail_catcher(minato.backend, "Dev-Box") as mailpit:
        for host, status in (("dev-box:54324", 200), ("localhost:1", 200), ("dev-box.evil.example", 403)):
            assert (await mailpit.get("/api/v1/messages", headers={"host": host})).status_code == status, host


async def test_a_mail_and_what_is_attached_to_it_run_nothing(minato: Minato, mailpit: httpx.AsyncClient) -> None:
    evil = "<script>fetch('/api/v1/messages')</script><p>x</p>"
    minato.backend.outbox.add(replace(ANNA, html=evil))
    shown = await mailpit.get("/view/latest.html")
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert "script-src" not in shown.headers["content-security-policy"]
    assert "allow-scripts" not in shown.headers["content-security-policy"]
    assert "allow-same-origin" not in shown.headers["content-security-policy"]
    attached = {
        "From": {"Email": "a@b.c"},
        "Attachments": [{"Content": "PHNjcmlwdD4=", "Filename": 'x".html', "ContentType": "text/html"}],
    }
    assert (await mailpit.post("/api/v1/send", json=attached)).status_code == 200
    part = (await mailpit.get("/api/v1/message/latest")).json()["Attachments"][0]
    got = await mailpit.get(f"/api/v1/message/latest/part/{part['PartID']}")
    assert got.headers["content-security-policy"].endswith("sandbox")
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["content-disposition"] == 'inline; filename="x%22.html"'


async def test_a_message_that_is_too_long_is_not_kept(mailpit: httpx.AsyncClient) -> None:
    long = await mailpit.put("/api/v1/messages", content=b" " * (5 * 1024 * 1024 + 1))
    assert long.status_code == 413
