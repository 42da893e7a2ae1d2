"""One run of the server: database, migrations, seed, HTTP, and the way back."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass

import uvicorn

from api.backend import create_backend
from api.cli.announcement import announcement, print_banner, print_json
from api.cli.configure import configure
from api.cli.errors import CommandError
from api.cli.http_server import GRACE_SECONDS, AnnouncingServer
from api.cli.listener import is_loopback, public_url
from api.cli.migrate import migrate_if_needed
from api.cli.progress import Progress
from api.cli.seed import Seed, available_seeds, demo_password, find_seed, is_seeded, load_seed
from api.cli.target import Target, embedded_target, foreign_target
from api.config import Settings
from api.http.protocols import GuardedConfig
from api.main import create_app
from api.postgres.embedded import EmbeddedPostgres

DEMO = "demo"


@dataclass(frozen=True)
class Run:
    """Everything a run needs; `postgres` is None when the database is somebody else's."""

    settings: Settings
    secret: str
    listener: socket.socket
    postgres: EmbeddedPostgres | None
    progress: Progress
    as_json: bool
    seed: bool

    def until_stopped(self) -> None:
        """Serve until SIGINT or SIGTERM."""
        loop_factory = uvicorn.Config(app="").get_loop_factory()
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        try:
            target = await self._open_database()
            migrate_if_needed(target, self.progress)
            configure(self.settings, target)
            seed = await self._seed(target)
            await self._serve_http(target, seed)
        finally:
            if self.postgres is not None:
                await self.postgres.stop()

    async def _open_database(self) -> Target:
        if self.postgres is None:
            return foreign_target(self.settings, self.secret)
        with self.progress.step("Starting PostgreSQL"):
            return embedded_target(await self.postgres.start())

    async def _seed(self, target: Target) -> Seed | None:
        """The demo data in the database; loaded into ours, but never with a known password for the whole world."""
        if DEMO not in available_seeds():
            return None
        seed = find_seed(DEMO)
        if is_seeded(target, seed):
            return seed
        if not self.seed or not self.settings.server.demo_mode or not target.embedded:
            return None
        if not is_loopback(self.settings.server.host) and self.settings.server.demo_password is None:
            self.progress.warn("The demo data is left out: set DEMO_PASSWORD to load it on a public address.")
            return None
        await load_seed(self.settings, target, self.secret, seed, self.progress)
        return seed

    async def _serve_http(self, target: Target, seed: Seed | None) -> None:
        url = public_url(self.settings.server, self.listener)
        backend = create_backend(self.settings, target.address, url, self.secret)
        ready = announcement(backend, self.secret, target.url)

        def announce() -> None:
            if self.as_json:
                print_json(ready)
            else:
                print_banner(ready, seed, demo_password(self.settings))

        config = GuardedConfig(
            create_app(backend),
            self.settings.connections,
            self.settings.server.trusted_proxies,
            lifespan="on",
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        server = AnnouncingServer(config, announce)
        await server.serve(sockets=[self.listener])
        if not server.started:
            raise CommandError("The server did not start; the reason stands above.")
