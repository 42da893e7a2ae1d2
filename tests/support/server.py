"""A whole Minato on a loopback port, in the test's own event loop: its clock can be moved, its mail read."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import asyncpg
import httpx
from minato.backend import Backend
from minato.config import Settings
from minato.config.connections import ConnectionSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from minato.host.host import Host
from minato.http.connections import Connections
from minato.http.protocols import GuardedConfig
from minato.main import Application

from tests.support.isolation import REQUEST_SECONDS
from tests.support.prompt_server import PromptServer

# The secret every Supabase example uses; its anon and service_role keys are known everywhere.
JWT_SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
# Clients of httpx let an idle connection go after five seconds. A server that does so too, as it is set, may close one
# in the moment in which it is used again.
KEPT_SECONDS = 60
PROCESSORS = 2


@dataclass
class Minato:
    """A running server. `db` is the owner's connection; `client()` speaks to it as anybody."""

    url: str
    backend: Backend
    application: Application
    db: asyncpg.Connection
    connections: Connections

    @property
    def anon_key(self) -> str:
        return self.backend.api_keys.anon

    @property
    def service_role_key(self) -> str:
        return self.backend.api_keys.service_role

    def client(self, token: str | None = None, apikey: str | None = None, **headers: str) -> httpx.AsyncClient:
        """An HTTP client with the anon key, speaking as `token` (a JWT) when one is given."""
        key = self.anon_key if apikey is None else apikey
        sent = {"apikey": key, "authorization": f"Bearer {token or key}", **headers}
        return httpx.AsyncClient(base_url=self.url, headers=sent, timeout=REQUEST_SECONDS, verify=_authorities())

    def token(self, subject: str | None = None, role: str = "authenticated", **claims: Any) -> str:
        """A signed token, as a signed-in user holds one."""
        expires = int(self.backend.clock.timestamp()) + 3600
        known = {"aud": "authenticated", "exp": expires, "role": role}
        return self.backend.keys.sign({**known, **({"sub": subject} if subject else {}), **claims})


@lru_cache(maxsize=1)
def _authorities() -> ssl.SSLContext:
    """Read once: a client would read them anew, and speaks to this machine without TLS."""
    return ssl.create_default_context()


def settings_for(data_dir: Path, **rooms: Any) -> Settings:
    """Settings that touch nothing outside `data_dir`; `rooms` replaces whole rooms' settings.

    Answers are the reference's to the byte: nothing is explained. Auth has as much time for a request as in servers of
    a process of their own, unless the test says how much.
    """
    server = ServerSettings(data_dir=data_dir, environment="development", web_root=None, explain="off")
    connections = ConnectionSettings(keep_alive_timeout=KEPT_SECONDS)
    given = {"server": server, "connections": connections, **rooms}
    auth = given.get("auth")
    if auth is not None and "api_max_request_duration" not in auth.model_fields_set:
        given["auth"] = auth.model_copy(update={"api_max_request_duration": REQUEST_SECONDS})
    return replace(_settings_of(_environment()), **given)


@lru_cache(maxsize=1)
def _settings_of(_environment: frozenset[tuple[str, str]]) -> Settings:
    """What the environment says, read once while it stays the same: reading takes longer than a server's start."""
    return Settings()


def _environment() -> frozenset[tuple[str, str]]:
    return frozenset(pair for pair in os.environ.items() if pair[0] != "PYTEST_CURRENT_TEST")


@asynccontextmanager
async def running(address: DatabaseAddress, settings: Settings) -> AsyncIterator[Minato]:
    """Serve `settings` on the database at `address` until the block ends."""
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    host = Host(PROCESSORS, settings.storage.image_workers)
    application = host.create(settings, address, url, JWT_SECRET)
    trusted = settings.server.trusted_proxies
    config = GuardedConfig(application, settings.connections, trusted, lifespan="on", timeout_graceful_shutdown=2)
    server = PromptServer(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if serving.done():
            raise RuntimeError("the server did not start") from serving.exception()
        await asyncio.sleep(0.01)
    db = await asyncpg.connect(address.admin)
    try:
        yield Minato(url, application.backend, application, db, config.connections)
    finally:
        await db.close()
        server.end()
        await serving
        await host.close()
