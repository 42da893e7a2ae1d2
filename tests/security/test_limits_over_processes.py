"""Processes that share a Redis limit together; without it each still limits."""

from __future__ import annotations

from pathlib import Path

import httpx
from minato.database.address import DatabaseAddress

from tests.support.production import served
from tests.support.redis import redis_server


async def ask(client: httpx.AsyncClient, times: int) -> list[int]:
    return [(await client.post("/auth/v1/otp", json={})).status_code for _ in range(times)]


async def test_two_processes_count_one_address_together(address: DatabaseAddress, tmp_path: Path) -> None:
    async with (
        redis_server(tmp_path) as redis,
        served(address, tmp_path, redis_url=redis.url) as left,
        served(address, tmp_path, redis_url=redis.url) as right,
        left.client() as first,
        right.client() as second,
    ):
        assert await ask(first, 15) == [400] * 15
        assert await ask(second, 16) == [400] * 15 + [429]
        assert await ask(first, 1) == [429]
        answer = await first.post("/auth/v1/otp", json={})
        assert 1 <= int(answer.headers["retry-after"]) <= 10


async def test_a_process_limits_alone_while_there_is_no_redis(address: DatabaseAddress, tmp_path: Path) -> None:
    async with (
        redis_server(tmp_path) as redis,
        served(address, tmp_path, redis_url=redis.url) as minato,
        minato.client() as client,
    ):
        assert await ask(client, 1) == [400]
        await redis.stop()
        assert await ask(client, 31) == [400] * 30 + [429]
