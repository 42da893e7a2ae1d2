"""Runs each job of the project at its interval until the server stops; one that fails is tried at the next beat."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

from sqlalchemy import TextClause

from minato.backend import Backend
from minato.background import Work, ended
from minato.jobs.mail_queue import MailQueue
from minato.project.jobs import job_statement
from minato.tokens.caller import SERVICE_ROLE

MAIL_SECONDS: Final = 5.0
TIDY_SECONDS: Final = 3600.0


class Jobs:
    """The jobs of one process: what the project's `jobs/` folder asks for, nothing without one."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._engine = backend.database.engine(SERVICE_ROLE)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin; nothing waits for the first run."""
        self._tasks = [self._backend.supervisor.begin(*entry) for entry in self._plan()]

    async def stop(self) -> None:
        """End; a mail that is on its way is due again when its lease is over."""
        await ended(*self._tasks)

    def _plan(self) -> Iterator[tuple[str, Work, float]]:
        project = self._backend.settings.server.project
        next_mail, mail_done, hourly = (job_statement(project, name) for name in ("next_mail", "mail_done", "hourly"))
        if next_mail is not None and mail_done is not None:
            yield "queued mail", self._mails(next_mail, mail_done).drain, MAIL_SECONDS
        if hourly is not None:
            yield "hourly tidying", self._runs(hourly), TIDY_SECONDS

    def _mails(self, next_mail: TextClause, mail_done: TextClause) -> MailQueue:
        backend = self._backend
        site_url = backend.settings.auth.site_url or backend.public_url
        product = backend.settings.server.app_name
        return MailQueue(
            self._engine, backend.mailer, site_url, next_mail=next_mail, mail_done=mail_done, product=product
        )

    def _runs(self, statement: TextClause) -> Work:
        async def run() -> None:
            async with self._engine.begin() as connection:
                await connection.execute(statement)

        return run
