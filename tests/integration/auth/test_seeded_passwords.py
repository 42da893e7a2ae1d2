"""Accounts that a seed or another system made: their passwords go on working."""

from __future__ import annotations

from uuid import uuid4

import argon2
import pytest

from tests.integration.auth.test_journey import NEW, PASSWORD
from tests.support.server import Minato


async def opened(minato: Minato, password: str, hashed: str) -> tuple[int, int]:
    """The statuses of signing in rightly and wrongly to an account with this hash."""
    email = f"{uuid4().hex}@example.com"
    async with minato.client(minato.service_role_key, **NEW) as client:
        body = {"email": email, "email_confirm": True}
        user = (await client.post("/auth/v1/admin/users", json=body)).json()
        await minato.db.execute("update auth.users set encrypted_password = $2 where id = $1", user["id"], hashed)
        path = "/auth/v1/token?grant_type=password"
        right = await client.post(path, json={"email": email, "password": password})
        wrong = await client.post(path, json={"email": email, "password": f"{password}?"})
        return right.status_code, wrong.status_code


# What crypt() of PostgreSQL 18 makes with its own salts, which tell their rounds, and Linux with short ones; older
# PostgreSQL knows neither.
SHA_CRYPT = [
    "$5$rounds=5000$uwszNBwRaedWmbXA$0maMP.SLpNg7FCtescwWke7qylYgA99F9bvxx7xHN/C",
    "$6$rounds=5000$SUH0RPbASGiVxkKH$Q9oafyzNxtM43NybsLznkKB6C6g14l44blXGhHuI13mCoHWHute4UMN2cqZJCThiNclOcjCupRGmIvhRUZfou1",
    "$5$abcdefgh$ruMep1ijHnJPZbETDNiumskxcX3kN4lzZd5VlsqE7eB",
    "$6$abcdefgh$yIZAF3gQPvtKZO/9qOJKffAKKbtS3ef3qmwyugk4uWVjX8YZf/GV3A8SkFxEPY0T56CcilGrHKLffBsp6dLMG.",
]


async def test_a_password_hashed_by_crypt_signs_in(minato: Minato) -> None:
    query = "select extensions.crypt($1, extensions.gen_salt('bf'))"
    assert await opened(minato, PASSWORD, await minato.db.fetchval(query, PASSWORD)) == (200, 400)


@pytest.mark.parametrize("hashed", SHA_CRYPT)
async def test_a_password_hashed_by_crypt_over_sha_signs_in(minato: Minato, hashed: str) -> None:
    assert await opened(minato, PASSWORD, hashed) == (200, 400)


async def test_a_password_hashed_by_argon2id_signs_in(minato: Minato) -> None:
    hashed = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    assert await opened(minato, PASSWORD, hashed) == (200, 400)


@pytest.mark.parametrize("hashed", ["", "$1$abc$def", "$6$broken", "$5$", "$argon2id$", "$fbscrypt$", "plain"])
async def test_an_unknown_hash_lets_nobody_in(minato: Minato, hashed: str) -> None:
    assert await opened(minato, PASSWORD, hashed) == (400, 400)
