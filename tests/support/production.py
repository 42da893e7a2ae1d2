"""A server as the public meets it: production by its settings, behind a proxy of this machine if a test wants one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from minato.config.auth import AuthSettings
from minato.config.realtime import RealtimeSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress

from tests.support.server import Minato, running, settings_for

PROXY = ("127.0.0.1",)
PASSWORD = "correct horse"
NEW = {"x-supabase-api-version": "2024-01-01"}
LIMITED = {"code": "over_request_rate_limit", "message": "Request rate limit reached"}


@asynccontextmanager
async def served(
    address: DatabaseAddress,
    folder: Path,
    *,
    environment: str = "production",
    proxies: Sequence[str] = (),
    redis_url: str | None = None,
    **auth: Any,
) -> AsyncIterator[Minato]:
    """Minato with `auth` settings; `proxies` are believed."""
    given: dict[str, Any] = {"environment": environment, "trusted_proxies": list(proxies)}
    server = ServerSettings(data_dir=folder, web_root=None, **given)
    rooms = {"server": server, "auth": AuthSettings(**auth), "realtime": RealtimeSettings(redis_url=redis_url)}
    async with running(address, settings_for(folder, **rooms)) as minato:
        hold_clock(minato)
        yield minato


def hold_clock(minato: Minato) -> None:
    """Limits hear of the time that a test lets pass and of no other: a busy machine takes its own."""
    clock = minato.backend.clock
    monotonic, timestamp = clock.monotonic() - clock.offset.total_seconds(), clock.timestamp()
    timestamp -= clock.offset.total_seconds()
    clock.monotonic = lambda: monotonic + clock.offset.total_seconds()  # type: ignore[method-assign]
    clock.timestamp = lambda: timestamp + clock.offset.total_seconds()  # type: ignore[method-assign]


async def make_account(minato: Minato, email: str = "anna@example.com", **columns: Any) -> None:
    """A confirmed account with PASSWORD, made by the operator."""
    async with minato.client(minato.service_role_key) as admin:
        body = {"email": email, "email_confirm": True, **(columns or {"password": PASSWORD})}
        answer = await admin.post("/auth/v1/admin/users", json=body)
        assert answer.status_code == 200, answer.text


async def sign_in(
    client: httpx.AsyncClient, password: str, source: str | None = None, email: str = "anna@example.com"
) -> httpx.Response:
    """The password grant, forwarded for `source`."""
    headers = {"x-forwarded-for": source} if source else {}
    body = {"email": email, "password": password}
    return await client.post("/auth/v1/token?grant_type=password", json=body, headers=headers)
