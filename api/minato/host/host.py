"""What a process has one of, and the backends that run in it.

A backend is one database with its keys, clock, mail, files and settings. Threads, log, processors and the embedded
PostgreSQL are the process's; its environment is read above (`cli/environment.py`), and here and below nobody looks for
it. A change feed is a backend's, because a replication slot belongs to one database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from minato.backend import create_backend
from minato.config import Settings
from minato.database.address import DatabaseAddress
from minato.gateway import guard_of
from minato.host.base import Base, Ground
from minato.host.branch_settings import branch_settings
from minato.host.branches import Branches
from minato.host.databases import Databases, at
from minato.host.front import Front
from minato.host.names import app_url
from minato.host.own import Own, kin_of
from minato.log_lines import FLUSH_SECONDS, LogLines
from minato.machine.exchange import Machine
from minato.main import Application, create_app
from minato.postgres.embedded import EmbeddedPostgres
from minato.tokens.issuers import MAIN, Issuers
from minato.workers import Workers

PICTURES = 2


class Host:
    """One per process, on so many `processors`; `pictures` are made at a time.

    `cluster` is the PostgreSQL that the process started, where its backends have their databases. `machine`: what the
    process is beside others that serve the same backend.
    """

    def __init__(
        self,
        processors: int,
        pictures: int = PICTURES,
        lines: LogLines | None = None,
        cluster: EmbeddedPostgres | None = None,
        machine: Machine = None,
    ) -> None:
        self.workers = Workers(processors, pictures)
        self.lines = lines or LogLines()
        self._cluster = cluster
        self._machine = machine
        self._applications: list[Application] = []
        self._branches: Branches | None = None

    def create(self, settings: Settings, address: DatabaseAddress, public_url: str, jwt_secret: str) -> Application:
        """A backend beside the others; nothing of it runs yet."""
        backend = create_backend(settings, address, public_url, jwt_secret, self.lines, self.workers, self._machine)
        application = create_app(backend)
        self._applications.append(application)
        if self._cluster is not None:
            self._cluster.on_crash = self._tell_outage
        return application

    @asynccontextmanager
    async def running(
        self, settings: Settings, address: DatabaseAddress, public_url: str, jwt_secret: str
    ) -> AsyncIterator[Application]:
        """A backend that runs until the block ends. One that can't start is undone, and the others never notice."""
        application = self.create(settings, address, public_url, jwt_secret)
        try:
            await application.start()
            yield application
        finally:
            await self.drop(application)

    def front(self, main: Application, ground: Ground, db_url: str, jwt_secret: str) -> Front:
        """What a developer's server listens with: `main` and its branches, which are made on `ground`. `db_url` is how
        people reach main's database."""
        backend = main.backend
        guard = guard_of(backend)
        assert guard is not None, "branches are a developer's"
        host_url, folder = backend.public_url, backend.settings.server.data_dir.absolute() / "branches"
        databases = Databases(backend.database.address)
        base = Base(ground, databases, folder / ".templates", backend.log.info)
        issuers = Issuers(backend.settings.auth.jwt_issuer or f"{host_url}/auth/v1", f"{host_url}/b/")
        backend.keys.judges.append(partial(issuers.require, MAIN))

        def create(name: str, database: str, files: Path, own: Own) -> Application:
            url = f"{host_url}/b/{name}"
            app = app_url(host_url, name)
            settings = branch_settings(backend.settings, files, url, host_url, app, at(db_url, database))
            kin = kin_of(name, own, backend, jwt_secret)
            address = databases.address(database)
            made = create_backend(settings, address, url, jwt_secret, self.lines, self.workers, None, kin)
            made.keys.judges.append(partial(issuers.require, name))
            return create_app(made)

        told = partial(at, db_url)
        self._branches = Branches(main, folder, databases, base, create, told)
        return Front(main, self._branches, guard, jwt_secret)

    async def drop(self, application: Application) -> None:
        """Stop a backend and forget it; one that was never started is only forgotten."""
        self._applications.remove(application)
        await application.stop()

    async def close(self) -> None:
        """Stop every backend, last made first, then what they shared."""
        try:
            if self._branches is not None:
                await self._branches.close()
            while self._applications:
                await self.drop(self._applications[-1])
        finally:
            self.workers.close()
            if self._cluster is not None:
                await self._cluster.stop()
        await asyncio.to_thread(self.lines.flush, FLUSH_SECONDS)

    def _tell_outage(self, reason: str) -> None:
        for application in self._applications:
            application.backend.database.outage.begin(reason)
