"""`/_dev/idp`: a sign-in through every provider there is, without the provider."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.config.auth_external import PROVIDERS, ProviderSettings
from minato.database.address import DatabaseAddress
from minato.dev.idp.shapes import USERINFO
from pydantic import SecretStr

from tests.integration.auth.oauth.walk import APP, CHALLENGE, NEW, PKCE, exchange, landing
from tests.support.hosted import Backed, Hosted, hosting
from tests.support.postgres import Cluster
from tests.support.production import served
from tests.support.server import settings_for

FILE = """
[[user]]
name = "anna"
email = "anna@example.com"
password = "correct horse"
user_metadata = { full_name = "Anna <Hafen>" }
[[user.identities]]
provider = "github"
id = "4711"
"""
TOP = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.fixture(scope="module")
async def routed(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hosted]:
    """A server with branches, whose providers are its own."""
    folder = tmp_path_factory.mktemp("routed")
    file = folder / "people.toml"
    file.write_text(FILE)
    one = ProviderSettings(enabled=True, client_id="minato", email_optional=True)
    # Spotify vouches for nobody's address.
    known = {"external": dict.fromkeys(PROVIDERS, one), "mailer_autoconfirm": True}
    auth = AuthSettings.model_validate({**known, "uri_allow_list": "https://app.example/**"})
    server = settings_for(folder).server.model_copy(update={"users": file})
    async with (
        cluster.fresh_database() as address,
        hosting(cluster, folder, address, auth=auth, server=server) as serving,
    ):
        yield serving


TOKEN = "a token of at least thirty-two characters"


@pytest.fixture
async def locked(cluster: Cluster, tmp_path: Path) -> AsyncIterator[Hosted]:
    """The same behind a token."""
    google = ProviderSettings(enabled=True, client_id="minato")
    auth = AuthSettings.model_validate(
        {"external": {"google": google}, "mailer_autoconfirm": True, "uri_allow_list": "https://app.example/**"}
    )
    server = settings_for(tmp_path).server.model_copy(update={"dev_token": SecretStr(TOKEN)})
    async with (
        cluster.fresh_database() as address,
        hosting(cluster, tmp_path, address, auth=auth, server=server) as serving,
    ):
        yield serving


async def coming(place: Backed, provider: str, **who: Any) -> httpx.Response:
    async with place.client() as client:
        return await client.put("/_dev/v1/idp/next", json={"provider": provider, **who})


async def walked(place: Backed, provider: str, **query: str) -> Any:
    """From the app to the provider and back; where the browser ended."""
    async with place.public() as client:
        asked = {"provider": provider, "redirect_to": APP, **query}
        left = await client.get("/auth/v1/authorize", params=asked, headers=NEW)
        assert left.status_code == 302, left.text
    async with httpx.AsyncClient() as browser:
        met = await browser.get(left.headers["location"], headers=TOP)
        assert met.status_code == 302, met.text
        back = await browser.get(met.headers["location"], headers=TOP)
        assert back.status_code == 302, back.text
        return landing(back.headers["location"])


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_person_comes_back_from_every_provider(routed: Hosted, provider: str) -> None:
    person = {"email": f"{provider}@people.example", "name": "Anna Hafen", "picture": "https://p.example/a.png"}
    assert (await coming(routed.main, provider, user=person)).status_code == 200
    landed = await walked(routed.main, provider)
    assert landed.page == APP, landed
    assert "access_token" in landed.fragment, landed
    async with routed.main.client(landed.fragment["access_token"]) as client:
        user = (await client.get("/auth/v1/user", headers=NEW)).json()
    assert (user["email"], user["app_metadata"]["provider"]) == (person["email"], provider)
    (identity,) = user["identities"]
    told = {str(value) for value in identity["identity_data"].values()}
    assert any(value.startswith("Anna") for value in told) or provider == "apple"


def test_every_shape_is_of_a_provider_that_there_is() -> None:
    assert set(USERINFO) <= set(PROVIDERS)


async def test_a_code_of_pkce_is_had_for_its_verifier_on_a_branch(routed: Hosted) -> None:
    branch = await routed.branch()
    await coming(branch, "google", user={"email": "anna@branch.example"})
    landed = await walked(branch, "google", **PKCE)
    async with branch.public() as client:
        session = (await exchange(client, landed.query["code"])).json()
    assert session["user"]["email"] == "anna@branch.example"
    assert session["provider_token"]


async def test_a_person_of_the_users_file_is_who_the_file_says(routed: Hosted) -> None:
    await coming(routed.main, "github", user="anna")
    landed = await walked(routed.main, "github")
    async with routed.main.client(landed.fragment["access_token"]) as client:
        user = (await client.get("/auth/v1/user", headers=NEW)).json()
    assert (user["email"], user["identities"][0]["id"]) == ("anna@example.com", "4711")


@pytest.mark.parametrize("provider", ["google", "twitter", "apple"])
async def test_a_refusal_comes_back_to_the_app(routed: Hosted, provider: str) -> None:
    await coming(routed.main, provider, error="access_denied")
    landed = await walked(routed.main, provider)
    assert landed.page == APP
    assert landed.query["error"] == "access_denied"


async def test_the_page_lists_people_and_each_is_a_way_on(routed: Hosted) -> None:
    async with routed.main.public() as client:
        asked = {"provider": "google", "redirect_to": APP}
        left = await client.get("/auth/v1/authorize", params=asked, headers=NEW)
        async with httpx.AsyncClient() as browser:
            page = await browser.get(left.headers["location"], headers=TOP)
            assert (page.status_code, "form-action 'none'" in page.headers["content-security-policy"]) == (200, True)
            assert "<strong>anna</strong>" in page.text
            for chosen, ended in (("somebody new", "code"), ("", "error"), ("anna@example.com", "code")):
                way = f"{left.headers['location']}&{urlencode({'as': chosen})}"
                met = await browser.get(way)
                assert ended in parse_qs(urlsplit(met.headers["location"]).query), met.text
            unknown = await browser.get(f"{left.headers['location']}&as=nobody")
            assert (unknown.status_code, unknown.json()["code"]) == (404, "user_not_found")


async def test_nobody_is_sent_elsewhere_and_no_code_is_had_without_its_proof(routed: Hosted) -> None:
    url = f"{routed.url}/_dev/idp/google"
    back = f"{routed.url}/auth/v1/callback"
    async with httpx.AsyncClient() as browser:
        for asked in (
            {"client_id": "minato", "redirect_uri": "https://evil.example/"},
            {"client_id": "other", "redirect_uri": back},
            {"client_id": "minato"},
            {"oauth_token": "x"},
        ):
            assert (await browser.get(f"{url}/authorize", params=asked)).status_code == 400, asked
        question = {"client_id": "minato", "redirect_uri": back, "state": "s", "as": "somebody new"}
        question |= {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}
        met = await browser.get(f"{url}/authorize", params=question)
        code = parse_qs(urlsplit(met.headers["location"]).query)["code"][0]
        for form in (
            {"code": code, "redirect_uri": back},
            {"code": code, "redirect_uri": back, "code_verifier": "wrong"},
            {"code": code, "redirect_uri": "https://evil.example/", "code_verifier": "v" * 64},
            {"code": "wrong", "redirect_uri": back},
            {},
        ):
            refused = await browser.post(f"{url}/token", data=form)
            assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant"), form
        assert (await browser.get(f"{url}/userinfo")).status_code == 401
        assert (await browser.post(f"{url}/token", headers={"authorization": "OAuth x"})).status_code == 400
        assert (await browser.get(f"{routed.url}/_dev/idp/nobody/authorize")).status_code == 404


@pytest.mark.parametrize("provider", ["google", "apple", "azure", "facebook", "kakao", "keycloak"])
@pytest.mark.parametrize("nonce", [None, "a nonce"])
async def test_an_id_token_signs_an_app_in(routed: Hosted, provider: str, nonce: str | None) -> None:
    email = f"{provider}@apps.example"
    async with routed.main.client() as client:
        wanted = {"provider": provider, "user": {"email": email}, "nonce": nonce}
        made = (await client.post("/_dev/v1/idp/id-token", json=wanted)).json()
        body = {"provider": provider, "id_token": made["id_token"], **({"nonce": nonce} if nonce else {})}
        answer = await client.post("/auth/v1/token?grant_type=id_token", json=body, headers=NEW)
        assert answer.status_code == 200, answer.text
        assert answer.json()["user"]["email"] == email
        if nonce and provider != "facebook":
            wrong = await client.post(
                "/auth/v1/token?grant_type=id_token", json={**body, "nonce": "another"}, headers=NEW
            )
            assert wrong.status_code == 400


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"provider": "google"}, "bad_request"),
        ({"provider": "google", "user": {"mail": "x"}}, "bad_request"),
        ({"provider": "google", "user": "anna", "error": "x"}, "bad_request"),
        ({"provider": "google", "error": 'a"b'}, "bad_request"),
        ({"provider": "nothing", "user": "anna"}, "bad_request"),
        ({"provider": "google", "user": "nobody"}, "user_not_found"),
    ],
)
async def test_what_the_calls_do_not_take_is_named(routed: Hosted, body: dict[str, Any], code: str) -> None:
    async with routed.main.client() as client:
        assert (await client.put("/_dev/v1/idp/next", json=body)).json()["code"] == code


async def test_who_set_another_client_id_is_sent_to_the_provider(routed: Hosted) -> None:
    auth = routed.main.backend.settings.auth
    real = ProviderSettings(enabled=True, client_id="real", url="https://real.example")
    routed.main.backend.settings = replace(
        routed.main.backend.settings, auth=auth.model_copy(update={"external": {**auth.external, "github": real}})
    )
    try:
        refused = await coming(routed.main, "github", user="anna")
        assert (refused.status_code, refused.json()["code"]) == (400, "bad_request")
    finally:
        routed.main.backend.settings = replace(routed.main.backend.settings, auth=auth)


async def test_in_production_nothing_of_it_is_there(address: DatabaseAddress, tmp_path: Path) -> None:
    github = ProviderSettings(enabled=True, client_id="minato", secret=SecretStr("minato"))
    captcha: dict[str, Any] = {"security_captcha_enabled": True, "security_captcha_secret": "minato"}
    nobody: dict[str, Any] = {"security_captcha_url": "http://127.0.0.1:9/"}
    async with served(address, tmp_path, external={"github": github}, **captcha, **nobody) as minato:
        async with minato.client(**NEW) as client:
            left = await client.get("/auth/v1/authorize", params={"provider": "github"})
            assert left.headers["location"].startswith("https://github.com/login/oauth/authorize?")
            body = {"email": "a@b.example", "password": "correct horse"}
            asked = {**body, "gotrue_meta_security": {"captcha_token": "pass"}}
            assert (await client.post("/auth/v1/signup", json=asked)).status_code == 500
            for method, path in (
                ("POST", "/_dev/v1/users/sign-in"), ("POST", "/_dev/v1/users/load"), ("GET", "/_dev/v1/mails"),
                ("PUT", "/_dev/v1/idp/next"), ("GET", "/_dev/idp/github/jwks"), ("POST", "/_dev/sink/any"),
                ("GET", "/_dev/v1/sinks/any"), ("GET", "/_dev/idp.css"),
            ):  # fmt: skip
                assert (await client.request(method, path)).status_code in (404, 405), path


async def test_a_provider_s_page_opens_for_the_token_and_for_its_cookie_and_this_server_needs_none(
    locked: Hosted,
) -> None:
    async with locked.main.public() as client:
        asked = {"provider": "google", "redirect_to": APP}
        left = (await client.get("/auth/v1/authorize", params=asked, headers=NEW)).headers["location"]
    async with httpx.AsyncClient(base_url=locked.url) as browser:
        for way in (left, left.replace("client_id", "client%5Fid"), f"{left}&as="):
            refused = await browser.get(way, headers={**TOP, "accept": "text/html"})
            assert (refused.status_code, "MINATO_DEV_TOKEN" in refused.text) == (401, True)
            assert "www-authenticate" not in refused.headers
            program = await browser.get(way)
            assert (program.status_code, program.json()["code"]) == (403, "token_needed")
        wrong = {"cookie": "minato_developer=wrong"}
        assert (await browser.get(left, headers={**TOP, **wrong})).status_code == 403
        assert (await browser.get(left, headers=TOP, auth=("me", TOKEN))).status_code == 200
        signed_in = await browser.post("/_dev/v1/session", json={"token": TOKEN}, headers={"origin": locked.url})
        assert signed_in.status_code == 204
        page = await browser.get(left, headers=TOP)
        assert (page.status_code, "Somebody new" in page.text) == (200, True)
        met = await browser.get(f"{left}&{urlencode({'as': 'somebody new'})}", headers=TOP)
        back = await browser.get(met.headers["location"], headers=TOP)
    assert "access_token" in landing(back.headers["location"]).fragment


async def test_somebody_signed_in_goes_on_to_a_provider_of_a_branch(locked: Hosted) -> None:
    headers = {"authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(base_url=locked.url) as browser:
        made = (await browser.post("/_dev/v1/branches", headers=headers)).json()
        await browser.post("/_dev/v1/session", json={"token": TOKEN}, headers={"origin": locked.url})
        asked = {"provider": "google", "redirect_to": APP}
        left = await browser.get(f"{made['url']}/auth/v1/authorize", params=asked, headers=NEW)
        page = await browser.get(left.headers["location"], headers=TOP)
    assert (page.status_code, "Somebody new" in page.text) == (200, True)
