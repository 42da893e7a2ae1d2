"""Signing in through a provider: there and back, with a code or a session, and every way it can go wrong."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest

from tests.integration.auth.oauth.walk import APP, NEW, PKCE, Harbour, bearer, exchange, landing
from tests.support.server import Minato


async def test_a_stranger_comes_back_with_a_session_in_the_fragment(harbour: Harbour) -> None:
    email = harbour.meet()
    end = await harbour.sign_in()
    assert (end.page, end.query) == (APP, {})
    assert end.fragment["provider_token"] == "provider-access"
    assert end.fragment["provider_refresh_token"] == "provider-refresh"
    assert (end.fragment["token_type"], end.fragment["sb"]) == ("bearer", "")
    claims = harbour.minato.backend.keys.verify(end.fragment["access_token"])
    assert claims["amr"][0]["method"] == "oauth"
    async with harbour.minato.client() as client:
        user = (await client.get("/auth/v1/user", headers=bearer(end.fragment))).json()
    assert (user["email"], user["app_metadata"]) == (email, {"provider": "google", "providers": ["google"]})
    assert user["email_confirmed_at"]
    identity = user["identities"][0]
    assert (identity["provider"], identity["id"], identity["email"]) == (
        "google",
        harbour.provider.person["sub"],
        email,
    )
    metadata = user["user_metadata"]
    assert (metadata["full_name"], metadata["email_verified"], metadata["phone_verified"]) == (
        "Anna Hafen",
        True,
        False,
    )
    assert (metadata["iss"], metadata["provider_id"]) == (harbour.provider.url, identity["id"])


@pytest.mark.parametrize("provider", ["github", "gitlab", "google", "keycloak"])
async def test_every_provider_gives_the_same_account_again(harbour: Harbour, provider: str) -> None:
    email = harbour.meet()
    async with harbour.minato.client() as client:
        first = (await exchange(client, (await harbour.sign_in(provider, **PKCE)).query["code"])).json()
        assert first["user"]["email"] == email
        assert first["user"]["app_metadata"]["provider"] == provider
        assert first["user"]["user_metadata"]["name"] == "Anna Hafen"
        assert (first["provider_token"], first["provider_refresh_token"]) == ("provider-access", "provider-refresh")
        again = (await exchange(client, (await harbour.sign_in(provider, **PKCE)).query["code"])).json()
    assert again["user"]["id"] == first["user"]["id"]
    assert len(again["user"]["identities"]) == 1


async def test_a_code_needs_its_verifier_and_serves_once(harbour: Harbour) -> None:
    harbour.meet()
    code = (await harbour.sign_in(**PKCE)).query["code"]
    async with harbour.minato.client() as client:
        wrong = await exchange(client, code, "w" * 64)
        assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_code_verifier")
        assert (await exchange(client, code)).status_code == 200
        again = await exchange(client, code)
        assert (again.status_code, again.json()["code"]) == (404, "flow_state_not_found")


async def test_the_provider_is_asked_with_what_the_app_adds_but_not_with_what_the_server_decides(
    harbour: Harbour,
) -> None:
    async with harbour.minato.client() as client:
        query = {"provider": "google", "scopes": "calendar,drive", "prompt": "consent", "state": "x", "Client_ID": "y"}
        left = await client.get("/auth/v1/authorize", params={**query, "redirect_to": APP})
    sent = {name: values[0] for name, values in parse_qs(urlsplit(left.headers["location"]).query).items()}
    assert sent.pop("state") != "x"
    assert sent == {
        "client_id": "harbour",
        "prompt": "consent",
        "redirect_to": APP,
        "redirect_uri": f"{harbour.minato.url}/auth/v1/callback",
        "response_type": "code",
        "scope": "email profile calendar drive",
    }


@pytest.mark.parametrize(
    ("query", "code", "message"),
    [
        ({"provider": "nobody"}, "validation_failed", "Unsupported provider: Provider nobody could not be found"),
        (
            {"provider": "custom:none"},
            "validation_failed",
            "Unsupported provider: custom provider custom:none not found",
        ),
        ({"provider": "google", "invite_token": "x"}, "user_not_found", "User identified by token not found"),
        (
            {"provider": "google", "code_challenge": "x"},
            "validation_failed",
            "PKCE flow requires code_challenge_method and code_challenge",
        ),
        (
            {"provider": "google", **PKCE, "code_challenge_method": "md5"},
            "validation_failed",
            "Invalid code_challenge_method",
        ),
    ],
)
async def test_what_cannot_leave_is_refused(harbour: Harbour, query: dict[str, str], code: str, message: str) -> None:
    async with harbour.minato.client(**NEW) as client:
        answer = await client.get("/auth/v1/authorize", params=query)
    assert answer.status_code == (404 if code == "user_not_found" else 400)
    assert answer.json() == {"code": code, "message": message}


async def test_a_provider_that_is_off_is_refused(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        answer = await client.get("/auth/v1/authorize", params={"provider": "apple"})
    expected = {"code": "validation_failed", "message": "Unsupported provider: provider is not enabled"}
    assert (answer.status_code, answer.json()) == (400, expected)


async def test_a_state_that_never_left_leads_to_the_site(harbour: Harbour) -> None:
    async with harbour.minato.client() as client:
        for state, code in (("", "bad_oauth_callback"), ("x", "bad_oauth_state"), (str(uuid4()), "bad_oauth_state")):
            for method in ("GET", "POST"):
                options: dict[str, Any] = {"params" if method == "GET" else "data": {"state": state, "code": "x"}}
                answer = await client.request(method, "/auth/v1/callback", **options)
                end = landing(answer.headers["location"])
                assert answer.status_code == 303
                assert end.page.rstrip("/") == harbour.minato.url
                assert (end.query["error"], end.query["error_code"]) == ("invalid_request", code)


async def departed(harbour: Harbour, **query: str) -> str:
    """The state of a flow that left."""
    async with harbour.minato.client() as client:
        asked = {"provider": "google", "redirect_to": APP, **query}
        left = await client.get("/auth/v1/authorize", params=asked)
    return parse_qs(urlsplit(left.headers["location"]).query)["state"][0]


@pytest.mark.parametrize(
    ("given", "error", "code", "description"),
    [
        ({"error": "access_denied", "error_description": "No thanks"}, "access_denied", None, "No thanks"),
        ({}, "invalid_request", "bad_oauth_callback", "OAuth callback with missing authorization code missing"),
        ({"code": "stolen"}, "server_error", "unexpected_failure", "Unable to exchange external code: stol"),
    ],
)
async def test_a_refusal_is_told_to_the_page_that_asked(
    harbour: Harbour, given: dict[str, str], error: str, code: str | None, description: str
) -> None:
    state = await departed(harbour)
    async with harbour.minato.client() as client:
        answer = await client.get("/auth/v1/callback", params={"state": state, **given})
    end = landing(answer.headers["location"])
    assert (answer.status_code, end.page) == (302, APP)
    assert (end.query["error"], end.query.get("error_code"), end.query["error_description"]) == (
        error,
        code,
        description,
    )
    assert end.fragment == {**end.query, "sb": ""}


async def test_a_used_or_late_state_is_worth_nothing(harbour: Harbour) -> None:
    harbour.meet()
    async with harbour.minato.client() as client, httpx.AsyncClient() as browser:
        asked = {"provider": "google", "redirect_to": APP, **PKCE}
        left = await client.get("/auth/v1/authorize", params=asked)
        back = (await browser.get(left.headers["location"])).headers["location"]
        assert "code" in landing((await browser.get(back)).headers["location"]).query
        again = landing((await browser.get(back)).headers["location"])
        assert again.query["error_code"] == "flow_state_already_used"
        late = await departed(harbour)
        harbour.minato.backend.clock.advance(timedelta(seconds=301))
        answer = await browser.get(f"{harbour.minato.url}/auth/v1/callback", params={"state": late, "code": "x"})
        assert landing(answer.headers["location"]).query["error_description"] == "OAuth state has expired"


async def test_a_code_is_good_for_five_minutes(harbour: Harbour) -> None:
    harbour.meet()
    code = (await harbour.sign_in(**PKCE)).query["code"]
    harbour.minato.backend.clock.advance(timedelta(seconds=301))
    async with harbour.minato.client() as client:
        late = await exchange(client, code)
    assert (late.status_code, late.json()["code"]) == (422, "flow_state_expired")


async def test_a_profile_without_an_address_is_refused(harbour: Harbour) -> None:
    harbour.meet("")
    end = await harbour.sign_in()
    assert end.query["error_description"] == "Error getting user email from external provider"


async def test_tokens_signed_by_another_key_are_refused_and_new_keys_are_found(harbour: Harbour) -> None:
    harbour.meet()
    assert "access_token" in (await harbour.sign_in()).fragment
    harbour.provider.rotate()
    assert "access_token" in (await harbour.sign_in()).fragment
    harbour.provider.person["iss"] = "https://elsewhere.example"
    refused = await harbour.sign_in()
    assert refused.query["error_description"] == "Error getting user profile from external provider"
