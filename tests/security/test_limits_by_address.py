"""Requests are limited by who sends them: not by what the sender says, and not only where a proxy is set up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.database.address import DatabaseAddress

from tests.support.production import LIMITED, NEW, PROXY, served

GUESS = {"type": "recovery", "email": "anna@example.com", "token": "000000"}
FORWARDED = "x-forwarded-for"


async def ask(client: httpx.AsyncClient, headers_of: Callable[[int], dict[str, str]], times: int = 31) -> list[int]:
    """What requests that fail early are answered, one after the other."""
    answers = [await client.post("/auth/v1/otp", json={}, headers=headers_of(number)) for number in range(times)]
    return [answer.status_code for answer in answers]


async def test_by_default_nobody_tries_more_than_thirty_codes_at_once(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path) as minato, minato.client(**NEW) as client:
        answers = [await client.post("/auth/v1/verify", json=GUESS) for _ in range(31)]
        assert {answer.status_code for answer in answers[:30]} == {403}
        assert (answers[30].status_code, answers[30].json()) == (429, LIMITED)
        assert 1 <= int(answers[30].headers["retry-after"]) <= 10


@pytest.mark.parametrize(
    "headers_of",
    [
        pytest.param(lambda _: {FORWARDED: "9.9.9.9"}, id="an address"),
        pytest.param(lambda number: {FORWARDED: f"10.0.{number}.1, 9.9.9.8"}, id="an address behind invented ones"),
        pytest.param(lambda number: {FORWARDED: f"10.0.{number}.1, 9.9.9.8, 127.0.0.1"}, id="and two proxies"),
        pytest.param(lambda number: {FORWARDED: f"2001:db8::{number:x}"}, id="one network of version 6"),
        pytest.param(lambda _: {}, id="no header"),
        pytest.param(lambda number: {FORWARDED: f"10.0.{number}.1, unknown"}, id="nothing that can be read"),
    ],
)
async def test_no_forwarded_header_escapes_the_limit(
    address: DatabaseAddress, tmp_path: Path, headers_of: Callable[[int], dict[str, str]]
) -> None:
    settings = {"rate_limit_header": "X-Forwarded-For"}
    async with served(address, tmp_path, proxies=PROXY, **settings) as minato, minato.client() as client:
        assert await ask(client, headers_of) == [400] * 30 + [429]
        assert await ask(client, lambda _: {FORWARDED: "9.9.9.7"}, times=1) == [400]


async def test_the_named_header_of_a_proxy_is_believed_and_nobody_elses(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    named: dict[str, Any] = {"rate_limit_header": "X-Real-Client"}

    def other(number: int) -> dict[str, str]:
        return {"x-real-client": f"10.0.{number}.1"}

    async with served(address, tmp_path, proxies=PROXY, **named) as minato, minato.client() as client:
        assert await ask(client, other) == [400] * 31
        assert await ask(client, lambda _: other(1), times=30) == [400] * 29 + [429]
    async with served(address, tmp_path, **named) as minato, minato.client() as client:
        assert await ask(client, other) == [400] * 30 + [429]


async def test_development_spares_this_machine_and_nobody_else(address: DatabaseAddress, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"environment": "development", "proxies": PROXY}
    async with served(address, tmp_path, **settings) as minato, minato.client() as client:
        assert await ask(client, lambda _: {}, times=35) == [400] * 35
        assert await ask(client, lambda _: {FORWARDED: "9.9.9.9"}) == [400] * 30 + [429]
    async with served(address, tmp_path, rate_limit_peers=True, **settings) as minato, minato.client() as client:
        assert await ask(client, lambda _: {}) == [400] * 30 + [429]


async def test_a_setting_limits_only_whom_a_header_names(address: DatabaseAddress, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"rate_limit_peers": False, "rate_limit_header": "X-Forwarded-For", "proxies": PROXY}
    async with served(address, tmp_path, **settings) as minato, minato.client() as client:
        assert await ask(client, lambda _: {}, times=35) == [400] * 35
        assert await ask(client, lambda _: {FORWARDED: "9.9.9.9"}) == [400] * 30 + [429]


async def test_the_account_remembers_the_address_a_proxy_saw(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path, proxies=PROXY, mailer_autoconfirm=True) as minato, minato.client() as client:
        headers = {FORWARDED: "6.6.6.6, 203.0.113.9"}
        body = {"email": "anna@example.com", "password": "correct horse"}
        assert (await client.post("/auth/v1/signup", json=body, headers=headers)).status_code == 200
        assert str(await minato.db.fetchval("select host(ip) from auth.sessions")) == "203.0.113.9"
