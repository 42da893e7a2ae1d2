"""A second factor by text message: enrolled, challenged, proven, kept apart from others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_journey import NEW, bearer, sign_in
from tests.integration.auth.test_phone import NUMBER, phones
from tests.support.loopback import Told, loopback
from tests.support.server import Minato

FACTORS = "/auth/v1/factors"
ON = {"mfa_phone_enroll_enabled": True, "mfa_phone_verify_enabled": True}


@pytest.fixture
async def factored(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    async with phones(address, tmp_path, **ON) as minato:
        yield minato


async def enroll(
    client: httpx.AsyncClient, session: dict[str, Any], phone: str = f"+{NUMBER}", name: str = "mine"
) -> httpx.Response:
    body = {"factor_type": "phone", "friendly_name": name, "phone": phone}
    return await client.post(FACTORS, json=body, headers=bearer(session))


async def challenge(client: httpx.AsyncClient, session: dict[str, Any], factor: dict[str, Any]) -> httpx.Response:
    return await client.post(f"{FACTORS}/{factor['id']}/challenge", json={}, headers=bearer(session))


async def answer(
    client: httpx.AsyncClient, session: dict[str, Any], factor: dict[str, Any], asked: str, code: str
) -> httpx.Response:
    body = {"challenge_id": asked, "code": code}
    return await client.post(f"{FACTORS}/{factor['id']}/verify", json=body, headers=bearer(session))


async def test_a_texted_code_lifts_the_session(factored: Minato) -> None:
    async with factored.client(**NEW) as client:
        session = await sign_in(factored, client)
        factor = (await enroll(client, session)).json()
        assert (factor["type"], factor["friendly_name"], factor["phone"]) == ("phone", "mine", f"+{NUMBER}")
        asked = (await challenge(client, session, factor)).json()
        assert asked["type"] == "phone"
        code = factored.backend.sms_outbox.find(NUMBER, "mfa")[0].message.token
        wrong = await answer(client, session, factor, asked["id"], "nonsense")
        assert (wrong.status_code, wrong.json()["message"]) == (422, "Invalid MFA Phone code entered")
        strong = (await answer(client, session, factor, asked["id"], code)).json()
        claims = factored.backend.keys.verify(strong["access_token"])
        assert claims["aal"] == "aal2"
        assert "mfa/phone" in [entry["method"] for entry in claims["amr"]]
        used = await answer(client, strong, factor, asked["id"], code)
        assert used.json()["code"] == "mfa_ip_address_mismatch"
        again = await enroll(client, strong, NUMBER, "other")
        assert (again.status_code, again.json()["code"]) == (422, "mfa_verified_factor_exists")


async def test_an_unproven_number_may_be_enrolled_again(factored: Minato) -> None:
    async with factored.client(**NEW) as client:
        session = await sign_in(factored, client)
        first, second = [(await enroll(client, session)).json() for _ in range(2)]
        assert first["id"] != second["id"]
        gone = await challenge(client, session, first)
        assert (gone.status_code, gone.json()["code"]) == (404, "mfa_factor_not_found")


@pytest.mark.parametrize(
    ("phone", "message"),
    [("", "Phone number required to enroll Phone factor"), ("x1", "Invalid phone number format (E.164 required)")],
)
async def test_a_number_is_needed(factored: Minato, phone: str, message: str) -> None:
    async with factored.client(**NEW) as client:
        refused = await enroll(client, await sign_in(factored, client), phone)
        assert (refused.status_code, refused.json()["message"]) == (400, message)


async def test_a_challenge_needs_a_body_and_a_channel_that_exists(factored: Minato) -> None:
    async with factored.client(**NEW) as client:
        session = await sign_in(factored, client)
        path = f"{FACTORS}/{(await enroll(client, session)).json()['id']}/challenge"
        empty = await client.post(path, headers=bearer(session))
        assert (empty.status_code, empty.json()["code"]) == (400, "bad_json")
        dove = await client.post(path, json={"channel": "dove"}, headers=bearer(session))
        assert (dove.status_code, dove.json()["code"]) == (400, "validation_failed")
        assert factored.backend.sms_outbox.find() == []


async def test_challenges_keep_their_distance(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path, **ON, mfa_phone_max_frequency=30) as minato:
        async with minato.client(**NEW) as client:
            session = await sign_in(minato, client)
            factor = (await enroll(client, session)).json()
            assert (await challenge(client, session, factor)).status_code == 200
            soon = await challenge(client, session, factor)
            assert (soon.status_code, soon.json()["code"]) == (429, "over_sms_send_rate_limit")
            minato.backend.clock.advance(timedelta(seconds=31))
            assert (await challenge(client, session, factor)).status_code == 200


async def test_a_code_that_was_never_sent_leaves_no_challenge(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback(lambda _: Told(500, {})) as twilio:
        settings = {**ON, "sms_provider": "twilio", "sms_twilio_api_url": twilio.url, "mfa_phone_max_frequency": 30}
        async with phones(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
            session = await sign_in(minato, client)
            factor = (await enroll(client, session)).json()
            for _ in range(2):
                refused = await challenge(client, session, factor)
                assert (refused.status_code, refused.json()["message"]) == (500, "error sending message")
            assert await minato.db.fetchval("select count(*) from auth.mfa_challenges") == 0


async def test_phones_as_factors_are_off_until_they_are_enabled(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        refused = await enroll(client, await sign_in(minato, client))
        assert (refused.status_code, refused.json()["code"]) == (422, "mfa_phone_enroll_not_enabled")


async def test_a_factor_stays_unproven_where_proving_is_off(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = {**ON, "mfa_phone_verify_enabled": False}
    async with phones(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        refused = await challenge(client, session, (await enroll(client, session)).json())
        assert (refused.status_code, refused.json()["code"]) == (422, "mfa_phone_verify_not_enabled")
