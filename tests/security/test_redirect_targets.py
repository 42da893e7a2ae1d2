"""Where redirects lead: every target is a header that can be sent, and its page finds what it was sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from minato.auth.wire.redirects import is_allowed
from minato.config.auth_external import ProviderSettings
from pydantic import SecretStr

from tests.integration.auth.oauth.conftest import harbour  # noqa: F401
from tests.integration.auth.oauth.walk import PKCE, Harbour
from tests.support.accounts import PASSWORD, member, newest, parse_fragment, post, server
from tests.support.postgres import Cluster

SITE = "http://site.test"
TARGETS = {
    f"{SITE}/車": f"{SITE}/%e8%bb%8a",
    f"{SITE}/ä": f"{SITE}/%c3%a4",
    "exp://app/車": "exp://app/%e8%bb%8a",
}
SETTINGS: dict[str, Any] = {"site_url": SITE, "uri_allow_list": "exp://app/*"}


@pytest.mark.parametrize("target", TARGETS)
async def test_a_link_to_a_target_beyond_latin_letters_is_answered_and_used_once(
    cluster: Cluster, tmp_path: Path, target: str
) -> None:
    async with server(cluster, tmp_path, **SETTINGS) as minato, minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        for path, kind in (("/recover", "recovery"), ("/otp", "magiclink")):
            asked = await post(client, f"{path}?redirect_to={quote(target)}", {"email": email})
            assert asked.status_code == 200
            link = newest(minato, email, kind).link
            first, second = await client.get(link), await client.get(link)
            for answer in (first, second):
                assert answer.status_code == 303
                assert answer.headers["location"].startswith(f"{TARGETS[target]}#")
            assert "access_token" in parse_fragment(first.headers["location"])
            assert parse_fragment(second.headers["location"])["error_code"] == "otp_expired"


@pytest.mark.parametrize("target", TARGETS)
async def test_every_kind_of_link_leads_to_such_a_target(cluster: Cluster, tmp_path: Path, target: str) -> None:
    async with (
        server(cluster, tmp_path, **SETTINGS) as minato,
        minato.client(minato.service_role_key) as service,
        minato.client() as client,
    ):
        mine, next_one = (await member(minato, client))["user"]["email"], "next@example.com"
        asked = [
            {"type": "signup", "email": "new@example.com", "password": PASSWORD},
            {"type": "invite", "email": "invited@example.com"},
            {"type": "magiclink", "email": mine},
            {"type": "recovery", "email": mine},
            {"type": "email_change_current", "email": mine, "new_email": next_one},
            {"type": "email_change_new", "email": mine, "new_email": next_one},
        ]
        for body in asked:
            made = await post(service, "/admin/generate_link", {**body, "redirect_to": target})
            link = made.json()["action_link"]
            for _ in range(2):
                answer = await client.get(link)
                assert answer.status_code == 303, body
                assert answer.headers["location"].startswith(f"{TARGETS[target]}#"), body
            assert parse_fragment(answer.headers["location"])["error_code"] == "otp_expired", body


@pytest.mark.parametrize("pkce", [{}, PKCE])
async def test_a_sign_in_through_a_provider_ends_at_such_a_target(harbour: Harbour, pkce: dict[str, str]) -> None:  # noqa: F811
    harbour.meet()
    end = await harbour.sign_in(redirect_to="https://app.example/車", **pkce)
    assert end.page == "https://app.example/%e8%bb%8a"
    assert ("code" in end.query, "access_token" in end.fragment) == (bool(pkce), not pkce)


async def test_a_providers_callback_to_such_a_target_is_answered(cluster: Cluster, tmp_path: Path) -> None:
    github = ProviderSettings(enabled=True, client_id="1", secret=SecretStr("2"))
    async with server(cluster, tmp_path, **SETTINGS, external={"github": github}) as minato, minato.client() as client:
        target = quote(f"{SITE}/車#/route")
        left = await client.get(f"/auth/v1/authorize?provider=github&redirect_to={target}")
        state = httpx.URL(left.headers["location"]).params["state"]
        back = await client.get(f"/auth/v1/callback?state={state}&error=access_denied")
        assert back.status_code == 302
        assert back.headers["location"].startswith(f"{TARGETS[f'{SITE}/車']}?error=access_denied")
        assert parse_fragment(back.headers["location"])["error"] == "access_denied"


async def test_a_refusal_and_a_message_stand_in_the_only_fragment_of_the_target(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with server(cluster, tmp_path, **SETTINGS) as minato, minato.client() as client:
        target = quote(f"{SITE}/cb#/route", safe="")
        dead = await client.get(f"/auth/v1/verify?token=x&type=recovery&redirect_to={target}")
        assert dead.headers["location"].startswith(f"{SITE}/cb#error=access_denied&")
        session = await member(minato, client)
        change = {"email": "next@example.com"}
        bearer = {"authorization": f"Bearer {session['access_token']}"}
        await client.put(f"/auth/v1/user?redirect_to={target}", json=change, headers=bearer)
        half = await client.get(newest(minato, "next@example.com").link)
        assert half.headers["location"].startswith(f"{SITE}/cb#message=")


async def test_a_target_cannot_hand_its_page_a_code_or_an_error_of_its_own(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, **SETTINGS) as minato, minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        own = f"{SITE}/cb?code=mine&error=mine&error_code=mine&error_description=mine&a=1"
        pkce = {"email": email, "code_challenge": "v" * 50, "code_challenge_method": "plain"}
        await post(client, f"/otp?redirect_to={quote(own, safe='')}", pkce)
        link = newest(minato, email).link
        right = httpx.URL((await client.get(link)).headers["location"]).params
        assert (len(right.get_list("code")), right["code"] != "mine", right["a"]) == (1, True, "1")
        wrong = httpx.URL((await client.get(link)).headers["location"]).params
        found = [wrong.get_list(name) for name in ("error", "error_code", "error_description")]
        assert [len(values) for values in found] == [1, 1, 1]
        assert "mine" not in [values[0] for values in found]


@pytest.mark.parametrize(
    ("target", "globs", "allowed"),
    [
        ("http://127.0.0.1/", [], True),
        ("https://127.0.0.1:3000/x", [], True),
        ("http://[::1]:3000/", [], True),
        ("javascript://127.0.0.1/%0aalert(1)", [], False),
        ("javascript://[::1]/%0aalert(1)", [], False),
        ("data://127.0.0.1/,x", [], False),
        ("ftp://127.0.0.1/", [], False),
        ("file://127.0.0.1/etc/passwd", [], False),
        ("exp://127.0.0.1:19000/--/", [], False),
        ("exp://127.0.0.1:19000/--/", ["exp://127.0.0.1:19000/**"], True),
        ("http://10.0.0.1/", ["http://**"], False),
        ("http://site.test/\ud800", [], False),
    ],
)
def test_loopback_is_allowed_for_pages_only(target: str, globs: list[str], allowed: bool) -> None:
    assert is_allowed(target, SITE, globs) is allowed
