"""Codes that a person types in cannot be found by trying: after few misses they are void, whoever tries."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import httpx
from minato.database.address import DatabaseAddress

from tests.integration.auth import test_journey
from tests.integration.auth.test_journey import NEW, bearer, sign_in
from tests.integration.auth.test_phone import NUMBER, phones
from tests.support.production import served
from tests.support.server import Minato

EXPIRED = (403, "otp_expired")
VERIFY = "/auth/v1/verify"


def wrong(right: str) -> str:
    return str((int(right) + 1) % 10 ** len(right)).zfill(len(right))


async def verify(client: httpx.AsyncClient, email: str, code: str, kind: str = "signup") -> tuple[int, str]:
    answer = await client.post(VERIFY, json={"type": kind, "email": email, "token": code})
    return answer.status_code, answer.json().get("code", "")


async def sign_up(minato: Minato, client: httpx.AsyncClient) -> tuple[str, str]:
    """A fresh address and the code it was mailed."""
    email, mail = await test_journey.sign_up(minato, client)
    return email, str(mail.token)


async def miss(client: httpx.AsyncClient, email: str, code: str, times: int, kind: str = "signup") -> None:
    for _ in range(times):
        assert await verify(client, email, wrong(code), kind) == EXPIRED


async def test_ten_wrong_codes_void_the_right_one_until_another_mail(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        await miss(client, email, code, 10)
        assert await verify(client, email, code) == EXPIRED
        await client.post("/auth/v1/resend", json={"type": "signup", "email": email})
        fresh = str(minato.backend.outbox.find(email, "signup")[0].email.token)
        assert fresh != code
        assert await verify(client, email, fresh) == (200, "")


async def test_nine_wrong_codes_leave_the_right_one_good(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        await miss(client, email, code, 9)
        assert await verify(client, email, code) == (200, "")


async def test_the_kind_of_the_guess_does_not_start_the_count_anew(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        for _ in range(5):
            await miss(client, email, code, 1, "signup")
            await miss(client, email.upper(), code, 1, "email")
            await miss(client, email, code, 1, "recovery")
        assert await verify(client, email, code, "email") == EXPIRED
        assert await verify(client, email, code, "signup") == EXPIRED


async def test_a_void_code_does_not_void_the_link_of_its_mail(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, mail = await test_journey.sign_up(minato, client)
        await miss(client, email, str(mail.token), 11)
        link = await client.post(VERIFY, json={"type": "email", "token_hash": mail.token_hash})
        assert link.status_code == 200


async def test_guesses_made_at_once_are_all_counted(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        answers = await asyncio.gather(*(verify(client, email, wrong(code)) for _ in range(10)))
        assert set(answers) == {EXPIRED}
        assert await verify(client, email, code) == EXPIRED


async def test_a_restart_does_not_forget_the_guesses(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path, environment="development") as minato, minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        await miss(client, email, code, 10)
    async with served(address, tmp_path, environment="development") as minato, minato.client(**NEW) as client:
        assert await verify(client, email, code) == EXPIRED


async def test_a_guess_leaves_the_same_mark_with_and_without_an_account(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        stranger = f"{minato.backend.entropy.base32(10)}@example.com"
        for address in (email, stranger):
            await miss(client, address, code, 2)
            subject = hashlib.sha256(address.lower().encode()).hexdigest()
            found = await minato.db.fetch("select kind, tries from minato.guesses where subject = $1", subject)
            assert [tuple(row) for row in found] == [("confirmation_token", 2)]


async def test_a_guess_at_a_banned_account_leaves_its_mark_too(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        ban = "update auth.users set banned_until = '9999-01-01' where email = $1"
        await minato.db.execute(ban, email)
        assert await verify(client, email, wrong(code)) == (403, "user_banned")
        subject = hashlib.sha256(email.lower().encode()).hexdigest()
        assert await minato.db.fetchval("select tries from minato.guesses where subject = $1", subject) == 1


async def test_a_guess_at_a_changed_number_leaves_the_mark_of_its_kind(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with phones(address, tmp_path) as minato, minato.client(**NEW) as client:
        answer = await client.post(VERIFY, json={"type": "phone_change", "phone": NUMBER, "token": "123456"})
        assert (answer.status_code, answer.json()["code"]) == EXPIRED
        assert await minato.db.fetchval("select kind from minato.guesses") == "phone_change_token"


async def test_who_knows_address_and_code_space_cannot_try_links_instead(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        for plain in (email + code, email.lower() + code):
            guessed = hashlib.sha224(plain.encode()).hexdigest()
            answer = await client.post(VERIFY, json={"type": "email", "token_hash": guessed})
            assert (answer.status_code, answer.json()["code"]) == EXPIRED


async def test_a_texted_code_is_void_after_ten_misses(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path) as minato, minato.client(**NEW) as client:
        await client.post("/auth/v1/otp", json={"phone": NUMBER})
        code = minato.backend.sms_outbox.find(NUMBER)[0].message.token
        body: dict[str, Any] = {"type": "sms", "phone": NUMBER}
        for _ in range(10):
            answer = await client.post(VERIFY, json={**body, "token": wrong(code)})
            assert (answer.status_code, answer.json()["code"]) == EXPIRED
        answer = await client.post(VERIFY, json={**body, "token": code})
        assert (answer.status_code, answer.json()["code"]) == EXPIRED


async def test_the_nonce_of_a_password_change_is_void_after_ten_misses(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    settings: dict[str, Any] = {
        "security_update_password_require_reauthentication": True,
        "security_update_password_require_current_password": False,
        "jwt_exp": 10**6,
    }
    async with served(address, tmp_path, environment="development", **settings) as minato:
        async with minato.client(**NEW) as client:
            session = await sign_in(minato, client)
            await minato.db.execute("update auth.sessions set created_at = now() - interval '2 days'")
            await client.get("/auth/v1/reauthenticate", headers=bearer(session))
            mail = minato.backend.outbox.find(session["user"]["email"], "reauthentication")[0].email
            nonce = str(mail.token)
            for given in (*[wrong(nonce)] * 10, nonce):
                body = {"password": "another horse", "nonce": given}
                answer = await client.put("/auth/v1/user", json=body, headers=bearer(session))
                assert (answer.status_code, answer.json()["code"]) == (422, "reauthentication_not_valid")


async def test_codes_may_be_tried_without_end_where_a_setting_says_so(address: DatabaseAddress, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"environment": "development", "security_code_tries": 0}
    async with served(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        email, code = await sign_up(minato, client)
        await miss(client, email, code, 12)
        assert await verify(client, email, code) == (200, "")


async def test_old_guesses_are_forgotten_by_and_by(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path, environment="development") as minato, minato.client(**NEW) as client:
        await miss(client, "old@example.com", "123456", 1)
        await minato.db.execute("update minato.guesses set tried_at = now() - interval '30 days'")
        await miss(client, "new@example.com", "123456", 1)
        assert await minato.db.fetchval("select count(*) from minato.guesses") == 1
