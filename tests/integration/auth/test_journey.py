"""The first walk of everybody: sign up, read the mail, confirm, sign in, refresh, sign out."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.support.server import Minato, running, settings_for

PASSWORD = "correct horse"
NEW = {"x-supabase-api-version": "2024-01-01"}


async def sign_up(minato: Minato, client: httpx.AsyncClient, **query: str) -> tuple[str, Any]:
    """A fresh address with an unconfirmed account, and the mail it got."""
    email = f"{minato.backend.entropy.base32(10)}@example.com"
    body = {"email": email, "password": PASSWORD, "data": {"name": "Anna <3"}}
    answer = await client.post("/auth/v1/signup", json=body, params=query)
    assert answer.status_code == 200, answer.text
    assert "access_token" not in answer.json()
    return email, minato.backend.outbox.find(email, "signup")[0].email


async def sign_in(minato: Minato, client: httpx.AsyncClient) -> dict[str, Any]:
    """The session of a fresh, confirmed account."""
    _, mail = await sign_up(minato, client)
    answer = await client.post("/auth/v1/verify", json={"type": "email", "token_hash": mail.token_hash})
    assert answer.status_code == 200, answer.text
    session: dict[str, Any] = answer.json()
    return session


def bearer(session: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {session['access_token']}"}


async def refresh(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.post("/auth/v1/token?grant_type=refresh_token", json={"refresh_token": token})


async def test_a_stranger_becomes_a_user_and_leaves_again(minato: Minato) -> None:
    async with minato.client() as client:
        email, mail = await sign_up(minato, client)
        credentials = {"email": email, "password": PASSWORD}
        early = await client.post("/auth/v1/token?grant_type=password", json=credentials, headers=NEW)
        assert (early.status_code, early.json()["code"]) == (400, "email_not_confirmed")
        code = {"type": "signup", "email": email, "token": mail.token}
        assert (await client.post("/auth/v1/verify", json=code)).status_code == 200
        again = await client.post("/auth/v1/verify", json=code, headers=NEW)
        assert (again.status_code, again.json()["code"]) == (403, "otp_expired")
        session = (await client.post("/auth/v1/token?grant_type=password", json=credentials)).json()
        user = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        assert user["email"] == email
        assert user["user_metadata"]["email_verified"] is True
        assert (await client.post("/auth/v1/logout", headers=bearer(session))).status_code == 204
        gone = await client.get("/auth/v1/user", headers={**bearer(session), **NEW})
        assert (gone.status_code, gone.json()["code"]) == (403, "session_not_found")


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/user"), ("PUT", "/user"), ("POST", "/logout"), ("GET", "/reauthenticate")]
)
async def test_nobody_and_the_anon_key_are_not_users(minato: Minato, method: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=minato.url) as client:
        nobody = await client.request(method, f"/auth/v1{path}", json={})
        assert nobody.json() == {
            "code": 401,
            "error_code": "no_authorization",
            "msg": "This endpoint requires a valid Bearer token",
        }
        key = {"authorization": f"Bearer {minato.anon_key}", **NEW}
        anon = await client.request(method, f"/auth/v1{path}", json={}, headers=key)
        assert anon.status_code == 403
        assert anon.json() == {"code": "bad_jwt", "message": "invalid claim: missing sub claim"}
        assert anon.headers["x-supabase-api-version"] == "2024-01-01"


async def test_two_parallel_refreshes_get_the_same_token(minato: Minato) -> None:
    async with minato.client() as client:
        token = (await sign_in(minato, client))["refresh_token"]
        first, second = await asyncio.gather(refresh(client, token), refresh(client, token))
        assert (first.status_code, second.status_code) == (200, 200), first.text + second.text
        assert first.json()["refresh_token"] == second.json()["refresh_token"] != token


async def test_a_stolen_refresh_token_ends_its_family(own_minato: Minato) -> None:
    async with own_minato.client() as client:
        oldest = (await sign_in(own_minato, client))["refresh_token"]
        parent = (await refresh(client, oldest)).json()["refresh_token"]
        active = (await refresh(client, parent)).json()["refresh_token"]
        own_minato.backend.clock.advance(timedelta(seconds=11))
        assert (await refresh(client, parent)).json()["refresh_token"] == active
        assert (await refresh(client, oldest)).json()["error_code"] == "refresh_token_already_used"
        assert (await refresh(client, active)).json()["error_code"] == "refresh_token_already_used"


async def test_the_servers_own_link_redirects_with_a_session(minato: Minato) -> None:
    async with minato.client() as client:
        _, mail = await sign_up(minato, client)
        answer = await client.get(mail.link)
        assert answer.status_code == 303
        given = parse_qs(urlsplit(answer.headers["location"]).fragment)
        assert given["type"] == ["signup"]
        used = await client.get(mail.link)
        assert "error_code=otp_expired" in used.headers["location"]


async def test_a_listed_page_gets_the_token_hash_itself(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, auth=AuthSettings(mailer_token_hash_paths="/email-confirmed"))
    async with running(address, settings) as minato, minato.client() as client:
        page = f"{minato.url}/email-confirmed"
        _, mail = await sign_up(minato, client, redirect_to=page)
        assert mail.link == f"{page}?token_hash={mail.token_hash}&type=email"


async def test_any_other_page_is_reached_by_the_servers_own_link(minato: Minato) -> None:
    async with minato.client() as client:
        _, mail = await sign_up(minato, client, redirect_to=f"{minato.url}/email-confirmed")
        assert mail.link is not None
        assert mail.link.startswith(f"{minato.url}/auth/v1/verify?token={mail.token_hash}&type=signup&redirect_to=")


async def test_an_unknown_path_and_a_wrong_method_say_so(minato: Minato) -> None:
    async with minato.client() as client:
        assert (await client.get("/auth/v1/nothing")).text.strip() == "404 page not found"
        assert (await client.get("/auth/v1/signup")).status_code == 405
