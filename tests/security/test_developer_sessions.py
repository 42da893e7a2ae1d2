"""A browser at a server with a developer's token: the sign-in, the cookie that it gives, and who tries without."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import httpx
import pytest
from minato.dev.guard import COOKIE
from minato.http.client_address import TrustedProxies
from minato.incoming import IncomingHeaders
from pydantic import SecretStr

from tests.support.hosted import Hosted, hosting
from tests.support.postgres import Cluster
from tests.support.server import settings_for
from tests.support.waiting import PATIENCE

TOKEN = "a token of at least thirty-two characters"
BEARER = {"authorization": f"Bearer {TOKEN}"}
PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SESSION = "/_dev/v1/session"
PAGES = ["/_dev/", "/_dev/mailbox", "/_dev/requests/last", "/_dev/mailbox/0b0f7f0e-0000-4000-8000-000000000000"]
CALLS = [
    "/_dev/outbox",
    "/_dev/v1/session",
    "/_dev/v1/events",
    "/_dev/v1/branches",
    "/_dev/mailbox.js",
    "/_dev/idp.css",
]
ELSEWHERE = "http://evil.example"


@pytest.fixture(scope="module")
async def hosted(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hosted]:
    folder = tmp_path_factory.mktemp("hosted")
    server = settings_for(folder).server.model_copy(update={"dev_token": SecretStr(TOKEN)})
    async with cluster.fresh_database() as address, hosting(cluster, folder, address, server=server) as serving:
        serving.control.headers.update(BEARER)
        yield serving


@pytest.fixture
async def browser(hosted: Hosted) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=hosted.url, timeout=PATIENCE) as client:
        yield client


@pytest.fixture
async def person(hosted: Hosted, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    """A browser whose person has signed in."""
    assert (await sign_in(browser, hosted.url)).status_code == 204
    return browser


async def sign_in(browser: httpx.AsyncClient, origin: str, token: str = TOKEN, path: str = SESSION) -> httpx.Response:
    return await browser.post(path, json={"token": token}, headers={"origin": origin})


async def test_a_page_leads_to_the_sign_in_and_shows_nothing_else(browser: httpx.AsyncClient) -> None:
    for path in PAGES:
        shown = await browser.get(path, headers=PAGE)
        assert (shown.status_code, "MINATO_DEV_TOKEN" in shown.text) == (401, True), path
        policy = shown.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy


async def test_programs_and_files_of_a_page_are_refused_without_the_token(browser: httpx.AsyncClient) -> None:
    for path in CALLS:
        answer = await browser.get(path, headers=PAGE)
        assert (answer.status_code, answer.json()["code"]) == (403, "token_needed"), path
    assert (await browser.get("/_dev/", headers={"accept": "*/*"})).status_code == 403
    assert (await browser.post("/_dev/mailbox", headers=PAGE)).status_code == 403


async def test_who_signed_in_reads_pages_calls_and_those_of_every_branch(
    hosted: Hosted, person: httpx.AsyncClient
) -> None:
    branch = await hosted.branch()
    for base in (hosted.url, branch.url):
        assert (await person.get(f"{base}/_dev/mailbox", headers=PAGE)).status_code == 200
        for path in ("/_dev/outbox", "/_dev/v1/session", "/_dev/v1/clock"):
            assert (await person.get(base + path)).status_code == 200, base + path
    assert (await person.get("/_dev/v1/branches")).json()["branches"][0]["id"] == branch.told["id"]
    await hosted.branches.drop(branch.told["id"])


async def test_a_sign_in_at_a_branch_holds_for_main(hosted: Hosted, browser: httpx.AsyncClient) -> None:
    branch = await hosted.branch()
    assert (await sign_in(browser, hosted.url, path=f"{branch.url}{SESSION}")).status_code == 204
    assert (await browser.get("/_dev/outbox")).status_code == 200
    assert (await browser.get(f"{branch.url}/_dev/outbox")).status_code == 200
    await hosted.branches.drop(branch.told["id"])


async def test_the_cookie_is_for_the_browser_alone_and_does_not_tell_the_token(
    hosted: Hosted, browser: httpx.AsyncClient
) -> None:
    given = (await sign_in(browser, hosted.url)).headers.get_list("set-cookie")
    assert [cookie.split("; Path=")[1].partition(";")[0] for cookie in given] == ["/_dev", "/b"]
    for cookie in given:
        assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))
        assert TOKEN not in cookie


async def test_a_page_of_another_origin_gets_nothing_by_the_cookie(hosted: Hosted, person: httpx.AsyncClient) -> None:
    for stranger in (
        {"origin": ELSEWHERE},
        {"origin": "null"},
        {"origin": "http://localhost:5173", "sec-fetch-site": "same-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
    ):
        for method, path in (("GET", "/_dev/outbox"), ("DELETE", "/_dev/outbox"), ("POST", "/_dev/v1/branches")):
            answer = await person.request(method, path, headers=stranger)
            assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin"), (method, path, stranger)
    assert hosted.branches.living == []


async def test_what_changes_something_by_the_cookie_comes_from_a_page_of_this_server(
    hosted: Hosted, person: httpx.AsyncClient
) -> None:
    for method, path in (("DELETE", "/_dev/outbox"), ("POST", "/_dev/v1/settle"), ("POST", "/_dev/v1/branches")):
        assert (await person.request(method, path)).status_code == 403, path
    assert (await person.delete("/_dev/outbox", headers={"origin": hosted.url})).status_code == 204
    assert (await person.delete("/_dev/outbox", headers=BEARER)).status_code == 204


@pytest.mark.parametrize("made_up", ["", "x", TOKEN, "0" * 64, "caf\xe9"])
async def test_a_made_up_cookie_opens_nothing(browser: httpx.AsyncClient, made_up: str) -> None:
    headers = {b"cookie": f"a=1; {COOKIE}={made_up}".encode("latin-1")}
    assert (await browser.get("/_dev/outbox", headers=headers)).status_code == 403


async def test_a_foreign_page_can_not_sign_a_browser_in_or_out(browser: httpx.AsyncClient) -> None:
    for method in ("POST", "DELETE"):
        answer = await browser.request(method, SESSION, json={"token": TOKEN}, headers={"origin": ELSEWHERE})
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


async def test_who_signed_out_is_a_stranger_again(hosted: Hosted, person: httpx.AsyncClient) -> None:
    assert (await person.delete(SESSION, headers={"origin": hosted.url})).status_code == 204
    assert (await person.get("/_dev/outbox")).status_code == 403


def test_no_room_sees_the_cookie_of_a_developers_browser() -> None:
    incoming = IncomingHeaders(TrustedProxies([]))
    sent = [(b"host", b"localhost"), (b"cookie", f"theirs=1; {COOKIE}=2; also=3".encode()), (b"x-other", b"4")]
    seen = incoming.read({"type": "http", "headers": sent, "client": ("127.0.0.1", 1)}).headers
    assert seen == ((b"host", b"localhost"), (b"cookie", b"theirs=1; also=3"), (b"x-other", b"4"))
    alone = [(b"host", b"localhost"), (b"cookie", f"{COOKIE}=2".encode())]
    assert incoming.read({"type": "http", "headers": alone, "client": None}).headers == ((b"host", b"localhost"),)


@pytest.mark.parametrize("body", ["", "[]", '{"token": 1}', '{"token": null}', '{"tokens": "x"}', "{"])
async def test_a_body_that_is_no_sign_in_is_refused(hosted: Hosted, browser: httpx.AsyncClient, body: str) -> None:
    headers = {"origin": hosted.url, "content-type": "application/json"}
    assert (await browser.post(SESSION, content=body, headers=headers)).status_code == 400


async def test_wrong_tokens_are_refused_and_after_some_of_them_the_right_one_has_to_wait(
    hosted: Hosted, browser: httpx.AsyncClient
) -> None:
    answers = [await sign_in(browser, hosted.url, "a wrong one") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429]
    late = await sign_in(browser, hosted.url)
    assert (late.status_code, "set-cookie" in late.headers) == (429, False)
    hosted.application.backend.clock.advance(timedelta(seconds=float(late.headers["retry-after"]) + 1))
    assert (await sign_in(browser, hosted.url)).status_code == 204
