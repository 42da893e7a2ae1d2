"""Runs each job of the project at its interval until the server stops; one that fails is tried at the next beat."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import TextClause, text

from minato.backend import Backend
from minato.background import Supervisor, Work, ended
from minato.jobs.mail_queue import MailQueue
from minato.project.folder import Project
from minato.tokens.caller import SERVICE_ROLE

MAIL_SECONDS: Final = 5.0
TIDY_SECONDS: Final = 3600.0


class Jobs:
    """The jobs of one process: what the project's `jobs/` folder asks for, nothing without one."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._supervisor = Supervisor(backend.log, backend.database.outage)
        self._engine = backend.database.engine(SERVICE_ROLE)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin; nothing waits for the first run."""
        root = self._backend.settings.server.project
        plan = self._plan(Project(root)) if root is not None else ()
        self._tasks = [asyncio.create_task(self._supervisor.repeat(*entry)) for entry in plan]

    async def stop(self) -> None:
        """End; a mail that is on its way is due again when its lease is over."""
        await ended(*self._tasks)

    def _plan(self, project: Project) -> Iterator[tuple[str, Work, float]]:
        next_mail, mail_done, hourly = (project.job(name) for name in ("next_mail", "mail_done", "hourly"))
        if next_mail.is_file() and mail_done.is_file():
            yield "queued mail", self._mails(next_mail, mail_done).drain, MAIL_SECONDS
        if hourly.is_file():
            yield "hourly tidying", self._runs(statement_in(hourly)), TIDY_SECONDS

    def _mails(self, next_mail: Path, mail_done: Path) -> MailQueue:
        backend = self._backend
        return MailQueue(
            self._engine,
            backend.mailer,
            backend.settings.auth.site_url or backend.public_url,
            next_mail=statement_in(next_mail),
            mail_done=statement_in(mail_done),
            product=backend.settings.server.app_name,
        )

    def _runs(self, statement: TextClause) -> Work:
        async def run() -> None:
            async with self._engine.begin() as connection:
                await connection.execute(statement)

        return run


def statement_in(file: Path) -> TextClause:
    """The statement of a job, its parameters as `:name`."""
    return text(file.read_text(encoding="utf-8"))
