"""What an OAuth client may do with the token its user lent it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.integration.auth.oauth.test_oauth_server import CLIENTS, approved, pending, redeem, register
from tests.security.test_grants_revoked_at_once import code_of, look
from tests.support.accounts import NEW, bearer, member, post, server
from tests.support.postgres import Cluster
from tests.support.server import Minato

ID = str(uuid4())
ROUNDS = 8
PRIVATE: tuple[tuple[str, str, Any], ...] = (
    ("PUT", "/user", {"password": "another one", "current_password": "correct horse"}),
    ("PUT", "/user", {"email": "next@example.com"}),
    ("PUT", "/user", {"data": {"a": 1}}),
    ("GET", "/reauthenticate", None),
    ("POST", "/factors", {"factor_type": "totp", "friendly_name": "x"}),
    ("DELETE", f"/factors/{ID}", None),
    ("POST", f"/factors/{ID}/challenge", {}),
    ("POST", f"/factors/{ID}/verify", {"challenge_id": ID, "code": "123456"}),
    ("GET", "/user/identities/authorize?provider=github", None),
    ("DELETE", f"/user/identities/{ID}", None),
    ("GET", "/user/oauth/grants", None),
    ("DELETE", f"/user/oauth/grants?client_id={ID}", None),
    ("GET", f"/oauth/authorizations/{ID}", None),
    ("POST", f"/oauth/authorizations/{ID}/consent", {"action": "approve"}),
    ("POST", "/passkeys/registration/options", {}),
    ("POST", "/passkeys/registration/verify", {"challenge_id": ID, "credential": {}}),
    ("GET", "/passkeys", None),
    ("PATCH", f"/passkeys/{ID}", {"friendly_name": "x"}),
    ("DELETE", f"/passkeys/{ID}", None),
    ("GET", "/admin/users", None),
)


@pytest.fixture(scope="module")
async def authority(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server whose OAuth server and passkeys are on."""
    settings: dict[str, Any] = {"oauth_server_enabled": True, "oauth_server_allow_dynamic_registration": True}
    settings |= {"site_url": "https://app.example", "passkey_enabled": True, "security_manual_linking_enabled": True}
    settings |= {"webauthn_rp_id": "app.example", "webauthn_rp_display_name": "App"}
    settings |= {"webauthn_rp_origins": "https://app.example"}
    async with server(cluster, tmp_path_factory.mktemp("data"), **settings) as minato:
        yield minato


async def lent(minato: Minato, scope: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A member's session, and what a client got of it."""
    async with minato.client() as client:
        session = await member(minato, client)
    application = await register(minato)
    code = await approved(minato, session, application, scope=scope)
    return session, (await redeem(minato, application, code)).json()


async def renewed(client: httpx.AsyncClient, session: dict[str, Any]) -> dict[str, Any]:
    """The session with a token that tells what its account is by now."""
    body = {"refresh_token": session["refresh_token"]}
    answer: dict[str, Any] = (await post(client, "/token?grant_type=refresh_token", body)).json()
    return answer


async def test_a_clients_token_opens_nothing_that_only_its_user_may_do(authority: Minato) -> None:
    session, token = await lent(authority, "email")
    async with authority.client(token["access_token"], **NEW) as client:
        answers = {
            f"{method} {path}": await client.request(method, f"/auth/v1{path}", json=body)
            for method, path, body in PRIVATE
        }
        assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 403} == {}
        still = await client.get("/auth/v1/user", headers=bearer(session))
    assert still.json()["email"] == session["user"]["email"]


async def test_a_clients_token_administers_nothing_although_its_user_may(authority: Minato) -> None:
    async with authority.client() as client:
        session = await member(authority, client)
        await authority.db.execute(
            "update auth.users set role = 'supabase_admin' where id = $1::uuid", session["user"]["id"]
        )
        application = await register(authority)
        token = (await redeem(authority, application, await approved(authority, session, application))).json()
        users = [
            await client.get("/auth/v1/admin/users", headers=bearer(one))
            for one in (await renewed(client, session), token)
        ]
    assert [answer.status_code for answer in users] == [200, 403]


@pytest.mark.parametrize(
    ("scope", "known"),
    [
        ("openid", {"email": False, "user_metadata": False}),
        ("email", {"email": True, "user_metadata": False}),
        ("email profile", {"email": True, "user_metadata": True}),
    ],
)
async def test_a_clients_token_reads_what_its_scopes_name(
    authority: Minato,
    scope: str,
    known: dict[str, bool],
) -> None:
    _, token = await lent(authority, scope)
    async with authority.client(token["access_token"]) as client:
        assert (await client.get("/auth/v1/oauth/userinfo")).status_code == 200
        user = (await client.get("/auth/v1/user")).json()
        assert {name: bool(user[name]) for name in known} == known
        assert (user["app_metadata"], user["identities"], "recovery_sent_at" in user) == ({}, [], False)


async def test_a_client_signs_out_itself_and_nobody_else(authority: Minato) -> None:
    session, token = await lent(authority, "email")
    async with authority.client(token["access_token"]) as client:
        assert (await client.post("/auth/v1/logout?scope=global")).status_code == 204
        assert (await client.get("/auth/v1/user")).status_code == 403
        assert (await client.get("/auth/v1/user", headers=bearer(session))).status_code == 200


async def deleted(minato: Minato, application: dict[str, Any]) -> httpx.Response:
    """The administrator takes the application out."""
    async with minato.client(minato.token(role="service_role")) as admin:
        return await admin.delete(f"{CLIENTS}/{application['client_id']}")


async def code_by_consent(minato: Minato, session: dict[str, Any], application: dict[str, Any]) -> str:
    """The code of a user who agreed before."""
    code = code_of(await look(minato, session, await pending(minato, application)))
    assert code is not None
    return code


async def asked_by(minato: Minato, session: dict[str, Any]) -> int:
    """The status that whoever holds the session's token gets."""
    async with minato.client(session["access_token"]) as holder:
        return (await holder.get("/auth/v1/user")).status_code


async def test_a_deleted_client_keeps_nothing_of_what_anybody_lent_it(authority: Minato) -> None:
    async with authority.client() as client:
        people = [await member(authority, client) for _ in range(2)]
    application, other = await register(authority), await register(authority)
    codes = [await approved(authority, one, application) for one in people]
    lost = [(await redeem(authority, application, code)).json() for code in codes]
    kept = (await redeem(authority, other, await approved(authority, people[0], other))).json()
    code = await code_by_consent(authority, people[0], application)
    assert (await deleted(authority, application)).status_code == 204
    assert [await asked_by(authority, one) for one in lost] == [403, 403]
    assert [await asked_by(authority, one) for one in (*people, kept)] == [200, 200, 200]
    assert (await redeem(authority, application, code)).json()["msg"] == "Invalid client credentials"
    left = "select count(*) from auth.oauth_authorizations where client_id = $1::uuid and status = 'approved'"
    assert await authority.db.fetchval(left, application["client_id"]) == 0


async def test_a_code_that_is_traded_while_its_client_is_deleted_leads_to_nothing_that_works(
    authority: Minato,
) -> None:
    async with authority.client() as client:
        session = await member(authority, client)
    for _ in range(ROUNDS):
        application = await register(authority)
        codes = [await approved(authority, session, application)]
        codes += [await code_by_consent(authority, session, application) for _ in range(3)]
        trades = [redeem(authority, application, code) for code in codes]
        *answers, gone = await asyncio.gather(*trades, deleted(authority, application))
        assert gone.status_code == 204
        assert {answer.status_code for answer in answers} <= {200, 400, 401}
        given = [answer.json() for answer in answers if answer.status_code == 200]
        assert [await asked_by(authority, one) for one in given] == [403] * len(given)
