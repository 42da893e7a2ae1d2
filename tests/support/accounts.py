"""Accounts as people open them: sign up, answer the mail, sign in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from minato.cli.configure import configure
from minato.cli.target import Target
from minato.config.auth import AuthSettings

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

NEW = {"x-supabase-api-version": "2024-01-01"}
PASSWORD = "correct horse"


@asynccontextmanager
async def server(
    cluster: Cluster, folder: Path, server: dict[str, Any] | None = None, **auth: Any
) -> AsyncIterator[Minato]:
    """A server with these `GOTRUE_*` settings, and `MINATO_*` ones in `server`, on a database of its own."""
    settings = settings_for(folder, auth=AuthSettings(**auth))
    known = {**settings.server.model_dump(by_alias=True), **(server or {})}
    settings = replace(settings, server=type(settings.server).model_validate(known))
    async with cluster.fresh_database() as address, running(address, settings) as minato:
        target = Target(address, address.admin, address.admin, embedded=True, passwords={})
        await asyncio.to_thread(configure, settings, target)
        yield minato


def fresh_address(minato: Minato) -> str:
    return f"{minato.backend.entropy.base32(12)}@example.com"


async def opened_account(minato: Minato, **fields: Any) -> dict[str, Any]:
    """A confirmed account that an administrator opens."""
    body = {"email": fresh_address(minato), "password": PASSWORD, "email_confirm": True, **fields}
    async with minato.client(minato.service_role_key) as admin:
        account: dict[str, Any] = (await admin.post("/auth/v1/admin/users", json=body)).json()
        return account


async def post(client: httpx.AsyncClient, path: str, body: Any = None, **headers: str) -> httpx.Response:
    return await client.post(f"/auth/v1{path}", json=body or {}, headers={**NEW, **headers})


async def sign_up(client: httpx.AsyncClient, email: str, password: str = PASSWORD, **more: Any) -> httpx.Response:
    return await post(client, "/signup", {"email": email, "password": password, **more})


async def sign_in(client: httpx.AsyncClient, email: str, password: str = PASSWORD) -> httpx.Response:
    return await post(client, "/token?grant_type=password", {"email": email, "password": password})


async def verify(client: httpx.AsyncClient, kind: str, token_hash: str | None) -> httpx.Response:
    return await post(client, "/verify", {"type": kind, "token_hash": token_hash})


async def member(minato: Minato, client: httpx.AsyncClient, password: str = PASSWORD) -> dict[str, Any]:
    """The session of a fresh, confirmed account."""
    email = fresh_address(minato)
    await sign_up(client, email, password)
    answer = await verify(client, "signup", newest(minato, email).token_hash)
    assert answer.status_code == 200, answer.text
    session: dict[str, Any] = answer.json()
    return session


def newest(minato: Minato, address: str, kind: str | None = None) -> Any:
    """The newest mail to an address."""
    return minato.backend.outbox.find(address, kind)[0].email


def bearer(session: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {session['access_token']}"}


def parse_fragment(location: str) -> dict[str, str]:
    """What a redirect hands over behind `#`."""
    return dict(httpx.QueryParams(location.partition("#")[2]))
