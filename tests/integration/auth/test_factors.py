"""A second factor by authenticator app: enrolled, proven, demanded, given up."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.auth.totp import totp
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_journey import NEW, bearer, sign_in
from tests.support.server import Minato, running, settings_for

FACTORS = "/auth/v1/factors"


async def enroll(client: httpx.AsyncClient, session: dict[str, Any], name: str = "phone") -> dict[str, Any]:
    body = {"factor_type": "totp", "friendly_name": name}
    answer = await client.post(FACTORS, json=body, headers=bearer(session))
    assert answer.status_code == 200, answer.text
    factor: dict[str, Any] = answer.json()
    return factor


async def prove(
    minato: Minato, client: httpx.AsyncClient, session: dict[str, Any], factor: dict[str, Any]
) -> httpx.Response:
    asked = await client.post(f"{FACTORS}/{factor['id']}/challenge", headers=bearer(session))
    code = totp(factor["totp"]["secret"], minato.backend.clock.timestamp())
    body = {"challenge_id": asked.json()["id"], "code": code}
    return await client.post(f"{FACTORS}/{factor['id']}/verify", json=body, headers=bearer(session))


@pytest.mark.parametrize("path", ["", "/x", "/x/challenge", "/x/verify"])
async def test_only_users_have_factors(minato: Minato, path: str) -> None:
    method = "DELETE" if path == "/x" else "POST"
    async with httpx.AsyncClient(base_url=minato.url, headers=NEW) as client:
        nobody = await client.request(method, FACTORS + path, json={})
        assert (nobody.status_code, nobody.json()["code"]) == (401, "no_authorization")
    async with minato.client(**NEW) as client:
        anon = await client.request(method, FACTORS + path, json={})
        assert (anon.status_code, anon.json()["code"]) == (403, "bad_jwt")


async def test_somebody_elses_factor_is_not_found(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        factor = await enroll(client, await sign_in(minato, client))
        other = await sign_in(minato, client)
        assert (await prove_status(client, other, factor["id"])) == (404, "mfa_factor_not_found")
        answer = await client.delete(f"{FACTORS}/{factor['id']}", headers=bearer(other))
        assert (answer.status_code, answer.json()["code"]) == (404, "mfa_factor_not_found")


async def prove_status(client: httpx.AsyncClient, session: dict[str, Any], factor_id: str) -> tuple[int, str]:
    answer = await client.post(f"{FACTORS}/{factor_id}/challenge", headers=bearer(session))
    return answer.status_code, answer.json()["code"]


async def test_a_proven_factor_lifts_this_session_and_ends_weaker_ones(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        credentials = {"email": session["user"]["email"], "password": "correct horse"}
        other = (await client.post("/auth/v1/token?grant_type=password", json=credentials)).json()
        factor = await enroll(client, session)
        assert factor["totp"]["qr_code"].startswith("<svg")
        assert factor["totp"]["uri"].startswith("otpauth://totp/")
        assert len(factor["totp"]["secret"]) == 32
        strong = (await prove(minato, client, session, factor)).json()
        claims = minato.backend.keys.verify(strong["access_token"])
        assert claims["aal"] == "aal2"
        assert claims["amr"][0]["method"] == "totp" or claims["amr"][1]["method"] == "totp"
        assert strong["user"]["factors"][0]["status"] == "verified"
        gone = await client.get("/auth/v1/user", headers=bearer(other))
        assert gone.json()["code"] == "session_not_found"
        weak = (await client.post("/auth/v1/token?grant_type=password", json=credentials)).json()
        refused = await client.put("/auth/v1/user", json={"password": "new horse"}, headers=bearer(weak))
        assert (refused.status_code, refused.json()["code"]) == (401, "insufficient_aal")
        kept = await client.delete(f"{FACTORS}/{factor['id']}", headers=bearer(weak))
        assert (kept.status_code, kept.json()["code"]) == (422, "insufficient_aal")
        left = await client.delete(f"{FACTORS}/{factor['id']}", headers=bearer(strong))
        assert left.json() == {"id": factor["id"]}
        token = {"refresh_token": strong["refresh_token"]}
        again = (await client.post("/auth/v1/token?grant_type=refresh_token", json=token)).json()
        assert minato.backend.keys.verify(again["access_token"])["aal"] == "aal1"


async def test_a_wrong_used_or_late_answer_is_refused(own_minato: Minato) -> None:
    async with own_minato.client(**NEW) as client:
        session = await sign_in(own_minato, client)
        factor = await enroll(client, session)
        one = f"{FACTORS}/{factor['id']}"
        asked = (await client.post(f"{one}/challenge", headers=bearer(session))).json()["id"]
        right = totp(factor["totp"]["secret"], own_minato.backend.clock.timestamp())
        wrong = str((int(right) + 1) % 1000000).zfill(6)

        async def answer(code: str, challenge: str = asked) -> tuple[int, str]:
            body = {"challenge_id": challenge, "code": code}
            given = await client.post(f"{one}/verify", json=body, headers=bearer(session))
            return given.status_code, given.json().get("code", "")

        assert await answer("") == (400, "validation_failed")
        assert await answer(right, "x") == (400, "bad_json")
        assert await answer(wrong) == (422, "mfa_verification_failed")
        assert await answer(right) == (200, "")
        assert await answer(right) == (422, "mfa_ip_address_mismatch")
        late = (await client.post(f"{one}/challenge", headers=bearer(session))).json()["id"]
        own_minato.backend.clock.advance(timedelta(seconds=301))
        assert await answer(right, late) == (422, "mfa_challenge_expired")


async def test_names_are_unique_and_other_kinds_are_off(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        await enroll(client, session)
        for body, code in (
            ({"factor_type": "totp", "friendly_name": "phone"}, "mfa_factor_name_conflict"),
            ({"factor_type": "phone", "phone": "15551234567"}, "mfa_phone_enroll_not_enabled"),
            ({"factor_type": "webauthn"}, "mfa_webauthn_enroll_not_enabled"),
            ({"factor_type": "smell"}, "validation_failed"),
        ):
            answer = await client.post(FACTORS, json=body, headers=bearer(session))
            assert answer.json()["code"] == code


async def test_an_account_has_no_more_factors_than_it_may(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, auth=AuthSettings(mfa_max_enrolled_factors=1))
    async with running(address, settings) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        await enroll(client, session)
        body = {"factor_type": "totp", "friendly_name": "second"}
        answer = await client.post(FACTORS, json=body, headers=bearer(session))
        assert (answer.status_code, answer.json()["code"]) == (422, "too_many_enrolled_mfa_factors")


async def test_authenticator_apps_can_be_off(address: DatabaseAddress, tmp_path: Path) -> None:
    unproven = settings_for(tmp_path, auth=AuthSettings(mfa_totp_verify_enabled=False))
    async with running(address, unproven) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        factor = await enroll(client, session)
        assert await prove_status(client, session, factor["id"]) == (422, "mfa_totp_verify_not_enabled")
    off = settings_for(tmp_path, auth=AuthSettings(mfa_totp_enroll_enabled=False))
    async with running(address, off) as minato, minato.client(**NEW) as client:
        answer = await client.post(FACTORS, json={"factor_type": "totp"}, headers=bearer(await sign_in(minato, client)))
        assert (answer.status_code, answer.json()["code"]) == (422, "mfa_totp_enroll_not_enabled")
