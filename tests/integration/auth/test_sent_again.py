"""Resending, magic links and recovery: what is sent to whom, with and without PKCE, and what strangers are told."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, sign_in, sign_up
from tests.support.server import Minato, running, settings_for

VERIFIER = "v" * 50
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
PKCE = {"code_challenge": CHALLENGE, "code_challenge_method": "s256"}
NO_EMAIL = {"external_email_enabled": False}
RESEND, MAGIC, RECOVER = "/auth/v1/resend", "/auth/v1/magiclink", "/auth/v1/recover"


async def exchange(client: httpx.AsyncClient, link: str) -> httpx.Response:
    """Follow a PKCE link and hand its code in."""
    location = (await client.get(link)).headers["location"]
    code = parse_qs(urlsplit(location).query)["code"][0]
    body = {"auth_code": code, "code_verifier": VERIFIER}
    return await client.post("/auth/v1/token?grant_type=pkce", json=body)


async def test_a_confirmation_is_sent_again_until_it_is_used(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, first = await sign_up(minato, client)
        body = {"type": "signup", "email": email.upper()}
        assert (await client.post(RESEND, json=body)).text == "{}"
        second = minato.backend.outbox.find(email, "signup")[0].email
        assert second.token_hash != first.token_hash
        late = await client.post("/auth/v1/verify", json={"type": "signup", "token_hash": first.token_hash})
        assert late.json()["code"] == "otp_expired"
        used = await client.post("/auth/v1/verify", json={"type": "signup", "token_hash": second.token_hash})
        assert used.status_code == 200
        assert (await client.post(RESEND, json=body)).text == "{}"
        assert len(minato.backend.outbox.find(email)) == 2


async def test_a_confirmation_sent_again_with_pkce_gives_a_code(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, _ = await sign_up(minato, client)
        await client.post(RESEND, json={"type": "signup", "email": email, **PKCE})
        mail = minato.backend.outbox.find(email, "signup")[0].email
        session = (await exchange(client, mail.link or "")).json()
        claims = minato.backend.keys.verify(session["access_token"])
        assert [entry["method"] for entry in claims["amr"]] == ["email/signup"]


async def test_a_change_of_address_is_sent_again_to_both(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        old, new = session["user"]["email"], f"{minato.backend.entropy.base32(9)}@example.com"
        body = {"type": "email_change", "email": old}
        assert (await client.post(RESEND, json=body)).text == "{}"
        assert minato.backend.outbox.find(old, "email_change") == []
        await client.put("/auth/v1/user", json={"email": new}, headers=bearer(session))
        assert (await client.post(RESEND, json=body)).text == "{}"
        assert [len(minato.backend.outbox.find(to, "email_change")) for to in (old, new)] == [2, 2]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "Missing one of these types: signup, email_change, sms, phone_change"),
        ({"type": "signup"}, "Type provided requires an email address"),
        ({"type": "email_change"}, "Missing email address or phone number"),
        (
            {"type": "email_change", "email": "a@b.cd", "phone": "1"},
            "Only an email address or phone number should be provided.",
        ),
        ({"type": "signup", "email": "nonsense"}, "Unable to validate email address: invalid format"),
        (
            {"type": "signup", "email": "a@b.cd", "code_challenge": CHALLENGE},
            "PKCE flow requires code_challenge_method and code_challenge",
        ),
    ],
)
async def test_what_cannot_be_resent(minato: Minato, body: dict[str, str], message: str) -> None:
    async with minato.client(**NEW) as client:
        answer = await client.post(RESEND, json=body)
        assert (answer.status_code, answer.json()) == (400, {"code": "validation_failed", "message": message})


async def test_strangers_learn_nothing_from_resending(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        for kind in ("signup", "email_change"):
            answer = await client.post(RESEND, json={"type": kind, "email": "stranger@example.com"})
            assert (answer.status_code, answer.text) == (200, "{}")
        assert minato.backend.outbox.find("stranger@example.com") == []


async def test_a_magic_link_opens_an_account_once_and_signs_in_afterwards(minato: Minato) -> None:
    email = f"{minato.backend.entropy.base32(9)}@example.com"
    async with minato.client(**NEW) as client:
        for kind in ("signup", "magiclink"):
            body = {"email": email, "data": {"name": "Anna"}}
            assert (await client.post(MAGIC, json=body)).text == "{}"
            mail = minato.backend.outbox.find(email)[0].email
            assert mail.type == kind
            answer = await client.post("/auth/v1/verify", json={"type": "email", "token_hash": mail.token_hash})
            assert answer.json()["user"]["user_metadata"]["name"] == "Anna"


async def test_a_magic_link_without_confirmations_signs_strangers_in(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, auth=AuthSettings(mailer_autoconfirm=True))
    async with running(address, settings) as minato, minato.client(**NEW) as client:
        await client.post(MAGIC, json={"email": "anna@example.com"})
        assert [entry.email.type for entry in minato.backend.outbox.find("anna@example.com")] == ["magiclink"]


@pytest.mark.parametrize(
    ("path", "body", "settings", "status", "code"),
    [
        (MAGIC, {}, {}, 422, "validation_failed"),
        (MAGIC, {"email": "x"}, {}, 400, "validation_failed"),
        (MAGIC, {"email": "new@example.com"}, {"disable_signup": True}, 422, "signup_disabled"),
        (MAGIC, {"email": "a@b.cd"}, NO_EMAIL, 422, "email_provider_disabled"),
        (RECOVER, {}, {}, 400, "validation_failed"),
        (RECOVER, {"email": "x"}, {}, 400, "validation_failed"),
        (RECOVER, {"email": "a@b.cd"}, NO_EMAIL, 400, "email_provider_disabled"),
        (
            RESEND,
            {"type": "signup", "email": "a@b.cd"},
            {"external_email_enabled": False},
            400,
            "email_provider_disabled",
        ),
    ],
)
async def test_what_is_switched_off_or_malformed_is_refused(
    address: DatabaseAddress,
    tmp_path: Path,
    path: str,
    body: dict[str, str],
    settings: dict[str, Any],
    status: int,
    code: str,
) -> None:
    async with running(address, settings_for(tmp_path, auth=AuthSettings(**settings))) as minato:
        async with minato.client(**NEW) as client:
            answer = await client.post(path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert minato.backend.outbox.find() == []


@pytest.mark.parametrize(("path", "method"), [(MAGIC, "magiclink"), (RECOVER, "recovery")])
async def test_a_link_with_pkce_gives_a_code_once(minato: Minato, path: str, method: str) -> None:
    async with minato.client(**NEW) as client:
        email = (await sign_in(minato, client))["user"]["email"]
        assert (await client.post(path, json={"email": email, **PKCE})).text == "{}"
        mail = minato.backend.outbox.find(email, method)[0].email
        session = (await exchange(client, mail.link or "")).json()
        claims = minato.backend.keys.verify(session["access_token"])
        assert [entry["method"] for entry in claims["amr"]] == [method]
        again = await client.get(mail.link or "")
        assert "error_code=otp_expired" in again.headers["location"]


async def test_a_recovery_with_pkce_may_choose_a_password(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email = (await sign_in(minato, client))["user"]["email"]
        await client.post(RECOVER, json={"email": email, **PKCE})
        mail = minato.backend.outbox.find(email, "recovery")[0].email
        session = (await exchange(client, mail.link or "")).json()
        chosen = await client.put("/auth/v1/user", json={"password": "another horse"}, headers=bearer(session))
        assert chosen.status_code == 200
        credentials = {"email": email, "password": "another horse"}
        assert (await client.post("/auth/v1/token?grant_type=password", json=credentials)).status_code == 200


@pytest.fixture
async def waiting(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    async with running(address, settings_for(tmp_path, auth=AuthSettings(smtp_max_frequency="1m"))) as minato:
        yield minato


@pytest.mark.parametrize("path", [MAGIC, RECOVER])
async def test_the_same_mail_waits_a_minute(waiting: Minato, path: str) -> None:
    async with waiting.client(**NEW) as client:
        email = (await sign_in(waiting, client))["user"]["email"]
        assert (await client.post(path, json={"email": email})).status_code == 200
        waiting.backend.clock.advance(timedelta(seconds=30))
        soon = await client.post(path, json={"email": email})
        assert (soon.status_code, soon.json()["code"]) == (429, "over_email_send_rate_limit")
        waiting.backend.clock.advance(timedelta(seconds=31))
        assert (await client.post(path, json={"email": email})).status_code == 200


async def test_a_first_password_makes_an_account_by_email(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = AuthSettings(
        external_phone_enabled=True, experimental_create_email_identity_on_password_set_enabled=True
    )
    async with running(address, settings_for(tmp_path, auth=settings)) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        await minato.db.execute("delete from auth.identities")
        await minato.db.execute("update auth.users set encrypted_password = ''")
        answer = await client.put("/auth/v1/user", json={"password": PASSWORD}, headers=bearer(session))
        [identity] = answer.json()["identities"]
        assert (identity["provider"], identity["identity_data"]["email_verified"]) == ("email", True)
