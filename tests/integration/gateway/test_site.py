"""What is served beside the four services: health, metrics, the web app, the developer's mailbox."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import orjson
import pytest
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from minato.http.built_files import find_asset, smallest_copy
from minato.mail.email import Email
from minato.project.minato_toml import WEB_SETTINGS
from minato.web_app import WebApp

from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE


@pytest.fixture
async def browser(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=minato.url, timeout=PATIENCE) as client:
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


async def told(address: DatabaseAddress, folder: Path, project: Path | None) -> tuple[str, Minato]:
    """What `/config.js` of a project's server says."""
    server = ServerSettings(data_dir=folder, web_root=None, project=project)
    async with running(address, settings_for(folder, server=server)) as minato, minato.client() as client:
        return (await client.get("/config.js")).text, minato


async def test_a_page_of_a_project_that_chooses_nothing_learns_what_supabase_js_needs(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    (tmp_path / "mine" / "supabase").mkdir(parents=True)
    for project in (None, tmp_path / "mine"):
        script, minato = await told(address, tmp_path, project)
        assert script == f'window.__MINATO__ = {{"url":"{minato.url}","anonKey":"{minato.anon_key}"}};\n'


async def test_a_project_chooses_what_its_page_learns_and_under_which_names(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    file = tmp_path / "mine" / "supabase" / "minato.toml"
    file.parent.mkdir(parents=True)
    names = "\n".join(f'x{number} = "{setting}"' for number, setting in enumerate(WEB_SETTINGS))
    file.write_text(f"[web]\n{names}\n")
    script, minato = await told(address, tmp_path, tmp_path / "mine")
    values = orjson.loads(script.removeprefix("window.__MINATO__ = ").removesuffix(";\n"))
    keys = minato.backend.api_keys
    expected = [minato.url, keys.anon, keys.publishable, "Minato", False, "", True]
    assert list(values.items()) == [(f"x{number}", value) for number, value in enumerate(expected)]


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


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A web app of two addresses, as its build leaves it."""
    root = tmp_path / "dist"
    (root / "assets").mkdir(parents=True)
    (root / "index.html").write_text('<meta property="og:image" content="/share.png" />')
    (root / "assets" / "app.js").write_text("code")
    (root / "routes.json").write_text(
        '[{"path": "/", "preload": []},'
        ' {"path": "/agent/profile/:agentId", "preload": ["/assets/a.js", "/assets/b.js"]}]'
    )
    return root


def test_files_of_the_web_app_can_not_be_escaped_from(built: Path) -> None:
    (built.parent / "secret.txt").write_text("secret")
    assert find_asset(built, "assets/app.js") == built / "assets" / "app.js"
    assert find_asset(built, "assets/gone.js") is None
    assert find_asset(built, "../secret.txt") is None
    assert find_asset(built, "a\x00b") is None
    assert find_asset(built, "a" * 300) is None


@pytest.mark.parametrize("path", ["", "agent/profile/7", "agent/profile/7/", "Agent/Profile/7"])
def test_the_web_apps_addresses_get_its_page(built: Path, path: str) -> None:
    page = WebApp(built, "https://cars.example").page(path)
    assert page is not None
    assert page.is_known


@pytest.mark.parametrize("path", ["no/such/page", "agent/profile", "agent/profile/7/8", "a\x00b"])
def test_any_other_address_gets_the_page_too_and_is_not_found(built: Path, path: str) -> None:
    page = WebApp(built, "https://cars.example").page(path)
    assert page is not None
    assert not page.is_known


@pytest.mark.parametrize("path", ["auth/v2/token", "rest/v1", "favicon.png"])
def test_what_a_client_or_a_file_is_asked_for_gets_no_page(built: Path, path: str) -> None:
    assert WebApp(built, "https://cars.example").page(path) is None


def test_a_browser_hears_with_the_page_which_files_it_will_need(built: Path) -> None:
    page = WebApp(built, "https://cars.example").page("agent/profile/7")
    assert page is not None
    assert page.link == "</assets/a.js>; rel=modulepreload, </assets/b.js>; rel=modulepreload"


def test_the_picture_of_a_shared_link_is_named_with_the_host(built: Path) -> None:
    page = WebApp(built, "https://cars.example").page("")
    assert page is not None
    assert page.html == b'<meta property="og:image" content="https://cars.example/share.png" />'


def test_a_web_app_that_is_built_anew_is_read_anew(built: Path) -> None:
    app = WebApp(built, "https://cars.example")
    assert app.page("new") is not None
    (built / "routes.json").write_text('[{"path": "/new", "preload": []}]')
    os.utime(built / "routes.json", (1, 1))
    page = app.page("new")
    assert page is not None
    assert page.is_known


@pytest.mark.parametrize(
    ("accepted", "suffix", "encoding"),
    [
        ("gzip, deflate, br, zstd", ".br", "br"),
        ("gzip;q=1.0, br;q=0", ".gz", "gzip"),
        ("identity", "", None),
        ("", "", None),
    ],
)
def test_a_client_gets_the_smallest_copy_it_understands(
    tmp_path: Path, accepted: str, suffix: str, encoding: str | None
) -> None:
    for name in ("app.js", "app.js.gz", "app.js.br", "logo.png"):
        (tmp_path / name).write_text(name)
    assert smallest_copy(tmp_path / "app.js", accepted) == (tmp_path / f"app.js{suffix}", encoding)
    assert smallest_copy(tmp_path / "logo.png", accepted) == (tmp_path / "logo.png", None)
