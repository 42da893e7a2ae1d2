"""How long a session lasts: time limits, one session per user, the level it must reach, scopes of signing out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_factors import enroll, prove
from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, refresh
from tests.support import server
from tests.support.server import Minato

EMAIL = "anna@example.com"


@asynccontextmanager
async def serving(
    address: DatabaseAddress, tmp_path: Path, **settings: Any
) -> AsyncIterator[tuple[Minato, httpx.AsyncClient]]:
    auth = AuthSettings(mailer_autoconfirm=True, external_anonymous_users_enabled=True, **settings)
    async with (
        server.running(address, server.settings_for(tmp_path, auth=auth)) as minato,
        minato.client(**NEW) as client,
    ):
        yield minato, client


async def sign_up(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    session: dict[str, Any] = answer.json()
    return session


async def sign_in(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.post("/auth/v1/token?grant_type=password", json={"email": EMAIL, "password": PASSWORD})
    session: dict[str, Any] = answer.json()
    return session


async def message(client: httpx.AsyncClient, session: dict[str, Any]) -> str:
    """What a refresh is refused with; empty where it is not."""
    answer = await refresh(client, session["refresh_token"])
    if answer.status_code == 200:
        return ""
    assert (answer.status_code, answer.json()["code"]) == (400, "session_expired")
    return str(answer.json()["message"]).removeprefix("Invalid Refresh Token: ")


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"sessions_timebox": 60}, "Session Expired"),
        ({"sessions_inactivity_timeout": 60}, "Session Expired (Inactivity)"),
    ],
)
async def test_a_session_ends_when_its_time_is_over(
    address: DatabaseAddress, tmp_path: Path, settings: dict[str, int], text: str
) -> None:
    async with serving(address, tmp_path, **settings) as (minato, client):
        session = await sign_up(client)
        minato.backend.clock.advance(timedelta(seconds=50))
        session = (await refresh(client, session["refresh_token"])).json()
        minato.backend.clock.advance(timedelta(seconds=59))
        # Inactivity counts from the last refresh, the time box from the sign-in.
        assert await message(client, session) == ("" if "Inactivity" in text else text)
        minato.backend.clock.advance(timedelta(seconds=61))
        assert await message(client, session) == text


async def test_an_end_set_in_the_database_is_kept(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path) as (minato, client):
        session = await sign_up(client)
        await minato.db.execute("update auth.sessions set not_after = now() - interval '1 second'")
        assert await message(client, session) == "Session Expired"


async def test_only_the_session_used_last_stays_where_one_is_allowed(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path, sessions_single_per_user=True) as (_, client):
        older = await sign_up(client)
        newer = await sign_in(client)
        assert await message(client, older) == "Session Expired (Revoked by Newer Login)"
        assert await message(client, newer) == ""


async def test_tags_allow_one_session_of_each_kind(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path, sessions_single_per_user=True, sessions_tags="web, app") as (minato, client):
        older = await sign_up(client)
        newer = await sign_in(client)
        await minato.db.execute(
            "update auth.sessions set tag = 'app' where id = $1",
            minato.backend.keys.verify(newer["access_token"])["session_id"],
        )
        assert await message(client, older) == ""
        assert await message(client, newer) == ""


async def test_a_session_without_the_second_factor_of_its_user_is_short(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path, sessions_allow_low_aal=600) as (minato, client):
        session = await sign_up(client)
        assert session["expires_in"] == 3600
        strong = (await prove(minato, client, session, await enroll(client, session))).json()
        weak = await sign_in(client)
        claims = minato.backend.keys.verify(weak["access_token"])
        assert 598 <= weak["expires_in"] <= 600
        assert claims["exp"] == weak["expires_at"]
        minato.backend.clock.advance(timedelta(seconds=601))
        assert await message(client, weak) == "Session Expired (Low AAL: User Needs MFA Verification)"
        assert (await refresh(client, strong["refresh_token"])).json()["expires_in"] == 3600


@pytest.mark.parametrize(
    ("scope", "left"), [("local", ["second", "third"]), ("others", ["first"]), ("global", []), (None, [])]
)
async def test_signing_out_ends_the_sessions_of_its_scope(
    address: DatabaseAddress, tmp_path: Path, scope: str | None, left: list[str]
) -> None:
    async with serving(address, tmp_path) as (_, client):
        opened = {"first": await sign_up(client), "second": await sign_in(client), "third": await sign_in(client)}
        query = {"scope": scope} if scope else {}
        answer = await client.post("/auth/v1/logout", params=query, headers=bearer(opened["first"]))
        assert (answer.status_code, answer.content) == (204, b"")
        alive = [
            name
            for name, session in opened.items()
            if (await client.get("/auth/v1/user", headers=bearer(session))).status_code == 200
        ]
        assert alive == left


async def test_an_unknown_scope_is_refused_after_who_is_asking(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path) as (_, client):
        session = await sign_up(client)
        refused = await client.post("/auth/v1/logout?scope=x", headers=bearer(session))
        assert (refused.status_code, refused.json()["message"]) == (400, 'Unsupported logout scope "x"')
        nobody = await client.post("/auth/v1/logout?scope=x")
        assert nobody.json()["code"] == "bad_jwt"


async def test_an_anonymous_user_keeps_the_account_when_an_address_is_added(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path) as (minato, client):
        nobody = (await client.post("/auth/v1/signup", json={"data": {"theme": "dark"}})).json()
        body = {"email": EMAIL, "password": PASSWORD}
        user = (await client.put("/auth/v1/user", json=body, headers=bearer(nobody))).json()
        assert (user["id"], user["email"], user["is_anonymous"]) == (nobody["user"]["id"], EMAIL, False)
        assert [identity["provider"] for identity in user["identities"]] == ["email"]
        assert user["app_metadata"] == {"provider": "email", "providers": ["email"]}
        assert user["user_metadata"]["theme"] == "dark"
        assert "email_confirmed_at" in user
        assert (await sign_in(client))["user"]["id"] == nobody["user"]["id"]
        renewed = (await refresh(client, nobody["refresh_token"])).json()
        assert minato.backend.keys.verify(renewed["access_token"])["is_anonymous"] is False


async def test_an_anonymous_user_stays_one_until_the_mail_is_answered(address: DatabaseAddress, tmp_path: Path) -> None:
    auth = AuthSettings(external_anonymous_users_enabled=True)
    settings = server.settings_for(tmp_path, auth=auth)
    async with server.running(address, settings) as minato, minato.client(**NEW) as client:
        nobody = (await client.post("/auth/v1/signup", json={})).json()
        user = (await client.put("/auth/v1/user", json={"email": EMAIL}, headers=bearer(nobody))).json()
        assert (user["email"], user["new_email"], user["is_anonymous"]) == ("", EMAIL, True)
        [mail] = minato.backend.outbox.find(EMAIL, "email_change")
        body = {"type": "email_change", "token_hash": mail.email.token_hash}
        session = (await client.post("/auth/v1/verify", json=body)).json()
        assert (session["user"]["id"], session["user"]["is_anonymous"]) == (nobody["user"]["id"], False)
        assert session["user"]["email"] == EMAIL


async def test_an_old_session_changes_the_password_only_with_a_mailed_nonce(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    strict = {
        "security_update_password_require_reauthentication": True,
        "security_update_password_require_current_password": False,
        "jwt_exp": 7 * 24 * 3600,
    }
    async with serving(address, tmp_path, **strict) as (minato, client):
        session = await sign_up(client)
        body = {"password": "another horse"}
        assert (await client.put("/auth/v1/user", json=body, headers=bearer(session))).status_code == 200
        minato.backend.clock.advance(timedelta(hours=25))
        body = {"password": "third horse"}
        refused = await client.put("/auth/v1/user", json=body, headers=bearer(session))
        assert (refused.status_code, refused.json()["code"]) == (400, "reauthentication_needed")
        assert (await client.get("/auth/v1/reauthenticate", headers=bearer(session))).json() == {}
        code = minato.backend.outbox.find(EMAIL, "reauthentication")[0].email.token
        wrong = await client.put("/auth/v1/user", json={**body, "nonce": f"{code}0"}, headers=bearer(session))
        assert (wrong.status_code, wrong.json()["code"]) == (422, "reauthentication_not_valid")
        right = await client.put("/auth/v1/user", json={**body, "nonce": code}, headers=bearer(session))
        assert right.status_code == 200, right.text
        again = {"password": "fourth horse", "nonce": code}
        spent = await client.put("/auth/v1/user", json=again, headers=bearer(session))
        assert (spent.status_code, spent.json()["code"]) == (422, "reauthentication_not_valid")


async def test_the_claims_of_an_access_token_come_in_the_reference_s_order(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path) as (minato, client):
        session = await sign_up(client)
        claims = minato.backend.keys.verify(session["access_token"])
        assert list(claims) == (
            "iss sub aud exp iat email phone app_metadata user_metadata role aal amr session_id is_anonymous".split()
        )
        assert claims["exp"] - claims["iat"] == session["expires_in"]
