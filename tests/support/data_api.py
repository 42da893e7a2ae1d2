"""A data API alone on a loopback port, in the test's own event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import structlog
from minato.config.connections import ConnectionSettings
from minato.config.postgrest import load_postgrest
from minato.http.protocols import GuardedConfig
from minato.rest.alone import DataApi
from minato.tokens.keys import KeySet, secret_key

from tests.support.prompt_server import PromptServer
from tests.support.waiting import PATIENCE

SECRET = "a-secret-of-at-least-32-characters!!"


@dataclass
class Alone:
    """A running data API; `client()` speaks to it as anybody."""

    url: str
    app: DataApi

    def client(self, token: str | None = None, **headers: str) -> httpx.AsyncClient:
        sent = {**({"authorization": f"Bearer {token}"} if token else {}), **headers}
        return httpx.AsyncClient(base_url=self.url, headers=sent, timeout=PATIENCE)


Serve = Callable[..., AbstractAsyncContextManager[Alone]]
"""Serve with options by name: `serve(db_max_rows=2)`."""


def token(secret: str | bytes = SECRET, **claims: object) -> str:
    return KeySet([secret_key(secret)]).sign(claims)


@asynccontextmanager
async def serving(conf: Path | None, environment: Mapping[str, str]) -> AsyncIterator[Alone]:
    """Serve what `conf` and `environment` say until the block ends."""
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    app = DataApi(load_postgrest(conf, environment), structlog.get_logger("minato"), url, processors=2)
    config = GuardedConfig(app, ConnectionSettings(), lifespan="on", ws="none", timeout_graceful_shutdown=2)
    server = PromptServer(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if running.done():
            raise RuntimeError("the server did not start") from running.exception()
        await asyncio.sleep(0.01)
    try:
        yield Alone(url, app)
    finally:
        server.end()
        await running


async def got(alone: Alone, path: str, bearer: str | None = None, **headers: str) -> Any:
    async with alone.client(bearer) as client:
        return await client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})
