"""Eight requests for one thing at the same moment: those that come late are answered as late ones, never with 5xx."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from tests.support.accounts import PASSWORD, bearer, fresh_address, member, post
from tests.support.server import Minato

AT_ONCE = 8


async def together(request: Callable[[], Awaitable[httpx.Response]]) -> list[httpx.Response]:
    return list(await asyncio.gather(*(request() for _ in range(AT_ONCE))))


@pytest.mark.parametrize("path", ["/otp", "/magiclink", "/signup"])
async def test_one_new_address_at_once_opens_one_account(minato: Minato, path: str) -> None:
    body = {"email": fresh_address(minato), "password": PASSWORD}
    async with minato.client() as client:
        answers = await together(lambda: post(client, path, body))
    assert {answer.status_code for answer in answers} == {200}
    assert await minato.db.fetchval("select count(*) from auth.users where email = $1", body["email"]) == 1


async def test_one_second_factor_at_once_is_enrolled_once(minato: Minato) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        body = {"factor_type": "totp", "friendly_name": "mine"}
        answers = await together(lambda: post(client, "/factors", body, **bearer(session)))
    assert sorted(answer.status_code for answer in answers) == [200, *[422] * 7]
    assert {answer.json().get("code") for answer in answers} == {None, "mfa_factor_name_conflict"}


@pytest.mark.parametrize("path", ["/admin/users", "/invite", "/admin/generate_link"])
async def test_one_account_at_once_is_opened_once_by_the_administrator(minato: Minato, path: str) -> None:
    body = {"email": fresh_address(minato), "password": PASSWORD, "type": "signup"}
    async with minato.client(minato.service_role_key) as service:
        answers = await together(lambda: post(service, path, body))
    late = 422 if path == "/admin/users" else 200
    assert sorted(answer.status_code for answer in answers) == sorted([200, *[late] * 7])
    assert await minato.db.fetchval("select count(*) from auth.users where email = $1", body["email"]) == 1
