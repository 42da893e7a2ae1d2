"""What is served beside the four services: health, metrics, the web app, the developer's mailbox."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.mail.email import Email
from api.site import find_asset
from tests.support.server import Minato


@pytest.fixture
async def browser(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=minato.url, timeout=30) as client:
        yield client


async def test_health_and_readiness_answer(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/healthz")).text == "ok"
    assert (await browser.get("/readyz")).text == "ok"


async def test_metrics_count_requests_by_room(browser: httpx.AsyncClient) -> None:
    await browser.get("/auth/v1/health")
    assert 'minato_http_requests_total{room="auth",status="200"}' in (await browser.get("/metrics")).text


async def test_the_web_app_learns_its_backend_without_secrets(minato: Minato, browser: httpx.AsyncClient) -> None:
    script = (await browser.get("/config.js")).text
    assert minato.anon_key in script
    assert minato.service_role_key not in script
    assert minato.backend.api_keys.secret not in script
    assert '"adminSignup":true' in script


async def test_mail_can_be_read_as_json_and_as_a_page(minato: Minato, browser: httpx.AsyncClient) -> None:
    mail = Email("reader@example.com", subject="Hello", html="<p>Hello</p>", text="Hello", type="signup", token="123")
    await minato.backend.mailer.send(mail)
    [entry] = (await browser.get("/_dev/outbox", params={"to": "reader@example.com", "wait": 1})).json()
    assert entry["token"] == "123"
    assert entry["from"]
    shown = await browser.get(f"/_dev/mailbox/{entry['id']}")
    assert shown.text.endswith("<p>Hello</p>")
    assert "sandbox" in shown.headers["content-security-policy"]
    assert "Mailbox" in (await browser.get("/_dev/mailbox")).text


def test_the_web_apps_routes_get_its_page_and_files_can_not_be_escaped_from(tmp_path: Path) -> None:
    root = tmp_path / "dist"
    (root / "assets").mkdir(parents=True)
    (root / "index.html").write_text("page")
    (root / "assets" / "app.js").write_text("code")
    (tmp_path / "secret.txt").write_text("secret")
    assert find_asset(root, "importer/feed") == root / "index.html"
    assert find_asset(root, "auth") == root / "index.html"
    assert find_asset(root, "auth/v2/token") is None
    assert find_asset(root, "assets/app.js") == root / "assets" / "app.js"
    assert find_asset(root, "assets/gone.js") is None
    assert find_asset(root, "../secret.txt") is None
    assert find_asset(root, "a\x00b") == root / "index.html"
