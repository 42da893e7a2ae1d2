"""The run of a project's server: the project's files instead of the platform's own order of things."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr

from minato.backend import Backend
from minato.cli.announcement import Announcement, Welcome
from minato.cli.configure import configure
from minato.cli.environment import process_environment
from minato.cli.local.backup_file import Restore
from minato.cli.local.buckets import make_buckets
from minato.cli.local.mail_catcher import catching, taking
from minato.cli.local.new_database import (
    fill_new_database,
    keep_database_settings,
    let_log_in,
    pending,
    run_migrations,
)
from minato.cli.local.plan import say
from minato.cli.local.project import Project
from minato.cli.local.report import Report, Said
from minato.cli.local.settings import PASSWORD
from minato.cli.local.settings import database_url as known_url
from minato.cli.logins import with_login
from minato.cli.migrate import answering, migrate_platform
from minato.cli.progress import Progress
from minato.cli.running import Run
from minato.cli.seed import Seed, load_seed
from minato.cli.target import OWNER, Target
from minato.config import Settings
from minato.kept_files import write_kept
from minato.postgres.layout import Layout
from minato.project.errors import ProjectError
from minato.project.folder import Project as Folder


@dataclass(frozen=True)
class LocalRun(Run):
    """`is_new` says that the data folder held no database; `mail` is where its mail is read, and `smtp` where mail of
    other programs is taken, if anywhere; `restore` is there where a backup is to be restored.
    """

    project: Project
    report: Report
    is_new: bool
    mail: socket.socket | None
    smtp: socket.socket | None
    restore: Restore | None

    @cached_property
    def progress(self) -> Progress:
        """The CLI's own lines are said instead."""
        return Progress(quiet=True, warn=say)

    async def _prepare(self, target: Target) -> tuple[Target, Seed | None]:
        project, folder = self.project, Folder(self.project.workdir.root)
        target = self._with_known_password(target)
        if self.is_new:
            say("Initialising schema...")
        with answering():
            was_empty = migrate_platform(target, self.progress if self.is_new else Said())
            target = with_login(target, self.progress)
            if self._has_known_password:
                let_log_in(target, target.url, PASSWORD)
                self._keep_password()
            if was_empty:
                self._fill(target, folder)
            else:
                self._catch_up(target, folder)
        configure(self.settings, target)
        seed = await self._seed(target)
        await self._load_people(target)
        if was_empty and not project.options.database_only:
            say("Starting containers...")
            await make_buckets(self.settings, target, self.secret, project.config, folder, say)
        project.folder.finish()
        return target, seed

    def _fill(self, target: Target, folder: Folder) -> None:
        keep_database_settings(target, self.secret, self.settings.auth.jwt_exp)
        try:
            if self.project.options.backup is not None:
                self._restore(target, self.project.options.backup)
            else:
                fill_new_database(target, self.project.config, folder, say)
        except ProjectError as error:
            kept = "Files before it are kept: empty the database" if not target.embedded else "No data are kept"
            raise ProjectError(f"{error}\n{kept}; mend the file and start again.") from None

    async def _fill_branches(self, settings: Settings, target: Target) -> None:
        project, folder = self.project, Folder(self.project.workdir.root)
        migrate_platform(target, Said())
        keep_database_settings(target, self.secret, self.settings.auth.jwt_exp)
        # Roles are the whole server's, and there since main was filled.
        fill_new_database(target, project.config, folder, _say_nothing, roles=False)
        configure(settings, target)
        await self._load_branches_seed(settings, target)
        await make_buckets(settings, target, self.secret, project.config, folder, _say_nothing)

    def _restore(self, target: Target, backup: Path) -> None:
        if not target.embedded:
            raise ProjectError("--from-backup makes a database of its own: take DATABASE_URL out of the environment.")
        assert self.restore is not None
        self.restore(target, backup, process_environment(), say)

    @cached_property
    def _has_known_password(self) -> bool:
        """Data of `minato serve` keep their password as they keep their secret, so that production takes them back."""
        kept = Layout(self.settings.server.data_dir).owner_password
        return self.postgres is not None and (self.is_new or kept.exists())

    def _with_known_password(self, target: Target) -> Target:
        """The password everybody knows, on a server that only this machine reaches."""
        if self.postgres is None or not self._has_known_password:
            return target
        url = known_url(self.postgres.address.port)
        return replace(target, url=url, passwords={OWNER: PASSWORD})

    def _keep_password(self) -> None:
        """For whoever asks the data folder how to log in; production refuses a folder that says this."""
        write_kept(Layout(self.settings.server.data_dir).owner_password, PASSWORD)

    def _catch_up(self, target: Target, folder: Folder) -> None:
        """Kept data have had their migrations: what came since is run where that is asked for."""
        if self.project.options.migrate:
            run_migrations(target, folder, say)
        elif self.project.config.flag("db.migrations.enabled") and (names := pending(target, folder)):
            say(f"{len(names)} migrations have not run yet, from {names[0]} on: minato start --migrate runs them.")

    async def _load(self, target: Target, seed: Seed) -> None:
        await load_seed(self.settings, target, self.secret, seed, Said())

    def _settings_at(self, target: Target) -> Settings:
        """Functions are told the database's own port, also where it is a free one."""
        functions = self.settings.functions
        if self.postgres is None or functions.db_url is None:
            return self.settings
        if functions.db_url.get_secret_value() != known_url(self.project.config.number("db.port")):
            return self.settings
        told = functions.model_copy(update={"db_url": SecretStr(target.url)})
        return replace(self.settings, functions=told)

    def _addresses(self, target: Target) -> tuple[str, str]:
        """Under the host name that was asked for, as in a container beside this machine; listened is where it was."""
        url, database_url = super()._addresses(target)
        host = self.project.hostname
        if host is None:
            return url, database_url
        if self.settings.server.public_url is None:
            url = f"http://{host}:{self.listener.getsockname()[1]}"
        if self.postgres is not None:
            parts = urlsplit(database_url)
            login = parts.netloc.rpartition("@")[0]
            database_url = urlunsplit(parts._replace(netloc=f"{login}@{host}:{parts.port}"))
        return url, database_url

    @asynccontextmanager
    async def _beside(self, backend: Backend) -> AsyncIterator[None]:
        async with catching(self.mail, backend, self.project.hostname), taking(self.smtp, backend):
            yield

    def _mail_url(self) -> str:
        """Empty when mail is read nowhere."""
        if self.mail is None:
            return ""
        host = self.project.hostname or self.settings.server.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.mail.getsockname()[1]}"

    def _announce(self, ready: Announcement, seed: Seed | None) -> None:
        state = self.project.state(ready, self._mail_url())
        self.project.folder.write_state(state)
        self.report.ready(state, ready, Welcome.of(seed, self.settings))


def _say_nothing(sentence: str) -> None:
    """Who makes a branch has read it at the start."""
