"""The processes of `minato serve --workers`, seen from outside: which there are, and which one is to answer next."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil
import psycopg2

from tests.support.command import Served


@dataclass(frozen=True)
class Crew:
    """A served parent and its workers."""

    server: Served

    @property
    def url(self) -> str:
        return str(self.server.info["url"])

    @property
    def anon_key(self) -> str:
        return str(self.server.info["anon_key"])

    @property
    def service_key(self) -> str:
        return str(self.server.info["service_role_key"])

    @property
    def db_url(self) -> str:
        return str(self.server.info["db_url"])

    def processes(self) -> list[psutil.Process]:
        """All of ours below the parent: the template first, then its copies."""
        found: list[psutil.Process] = []
        for child in psutil.Process(self.server.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if not child.name().startswith("postgres") and child.status() != psutil.STATUS_ZOMBIE:
                    found.append(child)
        return found

    def workers(self) -> list[int]:
        """The process ids, in the order of their start."""
        parent = self.server.process.pid
        copies: list[tuple[float, int]] = []
        for process in self.processes():
            with suppress(psutil.NoSuchProcess):
                if process.ppid() != parent:
                    copies.append((process.create_time(), process.pid))
        return [pid for _, pid in sorted(copies)]

    @contextmanager
    def only(self, worker: int) -> Iterator[None]:
        """Whoever connects within the block meets this worker: the others stand still."""
        others = [pid for pid in self.workers() if pid != worker]
        for pid in others:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            self.let_go_on()

    def let_go_on(self) -> None:
        """End the standstill of whoever stands still."""
        for pid in self.workers():
            os.kill(pid, signal.SIGCONT)

    def execute(self, statement: str) -> object:
        """As the project's owner; the first value of the first row."""
        connection = psycopg2.connect(self.db_url)
        try:
            with connection, connection.cursor() as cursor:
                cursor.execute(statement)
                return cursor.fetchone()[0] if cursor.description else None
        finally:
            connection.close()

    def headers(self) -> dict[str, str]:
        """Of a request that may do everything."""
        return {"apikey": self.service_key, "authorization": f"Bearer {self.service_key}"}
