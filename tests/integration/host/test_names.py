"""A branch by a name below localhost, where a browser opens the web app on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.support.hosted import CONTROL, Backed, Hosted, hosting
from tests.support.isolation import REQUEST_SECONDS
from tests.support.postgres import Cluster
from tests.support.server import settings_for

PAGE = "<!doctype html><title>the app</title>"


@pytest.fixture(scope="module")
async def with_app(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hosted]:
    """A server with a web app beside its branches."""
    folder = tmp_path_factory.mktemp("with-app")
    (folder / "app").mkdir()
    (folder / "app" / "index.html").write_text(PAGE)
    server = settings_for(folder).server.model_copy(update={"web_root": folder / "app"})
    async with cluster.fresh_database() as address, hosting(cluster, folder, address, server=server) as serving:
        yield serving


@pytest.fixture
async def branch(with_app: Hosted) -> AsyncIterator[Backed]:
    made = await with_app.branch()
    yield made
    if with_app.branches.find(made.told["id"]) is not None:
        await with_app.branches.drop(made.told["id"])


def named(hosted: Hosted, name: str, **headers: str) -> httpx.AsyncClient:
    """A client as a browser is that was led to this machine by a name."""
    port = urlsplit(hosted.url).port
    return httpx.AsyncClient(
        base_url=hosted.url, headers={"host": f"{name}:{port}", **headers}, timeout=REQUEST_SECONDS
    )


def name_of(branch: Backed) -> str:
    return f"{branch.told['id']}.localhost"


async def test_the_web_app_is_opened_on_a_branch_by_its_name(with_app: Hosted, branch: Backed) -> None:
    assert branch.told["app_url"] == f"http://{name_of(branch)}:{urlsplit(with_app.url).port}"
    async with named(with_app, name_of(branch)) as browser:
        page = await browser.get("/cars")
        assert (page.text, page.headers["content-type"]) == (PAGE, "text/html; charset=utf-8")
        assert "connect-src 'self' " in page.headers["content-security-policy"]
        assert (await browser.get("/config.js")).status_code == 200


async def test_what_is_written_by_the_name_is_the_branch_s_alone(with_app: Hosted, branch: Backed) -> None:
    key = branch.backend.api_keys.service_role
    async with named(with_app, name_of(branch), apikey=key, authorization=f"Bearer {key}") as browser:
        made = await browser.post("/rest/v1/notes", json={"body": "by the name"})
        assert made.status_code == 201, made.text
    async with branch.client() as client:
        assert [note["body"] for note in (await client.get("/rest/v1/notes?select=body")).json()] == ["by the name"]
    async with with_app.main.client() as client:
        assert (await client.get("/rest/v1/notes")).status_code == 404


async def test_sockets_reach_the_branch_by_its_name(with_app: Hosted, branch: Backed) -> None:
    path = f"/realtime/v1/websocket?vsn=2.0.0&apikey={branch.anon_key}"
    address = branch.told["app_url"].replace("http", "ws", 1) + path
    async with connect(address, host="127.0.0.1") as socket:
        await socket.send('[null,"1","phoenix","heartbeat",{}]')
        assert '"ok"' in str(await socket.recv())
        assert not with_app.branches.require(branch.told["id"]).is_idle


async def test_a_link_of_a_mail_leads_back_to_the_page_that_asked_for_it(with_app: Hosted, branch: Backed) -> None:
    origin = branch.told["app_url"]
    async with named(with_app, name_of(branch), apikey=branch.anon_key) as browser:
        body = {"email": "anna@example.com", "password": "correct horse battery"}
        asked = await browser.post("/auth/v1/signup", params={"redirect_to": f"{origin}/welcome"}, json=body)
        assert asked.status_code == 200, asked.text
    async with branch.client() as client:
        (mail,) = (await client.get("/_dev/outbox?to=anna@example.com")).json()
    assert mail["link"].startswith(f"{branch.url}/auth/v1/verify?")
    assert parse_qs(urlsplit(mail["link"]).query)["redirect_to"] == [f"{origin}/welcome"]


async def test_a_link_that_was_asked_for_without_a_page_leads_to_the_app_on_the_branch(branch: Backed) -> None:
    async with branch.public() as client:
        asked = await client.post("/auth/v1/otp", json={"email": "ben@example.com"})
        assert asked.status_code == 200, asked.text
        (mail,) = (await client.get("/_dev/outbox?to=ben@example.com")).json()
    assert parse_qs(urlsplit(mail["link"]).query)["redirect_to"] == [branch.told["app_url"]]


async def test_below_the_prefix_there_is_no_page_which_would_have_main_for_a_backend(branch: Backed) -> None:
    async with branch.public() as client:
        assert (await client.get("/")).status_code == 404
        assert (await client.get("/cars")).status_code == 404


async def test_the_name_of_a_branch_that_is_gone_leads_nowhere(with_app: Hosted, branch: Backed) -> None:
    assert (await with_app.control.delete(f"{CONTROL}/{branch.told['id']}")).status_code == 204
    async with named(with_app, name_of(branch)) as browser:
        gone = await browser.get("/")
    assert (gone.status_code, gone.json()["code"]) == (410, "branch_expired")


@pytest.mark.parametrize("name", ["localhost", "nobody.localhost", "a.nobody.localhost", "main.localhost"])
async def test_any_other_name_below_localhost_is_main(with_app: Hosted, name: str) -> None:
    async with named(with_app, name) as browser:
        assert (await browser.get("/")).text == PAGE


async def test_a_page_by_the_name_cannot_ask_the_developer_s_calls(with_app: Hosted, branch: Backed) -> None:
    async with named(with_app, name_of(branch)) as browser:
        for path in ("/_dev/outbox", "/_dev/v1/branches", "/_dev/"):
            refused = await browser.get(path)
            assert (refused.status_code, refused.json()["code"]) == (403, "wrong_host"), path


async def test_without_a_web_app_there_is_no_address_to_open(hosted: Hosted) -> None:
    assert (await hosted.branch()).told["app_url"] is None
