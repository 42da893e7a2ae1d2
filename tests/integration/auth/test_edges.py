"""What stops a request that asks too much: its size, its time, another that holds the same session. And that the time
a request takes does not tell who has an account."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bcrypt
import pytest
from minato.auth.app import MAX_BODY
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress
from minato.mail.email import Email
from pydantic import ValidationError

from tests.integration.auth.test_journey import NEW, PASSWORD, refresh, sign_in, sign_up
from tests.support.server import Minato, running, settings_for


@pytest.mark.parametrize("path", ["/signup", "/token?grant_type=password", "/verify", "/otp"])
async def test_a_body_of_more_than_a_mebibyte_is_refused(minato: Minato, path: str) -> None:
    async with minato.client(**NEW) as client:
        answer = await client.post(f"/auth/v1{path}", content=b" " * (MAX_BODY + 1))
    message = "Request body too large (max 1048576 bytes)"
    expected = {"code": "request_entity_too_large", "message": message}
    assert (answer.status_code, answer.json()) == (413, expected)


class Silent:
    """A mail server that never answers."""

    async def send(self, email: Email) -> None:
        await asyncio.Event().wait()


async def test_a_request_that_takes_too_long_is_given_up_and_undone(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, auth=AuthSettings(api_max_request_duration="2s"))
    async with running(address, settings) as minato, minato.client(**NEW) as client:
        minato.backend.mailer = Silent()
        body = {"email": "anna@example.com", "password": PASSWORD}
        answer = await client.post("/auth/v1/signup", json=body)
        message = "Processing this request timed out, please retry after a moment."
        assert (answer.status_code, answer.json()) == (504, {"code": "request_timeout", "message": message})
        assert await minato.db.fetchval("select count(*) from auth.users") == 0


async def test_a_refresh_that_waits_too_long_for_its_session_is_refused(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        async with minato.db.transaction():
            user = session["user"]["id"]
            await minato.db.execute("select 1 from auth.sessions where user_id = $1 for update", user)
            answer = await refresh(client, session["refresh_token"])
        message = "Too many concurrent token refresh requests on the same session or refresh token"
        assert (answer.status_code, answer.json()) == (409, {"code": "conflict", "message": message})
        assert (await refresh(client, session["refresh_token"])).status_code == 200


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of bcrypt's functions as they are called: each takes some 50 ms, everything else next to nothing."""
    calls: list[str] = []

    def count(name: str) -> None:
        original: Callable[..., Any] = getattr(bcrypt, name)

        def counting(*arguments: Any) -> Any:
            calls.append(name)
            return original(*arguments)

        monkeypatch.setattr(bcrypt, name, counting)

    count("hashpw")
    count("checkpw")
    return calls


REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("/signup", {"password": PASSWORD}),
    ("/token?grant_type=password", {"password": "wrong"}),
    ("/otp", {}),
    ("/otp", {"create_user": False}),
    ("/magiclink", {}),
    ("/recover", {}),
    ("/resend", {"type": "signup"}),
]


@pytest.mark.parametrize(("path", "body"), REQUESTS)
async def test_the_same_hashing_is_done_whether_or_not_there_is_an_account(
    minato: Minato, hashed: list[str], path: str, body: dict[str, Any]
) -> None:
    async with minato.client() as client:
        confirmed = (await sign_in(minato, client))["user"]["email"]
        unconfirmed, _ = await sign_up(minato, client)
        first = f"{minato.backend.entropy.base32(10)}@example.com"
        # The first account without a password makes the hash that all of them share.
        await client.post("/auth/v1/magiclink", json={"email": first})
        done = []
        for email in (confirmed, unconfirmed, f"{minato.backend.entropy.base32(10)}@example.com"):
            hashed.clear()
            await client.post(f"/auth/v1{path}", json={**body, "email": email})
            done.append(list(hashed))
    assert done[0] == done[1] == done[2]


async def test_no_account_without_a_password_can_be_signed_in_to_with_one(minato: Minato) -> None:
    email = f"{minato.backend.entropy.base32(10)}@example.com"
    async with minato.client(**NEW) as client:
        await client.post("/auth/v1/magiclink", json={"email": email})
        stored = await minato.db.fetchval("select encrypted_password from auth.users where email = $1", email)
        for guess in ("", stored):
            credentials = {"email": email, "password": guess}
            answer = await client.post("/auth/v1/token?grant_type=password", json=credentials)
            assert answer.json()["code"] == "invalid_credentials"


def test_confirmations_cannot_be_both_needless_and_needed() -> None:
    with pytest.raises(ValidationError, match="cannot enable both"):
        AuthSettings(mailer_autoconfirm=True, mailer_allow_unverified_email_sign_ins=True)


async def test_the_audit_log_can_be_left_out(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, auth=AuthSettings(audit_log_disable_postgres=True))
    async with running(address, settings) as minato, minato.client(**NEW) as client:
        await sign_in(minato, client)
        assert await minato.db.fetchval("select count(*) from auth.audit_log_entries") == 0


async def test_links_lead_where_they_are_told(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, auth=AuthSettings(mailer_urlpaths_confirmation="/welcome"))
    async with running(address, settings) as minato, minato.client(**NEW) as client:
        _, mail = await sign_up(minato, client)
        assert mail.link.startswith(f"{minato.url}/welcome?token=")
