"""Limits by address and for all mail, and captchas: who is stopped, with which words, and who is not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from minato.config.auth import AuthSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_factors import enroll
from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, sign_in
from tests.integration.auth.test_phone import NUMBER
from tests.support.loopback import Told, loopback
from tests.support.production import hold_clock
from tests.support.server import Minato, running, settings_for

HEADER = "x-client-address"
LIMITED = {"code": "over_request_rate_limit", "message": "Request rate limit reached"}
ANNA = {"email": "anna@example.com", "password": PASSWORD}


@asynccontextmanager
async def limited(address: DatabaseAddress, folder: Path, **changed: Any) -> AsyncIterator[Minato]:
    """Development behind a proxy of this machine: only whom it names is limited."""
    server = ServerSettings(data_dir=folder, environment="development", web_root=None, trusted_proxies=["127.0.0.1"])
    async with running(address, settings_for(folder, server=server, auth=AuthSettings(**changed))) as minato:
        hold_clock(minato)
        yield minato


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/token?grant_type=refresh_token", 400),
        ("POST", "/token?grant_type=password", 400),
        ("POST", "/verify", 400),
        ("GET", "/verify", 400),
        ("POST", "/otp", 400),
        ("POST", "/magiclink", 422),
        ("POST", "/recover", 400),
        ("POST", "/resend", 400),
    ],
)
async def test_an_address_may_ask_thirty_times_at_once(
    address: DatabaseAddress, tmp_path: Path, method: str, path: str, status: int
) -> None:
    async with limited(address, tmp_path, rate_limit_header=HEADER) as minato, minato.client(**NEW) as client:
        mine, other = {HEADER: "10.9.9.9, 10.0.0.1"}, {HEADER: "10.0.0.2"}
        answers = [await client.request(method, f"/auth/v1{path}", json={}, headers=mine) for _ in range(31)]
        assert {answer.status_code for answer in answers[:30]} == {status}
        assert (answers[30].status_code, answers[30].json()) == (429, LIMITED)
        assert 1 <= int(answers[30].headers["retry-after"]) <= 10
        for headers in (other, {}):
            free = await client.request(method, f"/auth/v1{path}", json={}, headers=headers)
            assert free.status_code == status
        minato.backend.clock.advance(timedelta(seconds=11))
        again = await client.request(method, f"/auth/v1{path}", json={}, headers=mine)
        assert again.status_code == status


async def test_without_a_named_header_this_machine_is_not_limited_in_development(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        for _ in range(35):
            assert (await client.post("/auth/v1/otp", json={}, headers={HEADER: "1"})).status_code == 400


async def test_signups_and_anonymous_sign_ins_are_counted_apart(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = {"rate_limit_header": HEADER, "rate_limit_anonymous_users": 1, "external_anonymous_users_enabled": True}
    async with limited(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        mine = {HEADER: "10.0.0.1"}
        answers = [await client.post("/auth/v1/signup", json={}, headers=mine) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 429]
        assert (await client.post("/auth/v1/signup", json=ANNA, headers=mine)).status_code == 200


async def test_an_account_and_its_factors_are_limited_after_sign_in(address: DatabaseAddress, tmp_path: Path) -> None:
    async with limited(address, tmp_path, rate_limit_header=HEADER) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        factor = await enroll(client, session)
        headers = {**bearer(session), HEADER: "10.0.0.1"}
        for method, path in (
            ("PUT", "/user"),
            ("POST", f"/factors/{factor['id']}/challenge"),
            ("POST", f"/factors/{factor['id']}/verify"),
        ):
            answers = [await client.request(method, f"/auth/v1{path}", content=b"", headers=headers) for _ in range(31)]
            assert answers[29].status_code != 429
            assert (answers[30].status_code, answers[30].json()) == (429, LIMITED)
        nobody = await client.put("/auth/v1/user", json={}, headers={HEADER: "10.0.0.1"})
        assert nobody.status_code == 403


async def test_mail_and_text_messages_have_an_hourly_limit(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = {"rate_limit_email_sent": "1", "rate_limit_sms_sent": "1", "external_phone_enabled": True}
    async with limited(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        phone = {"phone": NUMBER, "password": PASSWORD}
        for first, second, code, message in (
            (ANNA, {**ANNA, "email": "b@example.com"}, "over_email_send_rate_limit", "email rate limit exceeded"),
            (phone, {**phone, "phone": "1555"}, "over_sms_send_rate_limit", "SMS rate limit exceeded"),
        ):
            assert (await client.post("/auth/v1/signup", json=first)).status_code == 200
            over = await client.post("/auth/v1/signup", json=second)
            assert (over.status_code, over.json()) == (429, {"code": code, "message": message})
            minato.backend.clock.advance(timedelta(hours=1, seconds=1))
            assert (await client.post("/auth/v1/signup", json=second)).status_code == 200


async def test_a_limit_of_no_mail_holds_without_confirmations_too(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = {"rate_limit_email_sent": "0", "mailer_autoconfirm": True}
    async with limited(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        assert (await client.post("/auth/v1/signup", json=ANNA)).status_code == 200
        answer = await client.post("/auth/v1/recover", json={"email": ANNA["email"]})
        assert (answer.status_code, answer.json()["code"]) == (429, "over_email_send_rate_limit")


async def test_mail_goes_to_authorized_addresses_only(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = {"external_email_authorized_addresses": "anna@example.com"}
    async with limited(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        assert (await client.post("/auth/v1/signup", json={**ANNA, "email": "Anna+x@example.com"})).status_code == 200
        other = await client.post("/auth/v1/signup", json={**ANNA, "email": "b@example.com"})
        message = 'Email address "b@example.com" cannot be used as it is not authorized'
        assert (other.status_code, other.json()) == (400, {"code": "email_address_not_authorized", "message": message})


async def test_links_can_be_switched_off(address: DatabaseAddress, tmp_path: Path) -> None:
    async with limited(address, tmp_path, external_email_magic_link_enabled=False) as minato:
        async with minato.client(**NEW) as client:
            answer = await client.post("/auth/v1/otp", json={"email": "anna@example.com"})
    expected = {"code": "email_provider_disabled", "message": "Login with magic link is disabled"}
    assert (answer.status_code, answer.json()) == (422, expected)


@pytest.mark.parametrize("provider", ["hcaptcha", "turnstile"])
@pytest.mark.parametrize("path", ["/signup", "/recover", "/resend", "/magiclink", "/otp", "/token?grant_type=password"])
async def test_a_captcha_is_asked_for_and_judged(
    address: DatabaseAddress, tmp_path: Path, path: str, provider: str
) -> None:
    async with loopback() as judge:
        judge.answer = lambda asked: Told(
            200, {"success": asked.form["response"] == "good", "error-codes": ["a-code", "b-code"]}
        )
        settings = {
            "security_captcha_enabled": True,
            "security_captcha_secret": " s3cret ",
            "security_captcha_url": judge.url,
        }
        async with limited(address, tmp_path, security_captcha_provider=provider, **settings) as minato:
            async with minato.client(**NEW) as client:
                missing = await client.post(f"/auth/v1{path}", json={})
                wrong = await client.post(f"/auth/v1{path}", json=with_captcha("bad"))
                right = await client.post(f"/auth/v1{path}", json=with_captcha(" good "))
            async with minato.client(minato.service_role_key, **NEW) as admin:
                free = await admin.post(f"/auth/v1{path}", json={})
    disallowed = "captcha protection: request disallowed"
    for answer, why in ((missing, "no captcha_token found"), (wrong, "a-code, b-code")):
        expected = {"code": "captcha_failed", "message": f"{disallowed} ({why})"}
        assert (answer.status_code, answer.json()) == (400, expected)
    assert right.json().get("code") not in (None, "captcha_failed")
    assert free.json().get("code") not in (None, "captcha_failed")
    form = {"secret": "s3cret", "response": "good", "remoteip": "127.0.0.1"}
    assert [asked.form for asked in judge.asked] == [{**form, "response": "bad"}, form]


def with_captcha(token: object) -> dict[str, Any]:
    return {"gotrue_meta_security": {"captcha_token": token}}


async def test_a_captcha_is_not_asked_for_tokens_that_were_earned(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = {"security_captcha_enabled": True, "security_captcha_secret": "s"}
    async with limited(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        for grant in ("refresh_token", "pkce"):
            answer = await client.post(f"/auth/v1/token?grant_type={grant}", json={})
            assert answer.json()["code"] == "validation_failed"
        odd = await client.post("/auth/v1/signup", json=with_captcha(7))
        assert (odd.status_code, odd.json()["code"]) == (400, "bad_json")


async def test_a_judge_that_is_away_is_no_verdict(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback(lambda _: Told(200, b"nonsense")) as judge:
        settings = {"security_captcha_enabled": True, "security_captcha_secret": "s", "security_captcha_url": judge.url}
        async with limited(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
            answer = await client.post("/auth/v1/signup", json=with_captcha("x"))
    expected = {"code": "unexpected_failure", "message": "captcha verification process failed"}
    assert (answer.status_code, answer.json()) == (500, expected)
