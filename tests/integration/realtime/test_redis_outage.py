"""A Redis that is lost while the server runs, by the eyes of who reads the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from minato.database.address import DatabaseAddress
from minato.limits import redis as redis_buckets

from tests.support.production import served
from tests.support.redis import redis_server
from tests.support.server import Minato
from tests.support.waiting import PATIENCE, until


class Log:
    """What the server has written about Redis and the ways that lead over it."""

    def __init__(self, minato: Minato, capfd: pytest.CaptureFixture[str]) -> None:
        self._minato, self._capfd = minato, capfd
        self.lines: list[dict[str, str]] = []

    def has(self, event: str) -> bool:
        self._minato.backend.log_lines.flush(5.0)
        written = (line for text in self._capfd.readouterr() for line in text.splitlines())
        told = [json.loads(line) for line in written if line.startswith("{")]
        self.lines += [line for line in told if "Redis" in line["event"] or "fan-out" in line["event"]]
        return any(line["event"] == event for line in self.lines)


async def test_a_lost_redis_is_told_once_by_its_address_and_once_when_it_is_back(
    address: DatabaseAddress, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # One that is slow to answer on a busy machine is not lost.
    monkeypatch.setattr(redis_buckets, "SECONDS", PATIENCE)
    async with (
        redis_server(tmp_path) as redis,
        served(address, tmp_path, redis_url=f"{redis.url}/0?client_name=secret") as minato,
        minato.client() as client,
    ):
        log = Log(minato, capfd)
        await client.post("/auth/v1/otp", json={})
        await redis.stop()
        # Limits and broadcasts both meet it.
        await client.post("/auth/v1/otp", json={})
        await until(lambda: log.has("Redis does not answer"))
        await client.post("/auth/v1/otp", json={})
        await redis.start()
        await until(lambda: log.has("Redis answers again"))
        told = [(line["event"], line["address"]) for line in log.lines]
    assert told == [("Redis does not answer", f"{redis.url}/0"), ("Redis answers again", f"{redis.url}/0")]
