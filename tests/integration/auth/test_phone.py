"""Accounts by phone: signup, sign-in by code and by password, a change of number, test numbers, and who may send."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, sign_in
from tests.support.server import Minato, running, settings_for

NUMBER = "15551230001"
SIGNUP, VERIFY, OTP, RESEND = "/auth/v1/signup", "/auth/v1/verify", "/auth/v1/otp", "/auth/v1/resend"
GRANT = "/auth/v1/token?grant_type=password"


@asynccontextmanager
async def phones(address: DatabaseAddress, folder: Path, **changed: Any) -> AsyncIterator[Minato]:
    settings = AuthSettings(external_phone_enabled=True, **changed)
    async with running(address, settings_for(folder, auth=settings)) as minato:
        yield minato


def code_sent(minato: Minato, number: str = NUMBER) -> str:
    return minato.backend.sms_outbox.find(number)[0].message.token


async def verify(client: httpx.AsyncClient, code: str, kind: str = "sms", phone: str = NUMBER) -> httpx.Response:
    return await client.post(VERIFY, json={"type": kind, "phone": phone, "token": code})


async def sign_in_by_phone(minato: Minato, client: httpx.AsyncClient, phone: str = NUMBER) -> dict[str, Any]:
    answer = await client.post(SIGNUP, json={"phone": phone, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    session: dict[str, Any] = (await verify(client, code_sent(minato, phone), phone=phone)).json()
    return session


async def test_a_number_becomes_an_account_once_its_code_comes_back(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path) as minato, minato.client(**NEW) as client:
        body = {"phone": f"+{NUMBER}", "password": PASSWORD, "data": {"name": "Anna"}}
        user = (await client.post(SIGNUP, json=body)).json()
        assert (user["phone"], user["email"]) == (NUMBER, "")
        assert user["app_metadata"] == {"provider": "phone", "providers": ["phone"]}
        assert "phone_confirmed_at" not in user
        credentials = {"phone": NUMBER, "password": PASSWORD}
        early = await client.post(GRANT, json=credentials)
        assert (early.status_code, early.json()["code"]) == (400, "phone_not_confirmed")
        wrong = await verify(client, "000000" if code_sent(minato) != "000000" else "111111")
        assert (wrong.status_code, wrong.json()["code"]) == (403, "otp_expired")
        session = (await verify(client, code_sent(minato), phone=f"+{NUMBER}")).json()
        assert session["user"]["phone_confirmed_at"]
        assert session["user"]["user_metadata"]["name"] == "Anna"
        assert (await verify(client, code_sent(minato))).status_code == 403
        again = (await client.post(GRANT, json=credentials)).json()
        assert minato.backend.keys.verify(again["access_token"])["phone"] == NUMBER


async def test_a_code_for_a_phone_is_good_for_a_minute(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path) as minato, minato.client(**NEW) as client:
        await client.post(OTP, json={"phone": NUMBER})
        minato.backend.clock.advance(timedelta(seconds=61))
        assert (await verify(client, code_sent(minato))).json()["code"] == "otp_expired"


async def test_a_second_signup_looks_like_the_first(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path) as minato, minato.client(**NEW) as client:
        await sign_in_by_phone(minato, client)
        again = (await client.post(SIGNUP, json={"phone": NUMBER, "password": PASSWORD})).json()
        assert (again["identities"], again["role"], again["phone"]) == ([], "", NUMBER)
        assert len(minato.backend.sms_outbox.find(NUMBER)) == 1


async def test_a_code_signs_in_and_opens_accounts(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path) as minato, minato.client(**NEW) as client:
        nobody = await client.post(OTP, json={"phone": NUMBER, "create_user": False})
        assert (nobody.status_code, nobody.json()["code"]) == (422, "otp_disabled")
        for _ in range(2):
            assert (await client.post(OTP, json={"phone": NUMBER})).text == "{}"
            session = (await verify(client, code_sent(minato))).json()
            assert session["user"]["phone"] == NUMBER
        text = minato.backend.sms_outbox.find(NUMBER)[0].message
        assert text.text == f"Your code is {text.token}"


@pytest.mark.parametrize(
    ("path", "body", "status", "code", "message"),
    [
        (SIGNUP, {"phone": "12x", "password": PASSWORD}, 400, "validation_failed", "Invalid phone number format"),
        (
            SIGNUP,
            {"phone": NUMBER, "password": PASSWORD, "channel": "dove"},
            400,
            "validation_failed",
            "Invalid channe",
        ),
        (
            SIGNUP,
            {"phone": NUMBER, "password": PASSWORD, "code_challenge": "x" * 43, "code_challenge_method": "s256"},
            *(400, "validation_failed", "PKCE not supported for phone signups"),
        ),
        (OTP, {"phone": NUMBER, "email": "a@b.c"}, 400, "validation_failed", "Only an email address or phone number"),
        (OTP, {"phone": "0"}, 400, "validation_failed", "Invalid phone number format"),
        (OTP, {"phone": "0", "create_user": False}, 422, "otp_disabled", "Signups not allowed for otp"),
        (OTP, {}, 400, "validation_failed", "One of email or phone must be set"),
        (RESEND, {"type": "sms"}, 400, "validation_failed", "Type provided requires a phone number"),
        (RESEND, {"type": "sms", "phone": "x"}, 400, "validation_failed", "Invalid phone number format"),
        (VERIFY, {"type": "sms", "phone": "x", "token": "1"}, 400, "validation_failed", "Invalid phone number format"),
        (VERIFY, {"type": "sms", "phone": "1555", "token": "1"}, 403, "otp_expired", "Token has expired or is invalid"),
        (VERIFY, {"type": "signup", "phone": "1555", "token": "1"}, 403, "otp_expired", "Token has expired"),
        (VERIFY, {"type": "sms", "email": "a@b.cd", "token": "1"}, 403, "otp_expired", "Token has expired"),
        (VERIFY, {"type": "sms", "token_hash": "1"}, 400, "validation_failed", "Invalid email verification type"),
    ],
)
async def test_bad_requests_are_refused_in_the_references_words(
    phone_minato: Minato, path: str, body: dict[str, Any], status: int, code: str, message: str
) -> None:
    async with phone_minato.client(**NEW) as client:
        answer = await client.post(path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.json()["message"].startswith(message)


@pytest.fixture
async def phone_minato(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    async with phones(address, tmp_path) as minato:
        yield minato


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        (SIGNUP, {"phone": NUMBER, "password": PASSWORD}, 400, "Phone signups are disabled"),
        (OTP, {"phone": NUMBER}, 400, "Unsupported phone provider"),
        (RESEND, {"type": "sms", "phone": NUMBER}, 400, "Phone logins are disabled"),
        (GRANT, {"phone": NUMBER, "password": PASSWORD}, 422, "Phone logins are disabled"),
    ],
)
async def test_phones_are_off_until_they_are_enabled(
    minato: Minato, path: str, body: dict[str, str], status: int, message: str
) -> None:
    async with minato.client(**NEW) as client:
        answer = await client.post(path, json=body)
        assert (answer.status_code, answer.json()) == (
            status,
            {"code": "phone_provider_disabled", "message": message},
        )


async def test_test_numbers_are_never_sent_to(address: DatabaseAddress, tmp_path: Path) -> None:
    valid = {"sms_test_otp": f"{NUMBER}:123456,+1 555=9", "sms_test_otp_valid_until": "2999-01-01T00:00:00Z"}
    async with phones(address, tmp_path, **valid) as minato, minato.client(**NEW) as client:
        assert (await client.post(OTP, json={"phone": NUMBER})).json() == {}
        session = (await verify(client, "123456")).json()
        assert (await client.post(OTP, json={"phone": NUMBER})).json() == {"message_id": "test-otp"}
        assert minato.backend.sms_outbox.find() == []
        headers = bearer(session)
        assert (await client.get("/auth/v1/reauthenticate", headers=headers)).json() == {"message_id": "test-otp"}


async def test_fixed_codes_end(address: DatabaseAddress, tmp_path: Path) -> None:
    over = {"sms_test_otp": f"{NUMBER}:123456", "sms_test_otp_valid_until": "2020-01-01T00:00:00Z"}
    async with phones(address, tmp_path, **over) as minato, minato.client(**NEW) as client:
        await client.post(OTP, json={"phone": NUMBER})
        assert len(minato.backend.sms_outbox.find(NUMBER)) == 1


async def test_a_change_of_number_waits_for_its_code(address: DatabaseAddress, tmp_path: Path) -> None:
    other = "15551230002"
    async with phones(address, tmp_path) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        await sign_in_by_phone(minato, client)
        taken = await client.put("/auth/v1/user", json={"phone": NUMBER}, headers=bearer(session))
        assert (taken.status_code, taken.json()["code"]) == (422, "phone_exists")
        pending = (await client.put("/auth/v1/user", json={"phone": other}, headers=bearer(session))).json()
        assert (pending["new_phone"], pending["phone"]) == (other, "")
        changed = (await verify(client, code_sent(minato, other), "phone_change", other)).json()
        assert changed["user"]["phone"] == other
        assert "new_phone" not in changed["user"]
        [_, identity] = changed["user"]["identities"]
        assert (identity["provider"], identity["identity_data"]["phone"]) == ("phone", other)
        assert changed["user"]["app_metadata"]["providers"] == ["email", "phone"]


async def test_without_codes_a_number_is_taken_at_its_word(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path, sms_autoconfirm=True) as minato, minato.client(**NEW) as client:
        session = (await client.post(SIGNUP, json={"phone": NUMBER, "password": PASSWORD})).json()
        assert session["user"]["phone_confirmed_at"]
        answer = await client.put("/auth/v1/user", json={"phone": "1555"}, headers=bearer(session))
        assert answer.json()["phone"] == "1555"
        again = await client.post(SIGNUP, json={"phone": "1555", "password": PASSWORD})
        assert (again.status_code, again.json()["code"]) == (422, "user_already_exists")


async def test_resending_says_nothing_about_who_has_an_account(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path) as minato, minato.client(**NEW) as client:
        body = {"type": "sms", "phone": NUMBER}
        assert (await client.post(RESEND, json=body)).text == "{}"
        await client.post(SIGNUP, json={"phone": NUMBER, "password": PASSWORD})
        first = code_sent(minato)
        assert (await client.post(RESEND, json=body)).text == "{}"
        assert len(minato.backend.sms_outbox.find(NUMBER)) == 2
        if first != code_sent(minato):
            assert (await verify(client, first)).status_code == 403
        session = (await verify(client, code_sent(minato))).json()
        assert (await client.post(RESEND, json=body)).text == "{}"
        assert len(minato.backend.sms_outbox.find(NUMBER)) == 2
        await client.put("/auth/v1/user", json={"phone": "15559"}, headers=bearer(session))
        change = {"type": "phone_change", "phone": NUMBER}
        assert (await client.post(RESEND, json=change)).text == "{}"
        assert len(minato.backend.sms_outbox.find("15559")) == 2


async def test_a_nonce_comes_to_the_phone_of_who_has_no_mail(address: DatabaseAddress, tmp_path: Path) -> None:
    asking = {"security_update_password_require_reauthentication": True}
    async with phones(address, tmp_path, **asking) as minato, minato.client(**NEW) as client:
        session = await sign_in_by_phone(minato, client)
        minato.backend.clock.advance(timedelta(hours=25))
        token = {"refresh_token": session["refresh_token"]}
        session = (await client.post("/auth/v1/token?grant_type=refresh_token", json=token)).json()
        body = {"password": "another horse"}
        refused = await client.put("/auth/v1/user", json=body, headers=bearer(session))
        assert refused.json()["code"] == "reauthentication_needed"
        assert (await client.get("/auth/v1/reauthenticate", headers=bearer(session))).text == "{}"
        nonce = {**body, "nonce": code_sent(minato)}
        wrong = await client.put("/auth/v1/user", json={**body, "nonce": "x"}, headers=bearer(session))
        assert wrong.json()["code"] == "reauthentication_not_valid"
        assert (await client.put("/auth/v1/user", json=nonce, headers=bearer(session))).status_code == 200


async def test_messages_to_one_user_keep_their_distance(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path, sms_max_frequency="1m") as minato, minato.client(**NEW) as client:
        minato.backend.clock.freeze()
        await client.post(OTP, json={"phone": NUMBER})
        answer = await client.post(OTP, json={"phone": NUMBER})
        assert (answer.status_code, answer.json()["code"]) == (429, "over_sms_send_rate_limit")
        expected = "For security purposes, you can only request this after 60 seconds."
        assert answer.json()["message"] == expected
        minato.backend.clock.advance(timedelta(seconds=61))
        assert (await client.post(OTP, json={"phone": NUMBER})).status_code == 200


async def test_without_a_provider_production_cannot_send(address: DatabaseAddress, tmp_path: Path) -> None:
    server = ServerSettings(data_dir=tmp_path, environment="production", web_root=None)
    settings = settings_for(tmp_path, auth=AuthSettings(external_phone_enabled=True), server=server)
    async with running(address, settings) as minato, minato.client(**NEW) as client:
        answer = await client.post(SIGNUP, json={"phone": NUMBER, "password": PASSWORD})
        assert (answer.status_code, answer.json()["message"]) == (500, "Unable to get SMS provider")
        assert await minato.db.fetchval("select count(*) from auth.users") == 0


async def test_the_developer_reads_text_messages(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path) as minato, minato.client() as client:
        await client.post(OTP, json={"phone": NUMBER})
        [entry] = (await client.get("/_dev/sms", params={"to": f"+{NUMBER}", "wait": 1})).json()
        assert (entry["to"], entry["type"], entry["token"]) == (NUMBER, "confirmation", code_sent(minato))
        assert (await client.delete("/_dev/sms")).status_code == 204
        assert (await client.get("/_dev/sms")).json() == []


async def test_an_administrator_opens_and_changes_accounts_by_phone(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path) as minato, minato.client(minato.service_role_key, **NEW) as admin:
        users = "/auth/v1/admin/users"
        body = {"phone": f"+{NUMBER}", "password": PASSWORD, "phone_confirm": True}
        user = (await admin.post(users, json=body)).json()
        assert (user["phone"], user["app_metadata"]["provider"]) == (NUMBER, "phone")
        again = await admin.post(users, json=body)
        assert (again.status_code, again.json()["code"]) == (422, "phone_exists")
        changed = (await admin.put(f"{users}/{user['id']}", json={"phone": "15557"})).json()
        assert changed["phone"] == "15557"
        async with minato.client(**NEW) as client:
            assert (await client.post(GRANT, json={"phone": "15557", "password": PASSWORD})).status_code == 200
