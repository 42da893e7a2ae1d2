"""Runs each job at its interval until the server stops; one that fails is tried again at the next beat."""

from __future__ import annotations

import asyncio
from typing import Final

from minato.backend import Backend
from minato.background import Supervisor, Work, ended
from minato.jobs.mail_queue import MailQueue
from minato.jobs.scripts import script
from minato.tokens.caller import SERVICE_ROLE

MAIL_SECONDS: Final = 5.0
TIDY_SECONDS: Final = 3600.0
HOURLY: Final = script("hourly")


class Jobs:
    """The jobs of one process."""

    def __init__(self, backend: Backend) -> None:
        self._supervisor = Supervisor(backend.log, backend.database.outage)
        self._engine = backend.database.engine(SERVICE_ROLE)
        site_url = backend.settings.auth.site_url or backend.public_url
        self._mails = MailQueue(self._engine, backend.mailer, site_url, backend.settings.server.app_name)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin; nothing waits for the first run."""
        plan: tuple[tuple[str, Work, float], ...] = (
            ("queued mail", self._mails.drain, MAIL_SECONDS),
            ("hourly tidying", self._tidy, TIDY_SECONDS),
        )
        self._tasks = [asyncio.create_task(self._supervisor.repeat(*entry)) for entry in plan]

    async def stop(self) -> None:
        """End; a mail that is on its way is due again when its lease is over."""
        await ended(*self._tasks)

    async def _tidy(self) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(HOURLY)
