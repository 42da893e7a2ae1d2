"""How soon an account is sent the next message holds, too, for requests that come at the same moment."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_phone import NUMBER, OTP, phones
from tests.integration.auth.test_phone_factors import ON, challenge, enroll
from tests.support.accounts import NEW, member, post, server
from tests.support.postgres import Cluster

AT_ONCE = 8
ONE_OF_EIGHT = [200, *[429] * (AT_ONCE - 1)]


@pytest.mark.parametrize("path", ["/recover", "/otp", "/magiclink"])
async def test_mails_asked_for_at_once_are_one(cluster: Cluster, tmp_path: Path, path: str) -> None:
    async with server(cluster, tmp_path, smtp_max_frequency=60) as minato, minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        known = len(minato.backend.outbox.find(email))
        answers = await asyncio.gather(*(post(client, path, {"email": email}) for _ in range(AT_ONCE)))
        assert sorted(answer.status_code for answer in answers) == ONE_OF_EIGHT
        assert {answer.json().get("code") for answer in answers} == {None, "over_email_send_rate_limit"}
        assert len(minato.backend.outbox.find(email)) == known + 1


async def test_text_messages_asked_for_at_once_are_one(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path, sms_max_frequency=60) as minato, minato.client(**NEW) as client:
        await post(client, "/otp", {"phone": NUMBER})
        minato.backend.clock.advance(timedelta(seconds=61))
        answers = await asyncio.gather(*(client.post(OTP, json={"phone": NUMBER}) for _ in range(AT_ONCE)))
        assert sorted(answer.status_code for answer in answers) == ONE_OF_EIGHT
        assert len(minato.backend.sms_outbox.find(NUMBER)) == 2


async def test_codes_of_a_factor_asked_for_at_once_are_one(address: DatabaseAddress, tmp_path: Path) -> None:
    async with phones(address, tmp_path, **ON, mfa_phone_max_frequency=60) as minato, minato.client() as client:
        session = await member(minato, client)
        factor = (await enroll(client, session)).json()
        answers = await asyncio.gather(*(challenge(client, session, factor) for _ in range(AT_ONCE)))
        assert sorted(answer.status_code for answer in answers) == ONE_OF_EIGHT
