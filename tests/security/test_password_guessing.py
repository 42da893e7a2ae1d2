"""Wrong passwords: the guesser is slowed, the owner is not locked out, and nobody else waits."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import bcrypt
from minato.database.address import DatabaseAddress

from tests.support.production import LIMITED, NEW, PASSWORD, PROXY, make_account, served, sign_in
from tests.support.waiting import until

# The machine may be busy: nothing here is about how long hashing takes.
UNLIMITED: dict[str, Any] = {"rate_limit_peers": False, "security_password_tries": 0, "api_max_request_duration": 60}
HOME, AWAY = "203.0.113.1", "198.51.100.1"


async def test_ten_wrong_passwords_stop_the_guesser_and_not_the_owner(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path, proxies=PROXY) as minato, minato.client(**NEW) as client:
        await make_account(minato)
        answers = [await sign_in(client, f"wrong {number}", AWAY) for number in range(10)]
        assert {answer.status_code for answer in answers} == {400}
        for password in ("wrong", PASSWORD):
            refused = await sign_in(client, password, AWAY)
            assert (refused.status_code, refused.json()) == (429, LIMITED)
            assert 1 <= int(refused.headers["retry-after"]) <= 60
        nobody = [await sign_in(client, "wrong", "198.51.100.2", email="nobody@example.com") for _ in range(11)]
        assert [answer.status_code for answer in nobody] == [400] * 10 + [429]
        assert (await sign_in(client, PASSWORD, HOME)).status_code == 200


async def test_right_passwords_are_not_counted(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path) as minato, minato.client() as client:
        await make_account(minato)
        assert [(await sign_in(client, PASSWORD)).status_code for _ in range(12)] == [200] * 12


async def test_many_guessers_do_not_lock_the_owner_out_at_home(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path, proxies=PROXY, security_password_tries=1) as minato, minato.client() as client:
        await make_account(minato)
        assert (await sign_in(client, PASSWORD, HOME)).status_code == 200
        guessers = [await sign_in(client, "wrong", f"198.51.100.{number}") for number in range(11)]
        assert [answer.status_code for answer in guessers] == [400] * 10 + [429]
        assert (await sign_in(client, PASSWORD, "198.51.100.99")).status_code == 429
        assert (await sign_in(client, PASSWORD, HOME)).status_code == 200


async def test_guesses_at_the_current_password_count_too(address: DatabaseAddress, tmp_path: Path) -> None:
    serving = served(address, tmp_path, security_update_password_require_current_password=True)
    async with serving as minato, minato.client(**NEW) as client:
        await make_account(minato)
        token = (await sign_in(client, PASSWORD)).json()["access_token"]
        headers = {"authorization": f"Bearer {token}"}
        body = {"password": "another horse", "current_password": "wrong"}
        answers = [await client.put("/auth/v1/user", json=body, headers=headers) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [400] * 10 + [429]


async def test_a_number_spelled_otherwise_is_the_same_account(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path, external_phone_enabled=True) as minato, minato.client(**NEW) as client:
        await make_account(minato, phone="4915112345678", phone_confirm=True, password=PASSWORD)
        spellings = ["4915112345678", *(f"+49151{' ' * number}12345678" for number in range(10))]
        bodies = [{"phone": phone, "password": "wrong"} for phone in spellings]
        answers = [await client.post("/auth/v1/token?grant_type=password", json=body) for body in bodies]
        assert [answer.status_code for answer in answers] == [400] * 10 + [429]


async def test_passwords_may_be_tried_without_end_where_a_setting_says_so(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with served(address, tmp_path, security_password_tries=0) as minato, minato.client() as client:
        await make_account(minato)
        assert [(await sign_in(client, "wrong")).status_code for _ in range(12)] == [400] * 12
        assert (await sign_in(client, PASSWORD)).status_code == 200


async def test_sixteen_clients_with_wrong_passwords_are_sent_away(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path) as minato, minato.client() as client:
        await make_account(minato)
        answers = await asyncio.gather(*(sign_in(client, "wrong") for _ in range(16)))
        assert sorted(answer.status_code for answer in answers) == [400] * 10 + [429] * 6


async def test_a_sign_up_is_served_before_the_rest_of_somebody_elses_passwords(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    settings = {**UNLIMITED, "mailer_autoconfirm": True}
    async with served(address, tmp_path, proxies=PROXY, **settings) as minato, minato.client() as client:
        await make_account(minato, password_hash=costly_hash())
        queue = minato.application.rooms["/auth/v1"].passwords.queue  # type: ignore[attr-defined]
        many = 8 * (os.cpu_count() or 1)
        guesses = [asyncio.create_task(sign_in(client, "wrong", AWAY)) for _ in range(many)]
        await until(lambda: queue.waiting >= many // 2)
        body = {"email": "bert@example.com", "password": PASSWORD}
        answer = await client.post("/auth/v1/signup", json=body, headers={"x-forwarded-for": HOME})
        assert answer.status_code == 200
        assert queue.waiting > 0
        for guess in guesses:
            guess.cancel()
        await asyncio.gather(*guesses, return_exceptions=True)


async def test_passwords_that_would_wait_for_seconds_are_refused(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = {**UNLIMITED, "security_password_queue": 2}
    async with served(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        await make_account(minato, password_hash=costly_hash())
        many = 8 * (os.cpu_count() or 1)
        answers = await asyncio.gather(*(sign_in(client, "wrong") for _ in range(many)))
        refused = [answer for answer in answers if answer.status_code == 429]
        assert {answer.status_code for answer in answers} == {400, 429}
        assert {answer.headers["retry-after"] for answer in refused} == {"2"}
        assert (await sign_in(client, "right horse")).status_code == 200


def costly_hash() -> str:
    return bcrypt.hashpw(b"right horse", bcrypt.gensalt(11, prefix=b"2a")).decode()
