"""`PUT /_dev/v1/messages/codes`: codes that a test knows beforehand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.support.accounts import PASSWORD, fresh_address, opened_account, post, server, sign_in, sign_up
from tests.support.hosted import Hosted
from tests.support.postgres import Cluster
from tests.support.server import Minato

CODES = "/_dev/v1/messages/codes"
CODE = "12345678"


@pytest.fixture
async def fixed(minato: Minato) -> AsyncIterator[str]:
    """An address that is always sent `CODE`."""
    email = fresh_address(minato)
    async with httpx.AsyncClient(base_url=minato.url) as dev:
        assert (await dev.put(CODES, json={email.upper(): CODE})).json() == {email.upper(): CODE}
        yield email
        assert (await dev.put(CODES, json={})).status_code == 200


async def verified(client: httpx.AsyncClient, email: str, kind: str) -> httpx.Response:
    return await post(client, "/verify", {"type": kind, "email": email, "token": CODE})


async def test_every_code_to_an_address_is_the_fixed_one_and_each_is_good_once(minato: Minato, fixed: str) -> None:
    async with minato.client() as client:
        await sign_up(client, fixed)
        assert (await verified(client, fixed, "signup")).status_code == 200
        assert (await verified(client, fixed, "signup")).json()["code"] == "otp_expired"
        await post(client, "/recover", {"email": fixed})
        assert (await verified(client, fixed, "recovery")).status_code == 200


async def test_codes_to_others_are_random(minato: Minato, fixed: str) -> None:
    async with minato.client() as client:
        email = fresh_address(minato)
        await sign_up(client, email)
        (mail,) = await minato.backend.outbox.wait(email, None, 5)
        assert len(mail.message.token or "") == 6
        assert (await verified(client, email, "signup")).json()["code"] == "otp_expired"


async def test_of_sign_ups_with_one_code_the_last_counts(cluster: Cluster, tmp_path: Path) -> None:
    email = "twice@example.com"
    async with server(cluster, tmp_path, smtp_max_frequency=0) as minato, minato.client() as client:
        assert (await client.put(CODES, json={email: CODE})).status_code == 200
        for password in ("first and wrong", PASSWORD):
            assert (await sign_up(client, email, password)).status_code == 200
        assert (await verified(client, email, "signup")).status_code == 200
        assert (await sign_in(client, email)).status_code == 200
        assert (await sign_in(client, email, "first and wrong")).status_code == 400


async def test_a_second_account_that_wants_the_address_is_refused(minato: Minato, fixed: str) -> None:
    accounts, answers = [await opened_account(minato) for _ in range(2)], []
    for account in accounts:
        async with minato.client() as client:
            session = (await sign_in(client, account["email"])).json()
            headers = {"authorization": f"Bearer {session['access_token']}"}
            answers.append(await client.put("/auth/v1/user", json={"email": fixed}, headers=headers))
    assert [answer.status_code for answer in answers] == [200, 409]
    assert answers[1].json()["error_code"] == "conflict"


@pytest.mark.parametrize("codes", [{"anna@example.com": "12345"}, {"anna": CODE}, {"a@b.c": "12345a"}, [CODE], None])
async def test_what_is_no_code_of_an_address_is_refused(minato: Minato, codes: object) -> None:
    async with httpx.AsyncClient(base_url=minato.url) as dev:
        answer = await dev.put(CODES, json=codes)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


async def test_codes_of_a_branch_are_its_own(hosted: Hosted) -> None:
    branch = await hosted.branch()
    async with branch.public() as there:
        await there.put(CODES, json={"+81 90 1234 5678": CODE})
    assert branch.backend.codes.new("819012345678", 6) == CODE
    assert not hosted.main.backend.codes.is_fixed("819012345678")
