"""The console at `/_dev/`: what was built is served, on main and on a branch, and never in the place of a call."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from minato.dev.console_pages import BUILT, INDEX, add_console

from tests.support.hosted import Hosted
from tests.support.server import Minato

PAGE = "<!doctype html><title>Console</title>"
ADDRESSES = ["/", "/requests", "/requests/3f1c", "/branches", "/index.html"]
CALLS = [
    "/v1",
    "/v1/nothing",
    "/v1/requests",
    "/outbox/x",
    "/sms/x",
    "/idp",
    "/sink",
    "/mailpit/api",
    "/assets/gone.js",
]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A console as its build leaves it, and a file beside it that is nobody's business."""
    folder = tmp_path / "console"
    (folder / "assets").mkdir(parents=True)
    (folder / INDEX).write_text(PAGE)
    (folder / "assets" / "app.js").write_text("the whole of it")
    (folder / "assets" / "app.js.gz").write_bytes(b"smaller")
    (folder / "logo.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("hidden words")
    return folder


@pytest.fixture
def browser(built: Path) -> httpx.AsyncClient:
    """Of a developer's app with nothing but that."""
    app = FastAPI()
    add_console(app, built)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")


async def test_every_address_of_its_router_is_answered_with_its_page(browser: httpx.AsyncClient) -> None:
    for address in ADDRESSES:
        shown = await browser.get(address)
        assert (shown.status_code, shown.text, shown.headers["cache-control"]) == (200, PAGE, "no-cache"), address
        assert shown.headers["content-security-policy"].startswith("default-src 'self'; connect-src 'self' ws:;")
        assert "unsafe" not in shown.headers["content-security-policy"]


async def test_its_files_are_below_the_path_of_the_server_s_address(built: Path) -> None:
    (built / INDEX).write_text(
        '<link href="/_dev/a.css"><script src="/_dev/theme.js"></script><p>It is at /_dev/v1.</p>'
    )
    app = FastAPI()
    add_console(app, built, at="/tools/minato/_dev")
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as browser:
        shown = await browser.get("/requests")
    below = "/tools/minato/_dev"
    wanted = f'<link href="{below}/a.css"><script src="{below}/theme.js"></script><p>It is at /_dev/v1.</p>'
    assert shown.text == wanted


async def test_a_call_or_a_file_that_is_not_there_is_never_answered_with_a_page(browser: httpx.AsyncClient) -> None:
    for path in CALLS:
        answer = await browser.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_endpoint"), path
    assert (await browser.post("/requests")).status_code == 404


async def test_files_with_a_hash_are_kept_for_ever_and_sent_as_small_as_the_client_takes_them(
    browser: httpx.AsyncClient,
) -> None:
    plain = await browser.get("/assets/app.js", headers={"accept-encoding": "identity"})
    assert (plain.text, plain.headers["cache-control"]) == ("the whole of it", "public, max-age=31536000, immutable")
    assert "javascript" in plain.headers["content-type"]
    async with browser.stream("GET", "/assets/app.js", headers={"accept-encoding": "gzip"}) as small:
        assert small.headers["content-encoding"] == "gzip"
    assert (await browser.get("/logo.svg")).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/..%2fsecret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "/%2fetc/passwd", "/a%00b"])
async def test_no_path_leads_out_of_its_folder(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(path)
    assert "hidden words" not in answer.text
    assert "root:" not in answer.text


async def test_a_console_that_is_not_built_names_the_command(tmp_path: Path) -> None:
    app = FastAPI()
    add_console(app, tmp_path)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as browser:
        shown = await browser.get("/")
    assert (shown.status_code, "make console" in shown.text) == (404, True)


async def test_a_server_has_it_beside_its_calls(minato: Minato) -> None:
    async with httpx.AsyncClient(base_url=minato.url) as browser:
        shown = await browser.get("/_dev/requests")
        moved = await browser.get("/_dev")
        absent = await browser.get("/_dev/v1/nothing")
    assert shown.status_code == (200 if (BUILT / INDEX).is_file() else 404)
    assert "connect-src 'self' ws:" in shown.headers["content-security-policy"]
    assert (moved.status_code, moved.headers["location"]) == (307, "_dev/")
    assert (absent.status_code, absent.json()["code"]) == (404, "no_such_endpoint")


async def test_the_address_of_a_branch_leads_to_the_one_console_which_shows_that_branch(hosted: Hosted) -> None:
    branch = await hosted.branch()
    id_ = branch.told["id"]
    assert branch.told["console_url"] == f"{hosted.url}/_dev/?branch={id_}"
    async with httpx.AsyncClient(follow_redirects=True) as browser:
        shown = await browser.get(f"{branch.url}/_dev")
        deep = await browser.get(f"{branch.url}/_dev/requests/last", params={"q": "a b"})
    assert str(shown.url) == branch.told["console_url"]
    assert str(deep.url) == f"{hosted.url}/_dev/requests/last?q=a+b&branch={id_}"
    assert "connect-src 'self' ws:" in shown.headers["content-security-policy"]
    assert (await hosted.control.get("/b/gone/_dev/")).status_code == 404
