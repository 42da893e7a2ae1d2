"""What browsers are told about the site, its errors and the mailbox: what may run, who may frame, what is told on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from minato.host.host import Host
from minato.mail.email import Email
from pydantic import ValidationError

from tests.support.server import JWT_SECRET, Minato, running, settings_for
from tests.support.waiting import PATIENCE

SITE = ["/", "/importer/feed", "/assets/app.js", "/config.js", "/healthz", "/nope.txt", "/_dev/outbox", "/rest/v2/x"]
SOCKET = (
    b"GET /realtime/v1/websocket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
EVERY_PAGE = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "cross-origin-resource-policy": "same-origin",
}


def directives(answer: httpx.Response) -> dict[str, list[str]]:
    """The one Content-Security-Policy of an answer, by directive."""
    [policy] = answer.headers.get_list("content-security-policy")
    parts = [part.split() for part in policy.split(";")]
    return {name: sources for name, *sources in parts}


@pytest.fixture
def web_root(tmp_path: Path) -> Path:
    """A built web app, as small as one can be."""
    root = tmp_path / "dist"
    (root / "assets").mkdir(parents=True)
    (root / "index.html").write_text("page")
    (root / "assets" / "app.js").write_text("code")
    return root


@pytest.fixture
async def site(address: DatabaseAddress, tmp_path: Path, web_root: Path) -> AsyncIterator[Minato]:
    settings = settings_for(tmp_path)
    settings = replace(settings, server=settings.server.model_copy(update={"web_root": web_root}))
    async with running(address, settings) as server:
        yield server


async def test_every_page_asset_and_error_of_the_site_says_what_a_browser_may_do_with_it(site: Minato) -> None:
    async with httpx.AsyncClient(base_url=site.url) as client:
        for path in SITE:
            answer = await client.get(path)
            told = {name: answer.headers.get(name) for name in EVERY_PAGE}
            assert told == EVERY_PAGE, path
            assert "camera=()" in answer.headers["permissions-policy"]
            assert "unsafe" not in answer.headers["content-security-policy"], path
            assert directives(answer)["frame-ancestors"] == ["'none'"]
        assert (await client.head("/")).headers["x-frame-options"] == "DENY"


async def test_the_site_runs_only_its_own_scripts_and_asks_only_its_own_server(site: Minato) -> None:
    async with httpx.AsyncClient(base_url=site.url) as client:
        policy = directives(await client.get("/"))
    own = urlsplit(site.url).netloc
    assert policy["default-src"] == policy["object-src"] == policy["base-uri"] == ["'none'"]
    assert policy["script-src"] == policy["style-src"] == policy["font-src"] == policy["form-action"] == ["'self'"]
    assert policy["connect-src"] == ["'self'", f"http://{own}", f"ws://{own}"]
    assert policy["img-src"] == ["'self'", "data:", "blob:", "https:", f"http://{own}", "http:"]


async def test_pictures_elsewhere_are_loaded_by_https_alone_in_production(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    settings = settings_for(tmp_path)
    settings = replace(settings, server=settings.server.model_copy(update={"environment": "production"}))
    application = Host(2).create(settings, address, "https://minato.example", JWT_SECRET)
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="https://minato.example") as client:
        policy = directives(await client.get("/healthz"))
    assert policy["img-src"] == ["'self'", "data:", "blob:", "https:", "https://minato.example"]
    assert "https:" not in policy["script-src"] + policy["connect-src"] + policy["style-src"] + policy["font-src"]


async def test_answers_of_the_api_are_never_guessed_to_be_pages(site: Minato) -> None:
    async with site.client() as client:
        for path in ("/rest/v1/nope", "/auth/v1/health", "/storage/v1/nope", "/realtime/v1/nope", "/graphql/v1"):
            assert (await client.get(path)).headers.get_list("x-content-type-options") == ["nosniff"], path
        refused = await client.get("/rest/v1/", headers={"apikey": "sb_secret_guessed"})
    assert refused.headers["x-content-type-options"] == "nosniff"


async def test_the_mailbox_and_a_mail_in_it_run_nothing_but_the_mailboxs_own_script(minato: Minato) -> None:
    html = '<style>p { color: red }</style><p style="color: &quot;red&quot;" onclick="x()">Hello</p><p style=\'a: b\'>'
    sent = Email("styled@example.com", subject="Hello", html=html, text="", type="signup")
    await minato.backend.mailer.send(sent)
    async with httpx.AsyncClient(base_url=minato.url) as client:
        page = await client.get("/_dev/mailbox")
        [entry] = (await client.get("/_dev/outbox", params={"to": "styled@example.com"})).json()
        mail = await client.get(f"/_dev/mailbox/{entry['id']}")
        gone = await client.get("/_dev/mailbox/00000000-0000-4000-8000-000000000000")
    assert directives(page)["default-src"] == directives(page)["frame-ancestors"] == ["'none'"]
    assert directives(page)["script-src"] == ["'self'"]
    assert "unsafe" not in page.headers["content-security-policy"]
    policy = directives(mail)
    assert policy["default-src"] == ["'none'"]
    assert "script-src" not in policy
    assert "allow-scripts" not in policy["sandbox"]
    assert policy["frame-ancestors"] == ["'self'"]
    assert mail.headers["x-frame-options"] == "SAMEORIGIN"
    assert "'unsafe-inline'" not in policy["style-src"]
    assert len([source for source in policy["style-src"] if source.startswith("'sha256-")]) == 3
    assert "sandbox" in directives(gone)


@pytest.mark.parametrize(
    ("environment", "public_url", "held"),
    [
        ("production", "https://minato.example", "max-age=31536000"),
        ("production", "http://minato.internal", None),
        ("development", "https://minato.test", None),
    ],
)
async def test_https_is_insisted_on_where_production_is_known_by_it(
    address: DatabaseAddress, tmp_path: Path, environment: str, public_url: str, held: str | None
) -> None:
    settings = settings_for(tmp_path)
    settings = replace(settings, server=settings.server.model_copy(update={"environment": environment}))
    application = Host(2).create(settings, address, public_url, JWT_SECRET)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url=public_url) as client:
        for path in ("/healthz", "/auth/v1/health"):
            assert (await client.get(path)).headers.get("strict-transport-security") == held


async def test_an_operator_may_allow_more_sources(address: DatabaseAddress, tmp_path: Path) -> None:
    more = "script-src https://stats.example; frame-ancestors https://portal.example; media-src 'self'"
    settings = settings_for(tmp_path)
    settings = replace(settings, server=settings.server.model_copy(update={"csp_allow": more}))
    async with running(address, settings) as minato, minato.client() as client:
        answer = await client.get("/healthz")
    policy = directives(answer)
    assert policy["script-src"] == ["'self'", "https://stats.example"]
    assert policy["frame-ancestors"] == ["https://portal.example"]
    assert policy["media-src"] == ["'self'"]
    assert "x-frame-options" not in answer.headers


@pytest.mark.parametrize("wrong", ["https://stats.example", "script-src a\r\nset-cookie: b", "img-src a, b", "x-y; ;"])
def test_what_is_no_policy_stops_the_start(wrong: str) -> None:
    with pytest.raises(ValidationError):
        ServerSettings(csp_allow=wrong)


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\n", b"400"),
        (b"GET /auth/v1/health HTTP/1.1\r\n", b"400"),
        (b"GET /healthz HTTP/1.1\r\nHost:\r\n", b"400"),
        (b"GET /healthz HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n", b"400"),
        (b"GET /healthz HTTP/1.0\r\nHost: a.example\r\nHost: b.example\r\n", b"400"),
        (SOCKET, b"400"),
        (SOCKET + b"Host: a.example\r\nHost: b.example\r\n", b"400"),
        (SOCKET + b"Host: a.example\r\n", b"401"),
        (b"GET /healthz HTTP/1.1\r\nHost: a.example\r\n", b"200"),
        (b"GET /healthz HTTP/1.0\r\n", b"200"),
        (b"GET /_dev/outbox HTTP/1.0\r\n", b"403"),
        (b"GET /_dev/outbox HTTP/1.0\r\nHost: localhost\r\n", b"403"),
    ],
)
async def test_a_request_names_its_host_exactly_once(minato: Minato, request_head: bytes, status: bytes) -> None:
    ending = b"" if request_head.startswith(SOCKET) else b"Connection: close\r\n"
    answer = await exchanged(minato.url, request_head + ending + b"\r\n")
    assert answer.split(b" ")[1] == status


async def exchanged(url: str, request: bytes) -> bytes:
    """What the server sends until it closes."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port, family=socket.AF_INET)
    writer.write(request)
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.read()
    finally:
        writer.close()
