"""A second factor cannot be found by trying, nor proven by a code that was used already."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from minato.auth.totp import totp
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_factors import FACTORS, enroll, prove
from tests.integration.auth.test_journey import NEW, bearer, sign_in
from tests.integration.auth.test_phone import NUMBER, phones
from tests.support.production import served
from tests.support.server import Minato

WRONG = (422, "mfa_verification_failed")
ENDED = (422, "mfa_challenge_expired")
GONE = (422, "mfa_factor_not_found")


class Factor:
    """An enrolled authenticator app and whose it is."""

    def __init__(
        self, minato: Minato, client: httpx.AsyncClient, session: dict[str, Any], told: dict[str, Any]
    ) -> None:
        self.minato, self.client, self.headers, self.told = minato, client, bearer(session), told
        self.path = f"{FACTORS}/{told['id']}"

    @property
    def code(self) -> str:
        return totp(self.told["totp"]["secret"], self.minato.backend.clock.timestamp())

    @property
    def wrong_code(self) -> str:
        now = self.minato.backend.clock.timestamp()
        near = {totp(self.told["totp"]["secret"], now + step * 30) for step in range(-2, 3)}
        return next(code for code in map("{:06}".format, range(6)) if code not in near)

    async def ask(self) -> str:
        answer = await self.client.post(f"{self.path}/challenge", json={}, headers=self.headers)
        return str(answer.json()["id"])

    async def answer(self, challenge: str, code: str) -> tuple[int, str]:
        body = {"challenge_id": challenge, "code": code}
        answer = await self.client.post(f"{self.path}/verify", json=body, headers=self.headers)
        return answer.status_code, answer.json().get("code", "")


async def enrolled(minato: Minato, client: httpx.AsyncClient) -> Factor:
    session = await sign_in(minato, client)
    return Factor(minato, client, session, await enroll(client, session))


async def test_a_sixth_wrong_code_ends_the_challenge(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        factor = await enrolled(minato, client)
        asked = await factor.ask()
        assert [await factor.answer(asked, factor.wrong_code) for _ in range(6)] == [WRONG] * 5 + [ENDED]
        assert await factor.answer(asked, factor.code) == GONE
        assert await factor.answer(await factor.ask(), factor.code) == (200, "")


async def test_the_right_code_comes_too_late_after_five_wrong_ones(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        factor = await enrolled(minato, client)
        asked = await factor.ask()
        assert [await factor.answer(asked, factor.wrong_code) for _ in range(5)] == [WRONG] * 5
        assert await factor.answer(asked, factor.code) == ENDED


async def test_new_challenges_do_not_give_new_guesses_without_end(address: DatabaseAddress, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"environment": "development", "security_factor_tries_hourly": 7}
    async with served(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        clock = minato.backend.clock
        # In the middle of an hour, far from its ends.
        clock.advance(timedelta(seconds=3600 + 1800 - clock.timestamp() % 3600))
        factor = await enrolled(minato, client)
        answers = [await factor.answer(await factor.ask(), factor.wrong_code) for _ in range(8)]
        assert answers == [WRONG] * 7 + [(429, "over_request_rate_limit")]
        assert await factor.answer(await factor.ask(), factor.code) == (429, "over_request_rate_limit")
        clock.advance(timedelta(hours=1))
        session = (await client.post("/auth/v1/token?grant_type=password", json=credentials(factor))).json()
        factor.headers = bearer(session)
        assert await factor.answer(await factor.ask(), factor.code) == (200, "")


def credentials(factor: Factor) -> dict[str, str]:
    claims = factor.minato.backend.keys.verify(factor.headers["authorization"].split()[1])
    return {"email": claims["email"], "password": "correct horse"}


async def test_a_code_proves_the_factor_once(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        factor = await enrolled(minato, client)
        code = factor.code
        assert await factor.answer(await factor.ask(), code) == (200, "")
        assert await factor.answer(await factor.ask(), code) == WRONG
        minato_clock = minato.backend.clock.timestamp()
        later = totp(factor.told["totp"]["secret"], minato_clock + 30)
        assert await factor.answer(await factor.ask(), later) == (200, "")
        assert await factor.answer(await factor.ask(), code) == WRONG


async def test_a_code_is_good_as_long_as_it_is_shown_where_a_setting_says_so(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    settings: dict[str, Any] = {"environment": "development", "security_totp_reuse": True, "security_factor_tries": 0}
    async with served(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        factor = await enrolled(minato, client)
        code, asked = factor.code, await factor.ask()
        assert [await factor.answer(asked, factor.wrong_code) for _ in range(6)] == [WRONG] * 6
        assert [await factor.answer(await factor.ask(), code) for _ in range(2)] == [(200, "")] * 2


async def test_a_texted_second_factor_ends_its_challenge_too(address: DatabaseAddress, tmp_path: Path) -> None:
    on = {"mfa_phone_enroll_enabled": True, "mfa_phone_verify_enabled": True}
    async with phones(address, tmp_path, **on) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        body = {"factor_type": "phone", "friendly_name": "mine", "phone": f"+{NUMBER}"}
        told = (await client.post(FACTORS, json=body, headers=bearer(session))).json()
        factor = Factor(minato, client, session, told)
        asked = await factor.ask()
        code = minato.backend.sms_outbox.find(NUMBER, "mfa")[0].message.token
        assert [await factor.answer(asked, "nonsense") for _ in range(5)] == [WRONG] * 5
        assert await factor.answer(asked, code) == ENDED


async def test_a_deleted_factor_leaves_no_trace_of_its_last_code(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        told = await enroll(client, session)
        strong = (await prove(minato, client, session, told)).json()
        assert await minato.db.fetchval("select count(*) from minato.totp_steps where factor_id = $1", told["id"]) == 1
        await client.delete(f"{FACTORS}/{told['id']}", headers=bearer(strong))
        assert await minato.db.fetchval("select count(*) from minato.totp_steps where factor_id = $1", told["id"]) == 0
