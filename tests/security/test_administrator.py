"""Who becomes administrator, and who does not."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.cli.options import load_settings
from minato.clock import Clock
from minato.config.auth_external import ProviderSettings
from pydantic import SecretStr

from tests.integration.auth.oauth.walk import Harbour
from tests.support.accounts import bearer, newest, post, server, sign_in, sign_up, verify
from tests.support.command import run_minato
from tests.support.oidc_provider import CLIENT_ID, CLIENT_SECRET, serving_provider
from tests.support.postgres import Cluster
from tests.support.server import Minato

ADMIN = "admin@minato.example"
OWNERS, STRANGERS = "owner's own words", "attacker-pass"
NAMED: dict[str, Any] = {"admin_email": ADMIN}


def role_in(answer: httpx.Response) -> str | None:
    role: str | None = answer.json()["user"]["app_metadata"].get("role")
    return role


async def may_see_overview(client: httpx.AsyncClient, session: dict[str, Any]) -> int:
    answer = await client.post("/rest/v1/rpc/admin_overview", json={}, headers=bearer(session))
    return answer.status_code


async def choose_password(client: httpx.AsyncClient, session: dict[str, Any], password: str = OWNERS) -> httpx.Response:
    return await client.put("/auth/v1/user", json={"password": password}, headers=bearer(session))


async def test_a_stranger_who_signs_up_the_administrators_address_first_gets_nothing(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with server(cluster, tmp_path, NAMED) as minato, minato.client() as client:
        assert (await sign_up(client, ADMIN, STRANGERS)).status_code == 200
        assert (await sign_up(client, ADMIN, OWNERS)).status_code == 200
        confirmed = await verify(client, "signup", newest(minato, ADMIN).token_hash)
        assert confirmed.status_code == 200
        assert role_in(confirmed) is None
        assert (await sign_in(client, ADMIN, STRANGERS)).status_code == 400
        changed = await choose_password(client, confirmed.json())
        assert changed.json()["app_metadata"]["role"] == "admin"
        signed_in = await sign_in(client, ADMIN, OWNERS)
        assert role_in(signed_in) == "admin"
        assert await may_see_overview(client, signed_in.json()) == 200
        assert (await sign_in(client, ADMIN, STRANGERS)).status_code == 400


async def test_an_address_accepted_without_a_mail_makes_nobody_administrator(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, NAMED, mailer_autoconfirm=True) as minato, minato.client() as client:
        opened = await sign_up(client, ADMIN, STRANGERS)
        assert (opened.status_code, role_in(opened)) == (200, None)
        assert await may_see_overview(client, opened.json()) == 403
        # Neither does a new password without a mail.
        words = {"password": "another one", "current_password": STRANGERS}
        changed = await client.put("/auth/v1/user", json=words, headers=bearer(opened.json()))
        assert (changed.status_code, changed.json()["app_metadata"].get("role")) == (200, None)
        again = await sign_in(client, ADMIN, "another one")
        assert role_in(again) is None
        await post(client, "/recover", {"email": ADMIN})
        recovered = (await verify(client, "recovery", newest(minato, ADMIN, "recovery").token_hash)).json()
        assert (await choose_password(client, recovered)).json()["app_metadata"]["role"] == "admin"
        refused = await client.get("/auth/v1/user", headers=bearer(opened.json()))
        assert refused.status_code == 403


async def test_what_a_stranger_attached_to_the_account_does_not_lead_into_the_back_office(
    cluster: Cluster, tmp_path: Path
) -> None:
    settings: dict[str, Any] = {"mailer_autoconfirm": True, "sms_autoconfirm": True, "external_phone_enabled": True}
    async with server(cluster, tmp_path, NAMED, **settings) as minato, minato.client() as client:
        opened = (await sign_up(client, ADMIN, STRANGERS)).json()
        await client.put("/auth/v1/user", json={"phone": "4915100000001"}, headers=bearer(opened))
        await minato.db.execute(
            "insert into auth.identities (provider_id, user_id, provider, identity_data)"
            " values ('77', $1, 'github', '{\"sub\": \"77\"}')",
            opened["user"]["id"],
        )
        await post(client, "/recover", {"email": ADMIN})
        recovered = (await verify(client, "recovery", newest(minato, ADMIN, "recovery").token_hash)).json()
        changed = (await choose_password(client, recovered)).json()
        assert changed["app_metadata"]["role"] == "admin"
        assert (changed["phone"], [one["provider"] for one in changed["identities"]]) == ("", ["email"])


async def test_a_text_message_to_the_account_does_not_make_it_administrator(cluster: Cluster, tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "mailer_autoconfirm": True,
        "external_phone_enabled": True,
        "sms_test_otp": "4915100000002:123456",
    }
    async with server(cluster, tmp_path, NAMED, **settings) as minato, minato.client() as client:
        opened = (await sign_up(client, ADMIN, STRANGERS)).json()
        phone = {"phone": "4915100000002"}
        await client.put("/auth/v1/user", json=phone, headers=bearer(opened))
        texted = await post(client, "/verify", {**phone, "type": "phone_change", "token": "123456"})
        assert texted.status_code == 200, texted.text
        changed = await choose_password(client, texted.json(), "by telephone")
        assert (changed.status_code, changed.json()["app_metadata"].get("role")) == (200, None)
        assert minato.backend.outbox.find(ADMIN) == []


async def test_a_session_from_before_the_account_had_the_address_claims_nothing(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with server(cluster, tmp_path, NAMED) as minato, minato.client() as client:
        await sign_up(client, "mallory@example.com", STRANGERS)
        session = (await verify(client, "signup", newest(minato, "mallory@example.com").token_hash)).json()
        await client.put("/auth/v1/user", json={"email": ADMIN}, headers=bearer(session))
        for address in ("mallory@example.com", ADMIN):
            last = await verify(client, "email_change", newest(minato, address, "email_change").token_hash)
        assert last.json()["user"]["email"] == ADMIN
        for old in (session, last.json()):
            changed = await choose_password(client, old, f"words {old['expires_at']} {old['refresh_token']}")
            assert changed.json().get("app_metadata", {}).get("role") is None


async def test_the_role_stays_behind_when_the_address_changes(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, NAMED) as minato, minato.client() as client:
        await sign_up(client, ADMIN, OWNERS)
        session = (await verify(client, "signup", newest(minato, ADMIN).token_hash)).json()
        await choose_password(client, session)
        await client.put("/auth/v1/user", json={"email": "next@example.com"}, headers=bearer(session))
        for address in (ADMIN, "next@example.com"):
            last = await verify(client, "email_change", newest(minato, address, "email_change").token_hash)
        assert (last.json()["user"]["email"], role_in(last)) == ("next@example.com", None)


async def test_a_closed_sign_up_refuses_to_open_the_administrators_account(cluster: Cluster, tmp_path: Path) -> None:
    closed = {**NAMED, "admin_signup_enabled": False}
    async with server(cluster, tmp_path, closed) as minato, minato.client() as client:
        for path in ("/signup", "/otp", "/magiclink"):
            answer = await post(client, path, {"email": ADMIN.upper(), "password": OWNERS})
            assert (answer.status_code, answer.json()["code"]) == (422, "signup_disabled")
        assert await minato.db.fetchval("select count(*) from auth.users") == 0
        await minato.db.execute(
            "insert into auth.users (id, aud, role, email, email_confirmed_at, is_sso_user, is_anonymous)"
            " values (gen_random_uuid(), 'authenticated', 'authenticated', $1, now(), false, false)",
            ADMIN,
        )
        assert (await post(client, "/otp", {"email": ADMIN})).status_code == 200
        signed_in = await verify(client, "magiclink", newest(minato, ADMIN).token_hash)
        assert signed_in.status_code == 200


async def test_a_closed_sign_up_keeps_the_address_from_accounts_that_would_take_it(
    cluster: Cluster, tmp_path: Path
) -> None:
    closed = {**NAMED, "admin_signup_enabled": False}
    settings: dict[str, Any] = {"external_anonymous_users_enabled": True, "mailer_autoconfirm": True}
    async with server(cluster, tmp_path, closed, **settings) as minato, minato.client() as client:
        for opened in (await sign_up(client, "mallory@example.com", STRANGERS), await post(client, "/signup")):
            answer = await client.put("/auth/v1/user", json={"email": ADMIN}, headers=bearer(opened.json()))
            assert (answer.status_code, answer.json()["error_code"]) == (422, "signup_disabled")
        assert await minato.db.fetchval("select count(*) from auth.users where email = $1", ADMIN) == 0


async def test_a_closed_sign_up_keeps_the_address_from_whoever_a_provider_names_by_it(
    cluster: Cluster, tmp_path: Path
) -> None:
    closed = {**NAMED, "admin_signup_enabled": False}
    async with serving_provider(Clock()) as provider:
        google = ProviderSettings(enabled=True, client_id=CLIENT_ID, secret=SecretStr(CLIENT_SECRET), url=provider.url)
        settings: dict[str, Any] = {
            "external": {"google": google},
            "external_anonymous_users_enabled": True,
            "security_manual_linking_enabled": True,
            "uri_allow_list": "https://app.example/**",
        }
        async with server(cluster, tmp_path, closed, **settings) as minato, minato.client() as client:
            provider.clock = minato.backend.clock
            harbour = Harbour(minato, provider)
            for verified in (True, False):
                harbour.meet(ADMIN.title(), verified=verified)
                assert (await harbour.sign_in()).query["error_code"] == "signup_disabled"
            assert await minato.db.fetchval("select count(*) from auth.users") == 0
            nameless = (await post(client, "/signup")).json()
            harbour.meet(ADMIN)
            link = "/auth/v1/user/identities/authorize?provider=google&skip_http_redirect=true"
            left = await client.get(link, headers=bearer(nameless))
            assert (await harbour.return_from(left.json()["url"])).query["error_code"] == "signup_disabled"
            harbour.meet()
            assert "access_token" in (await harbour.sign_in()).fragment


async def test_a_production_server_without_a_named_address_has_no_administrator(
    cluster: Cluster, tmp_path: Path
) -> None:
    named = load_settings(tmp_path, environment="production").server.admin_email
    assert named == ""
    async with server(cluster, tmp_path, {"admin_email": named}) as minato, minato.client() as client:
        await sign_up(client, ADMIN, OWNERS)
        session = (await verify(client, "signup", newest(minato, ADMIN).token_hash)).json()
        changed = await choose_password(client, session, "other words")
        assert changed.json()["app_metadata"].get("role") is None
        assert await may_see_overview(client, session) == 403


@pytest.fixture
async def with_account(cluster: Cluster, tmp_path: Path) -> Any:
    async with server(cluster, tmp_path, NAMED) as minato, minato.client() as client:
        await sign_up(client, ADMIN, OWNERS)
        await verify(client, "signup", newest(minato, ADMIN).token_hash)
        yield minato


async def command(server: Minato, folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit status and words of `minato admin`."""
    settings = {"DATABASE_URL": server.backend.database.address.admin, "MINATO_DATA_DIR": str(folder / "commands")}
    done = await asyncio.to_thread(run_minato, "admin", *arguments, **settings)
    return done.returncode, done.stdout + done.stderr


async def test_the_operator_names_and_dismisses_the_administrator_by_command(
    with_account: Minato, tmp_path: Path
) -> None:
    minato = partial(command, with_account, tmp_path)
    assert await minato("list") == (0, "")
    refused, reason = await minato("grant", "somebody@example.com")
    assert (refused, ADMIN in reason) == (1, True)
    assert (await minato("grant", ADMIN))[0] == 0
    assert await minato("list") == (0, f"{ADMIN}\n")
    async with with_account.client() as client:
        signed_in = await sign_in(client, ADMIN, OWNERS)
        assert role_in(signed_in) == "admin"
        assert (await minato("revoke", ADMIN))[0] == 0
        assert (await client.get("/auth/v1/user", headers=bearer(signed_in.json()))).status_code == 403
        assert role_in(await sign_in(client, ADMIN, OWNERS)) is None
    assert (await minato("revoke", ADMIN))[0] == 1


async def test_whoever_is_in_the_account_already_is_out_of_it_when_the_operator_names_it(
    with_account: Minato, tmp_path: Path
) -> None:
    async with with_account.client() as client:
        session = (await sign_in(client, ADMIN, OWNERS)).json()
        assert (await command(with_account, tmp_path, "grant", ADMIN))[0] == 0
        token = {"refresh_token": session["refresh_token"]}
        refreshed = await client.post("/auth/v1/token?grant_type=refresh_token", json=token)
        assert refreshed.status_code == 400
        assert (await client.get("/auth/v1/user", headers=bearer(session))).status_code == 403
