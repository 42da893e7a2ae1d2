"""Eight requests for one thing at the same moment: those that come late are answered as late ones, never with 5xx."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from tests.integration.auth.oauth import test_custom_providers as custom
from tests.integration.auth.oauth.conftest import harbour  # noqa: F401
from tests.integration.auth.oauth.test_account_linking import linked
from tests.integration.auth.oauth.test_custom_providers import club  # noqa: F401
from tests.integration.auth.oauth.walk import Harbour
from tests.support.accounts import PASSWORD, bearer, fresh_address, member, post, sign_up, verify
from tests.support.server import Minato
from tests.support.waiting import PATIENCE

AT_ONCE = 8


async def together(request: Callable[[], Awaitable[httpx.Response]]) -> list[httpx.Response]:
    return list(await asyncio.gather(*(request() for _ in range(AT_ONCE))))


@pytest.mark.parametrize("path", ["/otp", "/magiclink", "/signup"])
async def test_one_new_address_at_once_opens_one_account(minato: Minato, path: str) -> None:
    body = {"email": fresh_address(minato), "password": PASSWORD}
    async with minato.client() as client:
        answers = await together(lambda: post(client, path, body))
    assert {answer.status_code for answer in answers} == {200}
    assert await minato.db.fetchval("select count(*) from auth.users where email = $1", body["email"]) == 1


async def test_one_second_factor_at_once_is_enrolled_once(minato: Minato) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        body = {"factor_type": "totp", "friendly_name": "mine"}
        answers = await together(lambda: post(client, "/factors", body, **bearer(session)))
    assert sorted(answer.status_code for answer in answers) == [200, *[422] * 7]
    assert {answer.json().get("code") for answer in answers} == {None, "mfa_factor_name_conflict"}


@pytest.mark.parametrize("path", ["/admin/users", "/invite", "/admin/generate_link"])
async def test_one_account_at_once_is_opened_once_by_the_administrator(minato: Minato, path: str) -> None:
    body = {"email": fresh_address(minato), "password": PASSWORD, "type": "signup"}
    async with minato.client(minato.service_role_key) as service:
        answers = await together(lambda: post(service, path, body))
    late = 422 if path == "/admin/users" else 200
    assert sorted(answer.status_code for answer in answers) == sorted([200, *[late] * 7])
    assert await minato.db.fetchval("select count(*) from auth.users where email = $1", body["email"]) == 1


async def test_one_account_deleted_at_once_is_deleted_once(minato: Minato) -> None:
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        user = (await member(minato, client))["user"]["id"]
        answers = await together(lambda: service.delete(f"/auth/v1/admin/users/{user}"))
    assert sorted(answer.status_code for answer in answers) == [200, *[404] * 7]
    logged = "select count(*) from auth.audit_log_entries where payload->>'action' = 'user_deleted'"
    assert await minato.db.fetchval(f"{logged} and payload->'traits'->>'user_id' = $1", user) == 1


@pytest.mark.parametrize("path", ["/otp", "/magiclink", "/recover"])
async def test_mails_asked_for_at_once_leave_one_that_is_good(minato: Minato, path: str) -> None:
    async with minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        answers = await together(lambda: post(client, path, {"email": email}))
        assert {answer.status_code for answer in answers} == {200}
        mails = minato.backend.outbox.find(email, "recovery" if path == "/recover" else "magiclink")
        assert len(mails) == AT_ONCE
        used = [await verify(client, mail.email.type, mail.email.token_hash) for mail in mails]
    assert sorted(answer.status_code for answer in used) == [200, *[403] * 7]


@pytest.mark.parametrize("path", ["/invite", "/admin/generate_link"])
async def test_a_pending_account_invited_at_once_is_confirmed_once(minato: Minato, path: str) -> None:
    body = {"email": fresh_address(minato), "type": "invite"}
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        await sign_up(client, body["email"])
        answers = await together(lambda: post(service, path, body))
        assert {answer.status_code for answer in answers} == {200}
        if path == "/invite":
            hashes = [mail.email.token_hash for mail in minato.backend.outbox.find(body["email"], "invite")]
        else:
            hashes = [answer.json()["hashed_token"] for answer in answers]
        used = [await verify(client, "invite", one) for one in hashes]
    assert sorted(answer.status_code for answer in used) == [200, *[403] * 7]


async def test_one_custom_provider_at_once_is_added_once(club: Harbour) -> None:  # noqa: F811
    body = {**custom.KNOWN, **custom.oauth2(club), "identifier": "custom:at-once"}
    async with custom.admin(club) as admin:
        answers = await together(lambda: admin.post(custom.PROVIDERS, json=body))
    assert sorted(answer.status_code for answer in answers) == [201, *[400] * 7]
    assert {answer.json().get("code") for answer in answers} == {None, "conflict"}


async def test_one_person_of_a_provider_at_once_opens_one_account(harbour: Harbour) -> None:  # noqa: F811
    email = harbour.meet()
    ends = await asyncio.gather(*(harbour.sign_in() for _ in range(AT_ONCE)))
    assert ["access_token" in end.fragment for end in ends] == [True] * AT_ONCE
    assert await harbour.minato.db.fetchval("select count(*) from auth.users where email = $1", email) == 1


async def test_one_identity_linked_at_once_is_linked_once(harbour: Harbour) -> None:  # noqa: F811
    async with harbour.minato.client() as client:
        session = await member(harbour.minato, client)
        harbour.meet()
        ends = await asyncio.gather(*(linked(harbour, client, session) for _ in range(AT_ONCE)))
        assert ["access_token" in end.fragment for end in ends].count(True) == 1
        assert {end.query.get("error_code") for end in ends} == {None, "identity_already_exists"}
        assert await providers_of(client, session) == ["email", "google"]


@pytest.mark.parametrize("leaving", [["google"], ["email", "google"]])
async def test_the_last_identity_stays_however_many_leave_at_once(harbour: Harbour, leaving: list[str]) -> None:  # noqa: F811
    async with harbour.minato.client() as client:
        session = await member(harbour.minato, client)
        harbour.meet()
        assert "access_token" in (await linked(harbour, client, session)).fragment
        mine = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        ids = [one["identity_id"] for one in mine["identities"] if one["provider"] in leaving]
        turns = iter(ids * AT_ONCE)
        answers = await together(
            lambda: client.delete(f"/auth/v1/user/identities/{next(turns)}", headers=bearer(session))
        )
        assert sorted(answer.status_code for answer in answers) == [200, *[422] * 7]
        assert len(await providers_of(client, session)) == 1


async def providers_of(client: httpx.AsyncClient, session: dict[str, Any]) -> list[str]:
    mine = (await client.get("/auth/v1/user", headers=bearer(session))).json()
    return [one["provider"] for one in mine["identities"]]


WAYS = {
    "change": ("PUT", "/user", 403),
    "factor": ("POST", "/factors", 403),
    "password": ("POST", "/token?grant_type=password", 400),
    "refresh": ("POST", "/token?grant_type=refresh_token", 400),
    "recover": ("POST", "/recover", 200),
    "magiclink": ("POST", "/magiclink", 200),
}


@pytest.mark.parametrize("way", WAYS)
async def test_an_account_deleted_meanwhile_is_answered_as_one_that_is_gone(minato: Minato, way: str) -> None:
    method, path, status = WAYS[way]
    async with minato.client() as client:
        session = await member(minato, client)
        user = session["user"]
        body = {"email": user["email"], "password": PASSWORD, "refresh_token": session["refresh_token"]}
        body |= {"data": {"a": 1}, "factor_type": "totp", "friendly_name": "mine"}
        if way == "change":
            body = {"data": {"a": 1}}
        async with minato.db.transaction():
            await minato.db.execute("delete from auth.users where id = $1::uuid", user["id"])
            headers = bearer(session) if status == 403 else {}
            sent = asyncio.create_task(client.request(method, f"/auth/v1{path}", json=body, headers=headers))
            await somebody_waits(minato.db)
        assert (await sent).status_code == status, (await sent).text


async def test_a_password_that_was_changed_meanwhile_opens_no_session(minato: Minato) -> None:
    async with minato.client() as client:
        user = (await member(minato, client))["user"]
        body = {"email": user["email"], "password": PASSWORD}
        async with minato.db.transaction():
            await minato.db.execute("update auth.users set encrypted_password = '' where id = $1::uuid", user["id"])
            sent = asyncio.create_task(post(client, "/token?grant_type=password", body))
            await somebody_waits(minato.db)
        assert ((await sent).status_code, (await sent).json()["code"]) == (400, "invalid_credentials")


@pytest.mark.parametrize("who", ["administrator", "owner"])
async def test_a_new_password_ends_the_session_that_is_just_being_opened(minato: Minato, who: str) -> None:
    opened = "insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1::uuid)"
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        session = await member(minato, client)
        user, body = session["user"]["id"], {"password": "another horse"}
        async with minato.db.transaction():
            await minato.db.execute("select from auth.users where id = $1::uuid for update", user)
            await minato.db.execute(opened, user)
            if who == "owner":
                sent = asyncio.create_task(client.put("/auth/v1/user", json=body, headers=bearer(session)))
            else:
                sent = asyncio.create_task(service.put(f"/auth/v1/admin/users/{user}", json=body))
            await somebody_waits(minato.db)
        assert (await sent).status_code == 200, (await sent).text
    kept = await minato.db.fetchval("select count(*) from auth.sessions where user_id = $1::uuid", user)
    assert kept == (1 if who == "owner" else 0)


async def somebody_waits(db: Any) -> None:
    """Until a request has come as far as the row that this connection holds."""
    waiting = "select exists (select from pg_locks where not granted and pid <> pg_backend_pid())"
    async with asyncio.timeout(PATIENCE):
        while not await db.fetchval(waiting):  # noqa: ASYNC110 - a lock rings no bell
            await asyncio.sleep(0.01)
