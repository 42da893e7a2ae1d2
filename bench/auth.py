"""The auth service: sign-ins beside the machine's own bcrypt, refreshes, GET /user, sign-ups; with CPU per request."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

import bcrypt
import httpx

from bench.servers import NO_JOURNAL, Server

PASSWORD = "correct horse"
# Every request is counted as in production, and none is refused: what the limits cost is part of the figures.
SETTINGS = {
    "GOTRUE_MAILER_AUTOCONFIRM": "true",
    "GOTRUE_RATE_LIMIT_PEERS": "true",
    "GOTRUE_RATE_LIMIT_TOKEN_REFRESH": "1000000",
    "GOTRUE_RATE_LIMIT_OTP": "1000000",
    **NO_JOURNAL,
}
Request = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


@dataclass(frozen=True)
class AuthRun:
    """Requests per second, median latency in milliseconds, CPU milliseconds of the server per request, failures."""

    case: str
    per_second: float
    p50_ms: float
    cpu_ms: float
    errors: int


def measure_auth(server: Server, connections: int, seconds: int) -> dict[str, Any]:
    """All cases in turn; the limit is what this machine's cores can verify, measured before and after.

    The ratio by CPU stays true on a machine that others use, where the one by time says how busy they were.
    """
    before = bcrypt_limit(seconds / 2)
    runs = asyncio.run(_run_cases(server, connections, seconds))
    after = bcrypt_limit(seconds / 2)
    limit, cpu_ms = (statistics.mean(pair) for pair in zip(before, after, strict=True))
    return {
        "connections": connections,
        "bcrypt_per_second": limit,
        "bcrypt_cpu_ms": cpu_ms,
        "sign_in_ratio": runs[0].per_second / limit,
        "sign_in_cpu_ratio": cpu_ms / runs[0].cpu_ms,
        "runs": [asdict(run) for run in runs],
    }


def bcrypt_limit(seconds: float) -> tuple[float, float]:
    """Verifications per second with all cores at the cost the server uses, and CPU milliseconds of one."""
    hashed, secret, cores = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(10)), PASSWORD.encode(), os.cpu_count() or 1
    until = time.monotonic() + seconds

    def verify(_: int) -> int:
        verified = 0
        while time.monotonic() < until:
            bcrypt.checkpw(secret, hashed)
            verified += 1
        return verified

    with ThreadPoolExecutor(cores) as threads:
        began, used = time.monotonic(), time.process_time()
        total = sum(threads.map(verify, range(cores)))
        return total / (time.monotonic() - began), (time.process_time() - used) / total * 1000


async def _run_cases(server: Server, connections: int, seconds: int) -> list[AuthRun]:
    async with client_of(server, connections) as client:
        cases = await prepare_cases(client, connections)
        return [await drive(server, client, name, request, connections, seconds) for name, request in cases]


def client_of(server: Server, connections: int) -> httpx.AsyncClient:
    """A client of the server's auth service."""
    base = server.base.removesuffix("/rest/v1") + "/auth/v1"
    return httpx.AsyncClient(base_url=base, limits=httpx.Limits(max_connections=connections), timeout=30)


async def prepare_cases(client: httpx.AsyncClient, connections: int) -> list[tuple[str, Request]]:
    """An account for each caller, and what the callers ask."""
    sessions = [await _sign_up(client, f"bench{number}") for number in range(connections)]
    tokens = [session["refresh_token"] for session in sessions]
    newcomers = count()

    async def sign_in(client: httpx.AsyncClient, number: int) -> httpx.Response:
        body = {"email": f"bench{number}@example.com", "password": PASSWORD}
        return await client.post("/token?grant_type=password", json=body)

    async def refresh(client: httpx.AsyncClient, number: int) -> httpx.Response:
        body = {"refresh_token": tokens[number]}
        answer = await client.post("/token?grant_type=refresh_token", json=body)
        tokens[number] = answer.json().get("refresh_token", tokens[number])
        return answer

    async def get_user(client: httpx.AsyncClient, number: int) -> httpx.Response:
        headers = {"authorization": f"Bearer {sessions[number]['access_token']}"}
        return await client.get("/user", headers=headers)

    async def sign_up(client: httpx.AsyncClient, _: int) -> httpx.Response:
        body = {"email": f"newcomer{next(newcomers)}@example.com", "password": PASSWORD}
        return await client.post("/signup", json=body)

    return [("sign in", sign_in), ("refresh", refresh), ("GET /user", get_user), ("sign up", sign_up)]


async def _sign_up(client: httpx.AsyncClient, name: str) -> dict[str, Any]:
    answer = await client.post("/signup", json={"email": f"{name}@example.com", "password": PASSWORD})
    answer.raise_for_status()
    session: dict[str, Any] = answer.json()
    return session


async def drive(
    server: Server, client: httpx.AsyncClient, name: str, request: Request, connections: int, seconds: int
) -> AuthRun:
    """So many callers, each with an account of its own, one request after the other."""
    latencies: list[float] = []
    errors = 0
    until = time.monotonic() + seconds

    async def call(number: int) -> None:
        nonlocal errors
        while time.monotonic() < until:
            began = time.monotonic()
            answer = await request(client, number)
            latencies.append(time.monotonic() - began)
            errors += answer.status_code != 200

    used, began = server.cpu_seconds(), time.monotonic()
    await asyncio.gather(*(call(number) for number in range(connections)))
    took, spent = time.monotonic() - began, server.cpu_seconds() - used
    asked = len(latencies)
    return AuthRun(name, asked / took, statistics.median(latencies) * 1000, spent / asked * 1000, errors)


def describe_auth(result: dict[str, Any]) -> list[str]:
    """A line for each case."""
    lines = [
        f"{run['case']:30} c={result['connections']:<3} {run['per_second']:7.1f}/s  p50 {run['p50_ms']:.1f} ms"
        f"  CPU {run['cpu_ms']:.2f} ms/request  errors {run['errors']}"
        for run in result["runs"]
    ]
    by_time = (
        f"x{result['sign_in_ratio']:.2f} of the {result['bcrypt_per_second']:.1f} passwords/s all cores can verify"
    )
    by_cpu = f"x{result['sign_in_cpu_ratio']:.2f} by CPU ({result['bcrypt_cpu_ms']:.1f} ms each)"
    return [*lines, f"sign-ins: {by_time}, {by_cpu}"]
