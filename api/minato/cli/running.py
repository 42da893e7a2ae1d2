"""One run of the server: database, migrations, seed, HTTP, and the way back."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import uvicorn
from structlog.stdlib import BoundLogger

from minato.backend import Backend
from minato.cli.announcement import Announcement, Welcome, announcement, print_banner, print_json
from minato.cli.configure import configure
from minato.cli.dev_file import leaving_word
from minato.cli.environment import processors
from minato.cli.errors import CommandError
from minato.cli.ground import ProjectGround
from minato.cli.http_server import GRACE_SECONDS, AnnouncingServer
from minato.cli.interrupts import heeded_interrupts
from minato.cli.listener import public_url
from minato.cli.migrate import migrate_if_needed
from minato.cli.owners_bench import OwnersBench
from minato.cli.people import load_users
from minato.cli.pooler import tell_of_pooler
from minato.cli.production import refuse_unsafe_data
from minato.cli.progress import Progress
from minato.cli.rights import tell_of_rights
from minato.cli.seed import Seed, available_seeds, is_seeded, load_seed
from minato.cli.target import Target, embedded_target, foreign_target
from minato.config import Settings
from minato.host.host import Host
from minato.http.asgi import ASGIApp
from minato.http.protocols import GuardedConfig
from minato.log import create_log, take_over_libraries, wants_json
from minato.log_lines import FLUSH_SECONDS
from minato.main import Application
from minato.mcp.app import Assistants
from minato.postgres.embedded import EmbeddedPostgres
from minato.tape.app import Tapes

DEMO = "demo"


@dataclass(frozen=True)
class Run:
    """Everything a run needs; `postgres` is None when the database is somebody else's."""

    settings: Settings
    secret: str = field(repr=False)
    listener: socket.socket
    postgres: EmbeddedPostgres | None
    as_json: bool
    seed: bool

    def until_stopped(self) -> None:
        """Serve until SIGINT or SIGTERM."""
        take_over_libraries(self.log)
        try:
            with self._runner() as runner:
                runner.run(self._serve())
        finally:
            self.host.lines.flush(FLUSH_SECONDS)

    def _runner(self) -> asyncio.Runner:
        """With its event loop made already: Ctrl-C may be lost in what that imports."""
        with heeded_interrupts():
            runner = asyncio.Runner(loop_factory=uvicorn.Config(app="", log_config=None).get_loop_factory())
            runner.get_loop()
        return runner

    @cached_property
    def host(self) -> Host:
        """What this process has one of."""
        return Host(processors(), self.settings.storage.image_workers, cluster=self.postgres)

    @cached_property
    def log(self) -> BoundLogger:
        """The log, before there is a backend and for what libraries say."""
        return create_log(self.host.lines, wants_json(self._is_production))

    @cached_property
    def progress(self) -> Progress:
        """Calm lines for a person; in production, and for scripts, standard error is the log's alone."""
        is_for_programs = self.as_json or self._is_production
        return Progress(quiet=is_for_programs, warn=self.log.warning if is_for_programs else None)

    @property
    def _is_production(self) -> bool:
        return self.settings.server.environment == "production"

    async def _serve(self) -> None:
        try:
            target, seed = await self._prepare(await self._open_database())
            await self._serve_http(target, seed)
        finally:
            await self.host.close()

    async def _open_database(self) -> Target:
        if self.postgres is None:
            return foreign_target(self.settings, self.secret)
        with self.progress.step("Starting PostgreSQL"):
            return embedded_target(await self.postgres.start())

    async def _prepare(self, target: Target) -> tuple[Target, Seed | None]:
        """Bring the database up to date; where requests log in, and the demo data in it."""
        tell_of_pooler(self.settings, target, self.progress)
        target = migrate_if_needed(self.settings, target, self.progress)
        tell_of_rights(target, self.progress)
        refuse_unsafe_data(self.settings, target, self.progress)
        configure(self.settings, target)
        seed = await self._seed(target)
        await self._load_people(target)
        return target, seed

    async def _seed(self, target: Target) -> Seed | None:
        """The demo data in the database; loaded into ours where it is wanted."""
        seed = available_seeds(self.settings).get(DEMO)
        if seed is None:
            return None
        if is_seeded(target, seed):
            return seed
        if not self.seed or not target.embedded or not self._wants_demo():
            return None
        await self._load(target, seed)
        return seed

    async def _load(self, target: Target, seed: Seed) -> None:
        await load_seed(self.settings, target, self.secret, seed, self.progress)

    async def _load_people(self, target: Target) -> None:
        """Into a database of ours: the people of somebody else's are not to be made up."""
        if target.embedded:
            await load_users(self.settings, target.address)

    def _wants_demo(self) -> bool:
        """In production only with a password of the operator's own."""
        server = self.settings.server
        return server.demo_password is not None if self._is_production else server.demo_mode

    async def _serve_http(self, target: Target, seed: Seed | None) -> None:
        url, database_url = self._addresses(target)
        application = self.host.create(self._settings_at(target), target.address, url, self.secret)
        look_for_web_app(self.settings.server.web_root, self.progress)
        ready = announcement(application.backend, self.secret, database_url)

        config = GuardedConfig(
            self._listening(application, target, database_url),
            self.settings.connections,
            self.settings.server.trusted_proxies,
            lifespan="on",
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        server = AnnouncingServer(config, lambda: self._announce(ready, seed))
        with self._leaving_word(url):
            await self._serve_until_stopped(server, application.backend)

    async def _serve_until_stopped(self, server: AnnouncingServer, backend: Backend) -> None:
        async with self._beside(backend):
            await server.serve(sockets=[self.listener])
        if not server.started:
            raise CommandError("The server did not start; the reason stands above.")

    def _leaving_word(self, url: str) -> AbstractContextManager[None]:
        """In development, tell commands of this machine where the server is."""
        if self._is_production:
            return nullcontext()
        token = self.settings.server.dev_token
        return leaving_word(self.settings.server.data_dir, url, token.get_secret_value() if token else None)

    def _listening(self, application: Application, target: Target, database_url: str) -> ASGIApp:
        """What answers at the port: in development with branches beside it."""
        if self._is_production:
            return application
        ground = ProjectGround(self.settings, target, self._fill_branches)
        front = self.host.front(application, ground, database_url, self.secret)
        return Tapes(Assistants(front, application, OwnersBench(target.owner)), application)

    async def _fill_branches(self, settings: Settings, target: Target) -> None:
        """What a first start does, in the database that branches are cloned from."""
        migrate_if_needed(settings, target, Progress(quiet=True))
        configure(settings, target)
        await self._load_branches_seed(settings, target)

    async def _load_branches_seed(self, settings: Settings, target: Target) -> None:
        seed = available_seeds(settings).get(DEMO)
        if seed is not None and self.seed and target.embedded and self._wants_demo():
            await load_seed(settings, target, self.secret, seed, Progress(quiet=True))
        await load_users(settings, target.address)

    def _beside(self, backend: Backend) -> AbstractAsyncContextManager[None]:
        """What else listens while the server does."""
        return nullcontext()

    def _settings_at(self, target: Target) -> Settings:
        """The settings, with what follows from where the database is."""
        return self.settings

    def _addresses(self, target: Target) -> tuple[str, str]:
        """What clients call the server, and its database."""
        return public_url(self.settings.server, self.listener.getsockname()[1]), target.url

    def _announce(self, ready: Announcement, seed: Seed | None) -> None:
        """The server answers from now on."""
        if self.as_json:
            print_json(ready)
        else:
            print_banner(ready, Welcome.of(seed, self.settings))


def look_for_web_app(root: Path | None, progress: Progress) -> None:
    """Whoever opens the address would see nothing: the operator is told why."""
    if root is not None and not (root / "index.html").is_file():
        progress.warn(f"No web app is served: {root} holds none. Run make setup, or set MINATO_WEB_ROOT.")
