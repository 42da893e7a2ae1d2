"""A developer's server with branches, in the test's own event loop: main on a database, and `base` to clone."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import asyncpg
import httpx
from minato.backend import Backend
from minato.cli.owners_bench import OwnersBench
from minato.database.address import DatabaseAddress
from minato.host.branches import Branches
from minato.host.databases import at, name_in
from minato.host.front import Front
from minato.host.host import Host
from minato.http.protocols import GuardedConfig
from minato.main import Application
from minato.mcp.app import Assistants
from minato.tape.app import Tapes

from tests.support.isolation import REQUEST_SECONDS
from tests.support.postgres import Cluster
from tests.support.prompt_server import PromptServer
from tests.support.server import JWT_SECRET, PROCESSORS, settings_for

CONTROL = "/_dev/v1/branches"
BUCKET, FILE, CONTENT = "shelf", "seed.txt", b"as every branch begins"
TABLE = """
create table public.notes (id serial primary key, body text, author uuid default auth.uid());
grant all on public.notes, public.notes_id_seq to anon, authenticated, service_role;
alter publication supabase_realtime add table public.notes
"""


@dataclass
class Backed:
    """Main or one branch, by its address."""

    url: str
    backend: Backend
    told: dict[str, Any]

    @property
    def anon_key(self) -> str:
        return self.backend.api_keys.anon

    def client(self, token: str | None = None) -> httpx.AsyncClient:
        """A client with the service key, or as the user of `token`."""
        key = self.anon_key if token else self.backend.api_keys.service_role
        headers = {"apikey": key, "authorization": f"Bearer {token or key}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=REQUEST_SECONDS)

    def public(self) -> httpx.AsyncClient:
        """A client with the anon key."""
        return self.client(self.anon_key)


@dataclass
class Hosted:
    """The server. `control` is a client of `/_dev`."""

    url: str
    front: Front
    application: Application
    cluster: Cluster
    folder: Path
    control: httpx.AsyncClient
    ground: ClonedGround

    @property
    def branches(self) -> Branches:
        return self.front.branches

    @property
    def main(self) -> Backed:
        return Backed(self.url, self.application.backend, {})

    async def branch(self, **asked: Any) -> Backed:
        """A new one."""
        made = await self.control.post(CONTROL, json=asked)
        assert made.status_code == 201, made.text
        told = made.json()
        found = self.branches.find(told["id"])
        assert found is not None
        return Backed(told["url"], found.application.backend, told)

    @asynccontextmanager
    async def session(self, branch: Backed) -> AsyncIterator[asyncpg.Connection]:
        """The owner's own session in a branch's database."""
        connection = await asyncpg.connect(branch.backend.database.address.admin)
        try:
            yield connection
        finally:
            await connection.close()


class ClonedGround:
    """What `base` is made of in tests: the migrated template, a table of notes, and a stored file."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.text = "as it was first"
        self.filled = 0

    def fingerprint(self) -> str:
        return self.text

    async def fill(self, database: str, folder: Path) -> None:
        self.filled += 1
        await self._cluster.refill(database)
        address = self._cluster.address(database)
        await run(address, TABLE)
        async with _stored(address, folder) as client:
            await client.post("/storage/v1/bucket", json={"name": BUCKET, "public": True})
            await client.post(f"/storage/v1/object/{BUCKET}/{FILE}", content=CONTENT)


@asynccontextmanager
async def _stored(address: DatabaseAddress, folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    host = Host(PROCESSORS)
    async with host.running(settings_for(folder), address, "http://localhost", JWT_SECRET) as application:
        key = application.backend.api_keys.service_role
        headers = {"apikey": key, "authorization": f"Bearer {key}"}
        transport = httpx.ASGITransport(application)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
            yield client
    await host.close()


async def run(address: DatabaseAddress, statements: str) -> None:
    """Run statements as the owner."""
    db = await asyncpg.connect(address.admin)
    try:
        await db.execute(statements)
    finally:
        await db.close()


@asynccontextmanager
async def hosting(cluster: Cluster, folder: Path, address: DatabaseAddress, **rooms: Any) -> AsyncIterator[Hosted]:
    """Serve main on `address`, with branches beside it, until the block ends."""
    settings = settings_for(folder, **rooms)
    server_settings = settings.server.model_copy(update={"port": 0})
    settings = replace(settings, server=server_settings)
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    host = Host(PROCESSORS, settings.storage.image_workers)
    application = host.create(settings, address, url, JWT_SECRET)
    ground = ClonedGround(cluster)
    front = host.front(application, ground, at(address.admin, name_in(address.admin)), JWT_SECRET)
    app = Tapes(Assistants(front, application, OwnersBench(address.admin)), application)
    server = PromptServer(GuardedConfig(app, settings.connections, lifespan="on", timeout_graceful_shutdown=2))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            if serving.done():
                raise RuntimeError("the server did not start") from serving.exception()
            await asyncio.sleep(0.01)
        async with httpx.AsyncClient(base_url=url, timeout=REQUEST_SECONDS) as control:
            yield Hosted(url, front, application, cluster, folder, control, ground)
    finally:
        server.end()
        await serving
        await host.close()
