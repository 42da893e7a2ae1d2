"""One request, one transaction: who the caller is and what was asked are set for that transaction only.

The names are PostgREST's (`request.jwt.claims`, …), so that policies and functions written for it work unchanged.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

import orjson
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from api.tokens.caller import Caller

Setting = tuple[str, str]


@dataclass(frozen=True)
class RequestInfo:
    """What SQL may know of the request: method, path without query, headers with lower-case names."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)


def caller_settings(caller: Caller, request: RequestInfo) -> list[Setting]:
    """The settings of the transaction that serves `request`, in PostgREST's order, as (name, value)."""
    headers = {name: value for name, value in request.headers.items() if name != "cookie"}
    return [
        ("role", caller.role),
        ("request.jwt.claims", caller.claims_json),
        ("request.method", request.method),
        ("request.path", request.path),
        ("request.headers", orjson.dumps(headers).decode()),
        ("request.cookies", orjson.dumps(parse_cookies(request.headers.get("cookie", ""))).decode()),
    ]


def parse_cookies(header: str) -> dict[str, str]:
    """The Cookie header as name → value; one that can't be read is empty, never an error."""
    if not header:
        return {}
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


@asynccontextmanager
async def caller_transaction(engine: AsyncEngine, settings: Iterable[Setting]) -> AsyncIterator[AsyncConnection]:
    """A transaction in which `settings` hold; committed at the end, rolled back by any exception.

    `engine` must be the one of `authenticator`: its sessions have no rights of their own to fall back to.
    """
    async with engine.begin() as connection:
        await set_local(connection, settings)
        yield connection


async def set_local(connection: AsyncConnection, settings: Iterable[Setting]) -> None:
    """Set all of `settings` until the transaction ends, in one round trip."""
    pairs = list(settings)
    calls = ", ".join(f"set_config(:n{i}, :v{i}, true)" for i in range(len(pairs)))
    values = {key: value for i, (name, v) in enumerate(pairs) for key, value in ((f"n{i}", name), (f"v{i}", v))}
    await connection.execute(text(f"select {calls}"), values)
