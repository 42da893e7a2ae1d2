"""The developer's pages and counters: for a person at this machine, never for another page, a proxy or a tunnel."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from minato.database.address import DatabaseAddress
from minato.mail.email import Email
from pydantic import SecretStr

from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

ELSEWHERE = "http://evil.example"
STRANGERS = [
    {"host": "evil.example"},
    {"host": "127.0.0.1.evil.example:80"},
    {"host": "x.ngrok.io"},
    {"host": "0.0.0.0:54321"},
    {"host": "localhost@evil.example"},
    {"host": "[::1"},
    {"origin": ELSEWHERE},
    {"origin": "http://localhost:1"},
    {"origin": "null"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"x-forwarded-for": "8.8.8.8"},
    {"x-forwarded-host": "localhost"},
    {"x-forwarded-proto": "https"},
    {"x-forwarded-anything": "1"},
    {"x-real-ip": "127.0.0.1"},
    {"forwarded": "for=127.0.0.1"},
    {"via": "1.1 tunnel"},
]
PEOPLE = [
    {},
    {"host": "localhost"},
    {"host": "LOCALHOST.:54321"},
    {"host": "[::1]:54321"},
    {"host": "127.8.9.10:1"},
    {"host": "localhost:5173", "origin": "http://localhost:5173", "sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
]
GUARDED = [
    "/_dev/outbox",
    "/_dev/sms",
    "/_dev/mailbox",
    "/_dev/mailbox.js",
    "/_dev",
    "/_dev/",
    "/_dev/nothing",
    "/_dev/assets/%2E%2E/%2E%2E/config.js",
    "/_dev/v1/session",
    "/_dev/v1/users/sign-in",
    "/_dev/v1/events",
    "/_dev/v1/settle",
    "/_dev/v1/requests/last",
    "/_dev/v1/requests/last/plan",
    "/_dev/v1/requests/last/replay",
    "/_dev/v1/users/any/totp",
    "/_dev/v1/users/load",
    "/_dev/v1/messages",
    "/_dev/v1/mails",
    "/_dev/v1/sms",
    "/_dev/v1/idp/next",
    "/_dev/v1/idp/id-token",
    "/_dev/v1/idp/saml-response",
    "/_dev/v1/users/organisations",
    "/_dev/idp/google/token",
    "/_dev/idp/saml/acme.example/sso",
    "/_dev/v1/sinks/any",
    "/_dev/sink/any",
    "/%5Fdev/outbox",
    "/metrics",
]
PREFLIGHT = {"access-control-request-method": "DELETE"}
NAVIGATION = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.fixture
async def browser(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=minato.url, timeout=PATIENCE) as client:
        yield client


def shares(answer: httpx.Response) -> list[str]:
    """The headers that let another origin's page read the answer."""
    return [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
async def test_who_is_not_at_this_machine_is_kept_from_mailbox_and_counters(
    browser: httpx.AsyncClient, stranger: dict[str, str]
) -> None:
    for path in GUARDED:
        for method in ("GET", "HEAD", "DELETE", "OPTIONS", "POST"):
            asked = PREFLIGHT if method == "OPTIONS" else {}
            answer = await browser.request(method, path, headers={**stranger, **asked})
            assert (answer.status_code, shares(answer)) == (403, []), (method, path)


async def test_a_foreign_page_can_not_empty_the_mailbox(minato: Minato, browser: httpx.AsyncClient) -> None:
    reader = "kept@example.com"
    await minato.backend.mailer.send(Email(reader, subject="Kept", html="", text="", type="signup"))
    await browser.delete("/_dev/outbox", headers={"origin": ELSEWHERE})
    assert len((await browser.get("/_dev/outbox", params={"to": reader})).json()) == 1


@pytest.mark.parametrize("person", PEOPLE, ids=str)
async def test_a_person_at_this_machine_reads_the_mailbox_by_every_name_of_it(
    browser: httpx.AsyncClient, person: dict[str, str]
) -> None:
    for path in ("/_dev/outbox", "/_dev/mailbox", "/metrics"):
        assert (await browser.get(path, headers=person)).status_code == 200, path


async def test_a_link_of_another_page_opens_the_pages_and_nothing_else_of_them(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/_dev/mailbox", headers=NAVIGATION)).status_code == 200
    assert (await browser.get("/_dev/requests", headers=NAVIGATION)).headers["content-type"].startswith("text/html")
    assert (await browser.get("/_dev/v1/events", headers=NAVIGATION)).status_code == 403
    assert (await browser.get("/_dev/outbox", headers=NAVIGATION)).status_code == 403
    assert (await browser.get("/_dev/idp/google/authorize", headers=NAVIGATION)).status_code == 404
    assert (await browser.post("/_dev/idp/google/token", headers=NAVIGATION)).status_code == 403
    framed = {**NAVIGATION, "sec-fetch-dest": "iframe"}
    assert (await browser.get("/_dev/mailbox", headers=framed)).status_code == 403


async def test_a_peer_that_is_not_this_machine_or_not_known_is_refused(minato: Minato) -> None:
    for peer in (("10.0.0.9", 1), ("testclient", 1), None):
        transport = httpx.ASGITransport(minato.application)
        transport.client = peer  # type: ignore[assignment]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            assert (await client.get("/_dev/outbox")).status_code == 403


@pytest.mark.parametrize(
    "path", ["/", "/config.js", "/metrics", "/healthz", "/readyz", "/_dev/outbox", "/_dev/mailbox"]
)
async def test_only_the_public_prefixes_are_shared_with_other_origins(browser: httpx.AsyncClient, path: str) -> None:
    for origin in (ELSEWHERE, str(browser.base_url).rstrip("/")):
        assert shares(await browser.get(path, headers={"origin": origin})) == []
        asked = await browser.options(path, headers={"origin": origin, **PREFLIGHT})
        assert asked.status_code >= 400
        assert shares(asked) == []


@pytest.fixture
async def measured(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    settings = settings_for(tmp_path)
    token = {"metrics_token": SecretStr("of-the-monitoring")}
    settings = replace(settings, server=settings.server.model_copy(update=token))
    async with running(address, settings) as server:
        yield server


async def test_a_token_opens_the_counters_from_anywhere_and_closes_them_to_everybody_else(measured: Minato) -> None:
    async with httpx.AsyncClient(base_url=measured.url, headers={"host": "minato.internal"}) as client:
        for given in ("", "Bearer wrong", "Bearer of-the-monitorin\xe9"):
            headers = {b"authorization": given.encode("latin-1")}
            assert (await client.get("/metrics", headers=headers)).status_code == 404
        opened = await client.get("/metrics", headers={"authorization": "Bearer of-the-monitoring"})
    assert opened.status_code == 200
