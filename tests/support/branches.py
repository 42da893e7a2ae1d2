"""Several backends of one host, each below a prefix of its own on one loopback port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from minato.config.connections import ConnectionSettings
from minato.database.address import DatabaseAddress
from minato.host.host import Host
from minato.http.protocols import GuardedConfig
from minato.main import Application

from tests.support.prompt_server import PromptServer
from tests.support.server import PROCESSORS, settings_for
from tests.support.waiting import PATIENCE


@dataclass
class Branches:
    """A host and what is mounted on it, by prefix (`/b/one`); `url` is the port's."""

    url: str
    host: Host
    mounted: dict[str, Application] = field(default_factory=dict)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        prefix = next(prefix for prefix in self.mounted if scope["path"].startswith(f"{prefix}/"))
        await self.mounted[prefix]({**scope, "root_path": prefix}, receive, send)

    @asynccontextmanager
    async def branch(self, name: str, address: DatabaseAddress, folder: Path, secret: str) -> AsyncIterator[Branch]:
        """A backend below `/b/<name>` until the block ends."""
        prefix = f"/b/{name}"
        url = f"{self.url}{prefix}"
        async with self.host.running(settings_for(folder), address, url, secret) as application:
            self.mounted[prefix] = application
            yield Branch(url, application)


@dataclass
class Branch:
    """One backend; `url` has its prefix."""

    url: str
    application: Application

    @property
    def anon_key(self) -> str:
        return self.application.backend.api_keys.anon

    def client(self, key: str | None = None) -> httpx.AsyncClient:
        """A client with the service key, or with `key`."""
        used = key or self.application.backend.api_keys.service_role
        headers = {"apikey": used, "authorization": f"Bearer {used}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=PATIENCE)


@asynccontextmanager
async def serving_branches() -> AsyncIterator[Branches]:
    """A host behind a port, without any backend yet."""
    listener = socket.create_server(("127.0.0.1", 0))
    branches = Branches(f"http://127.0.0.1:{listener.getsockname()[1]}", Host(PROCESSORS))
    server = PromptServer(GuardedConfig(branches, ConnectionSettings(), lifespan="off", timeout_graceful_shutdown=2))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:  # noqa: ASYNC110 - uvicorn tells nobody
            await asyncio.sleep(0.01)
        yield branches
    finally:
        server.end()
        await serving
        await branches.host.close()
