"""One run of the server process, from spawn to exit."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from minato.postgres.account import Account
from minato.postgres.errors import PostgresError
from minato.postgres.layout import Layout
from minato.postgres.log_file import keep_small, open_log
from minato.postgres.pid_file import READY, read_pid_file
from minato.postgres.process import Child, require_account, spawn, watch_life
from minato.postgres.waiting import Steps

POLL_SECONDS = 0.005
# Fast shutdown, then immediate, then by force, each with the seconds it is given.
STOP_REQUESTS = ((signal.SIGINT, 10.0), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 2.0))


class StartFailed(PostgresError):
    """The server ended before it was ready; `log` is what it wrote."""

    def __init__(self, log: str) -> None:
        super().__init__(f"PostgreSQL did not start: {log.strip()[-2000:] or 'it wrote no reason'}")
        self.log = log


class Postmaster:
    """A running server process. `port` and the socket folder stand in its arguments."""

    def __init__(
        self, layout: Layout, program: Path, account: Account, arguments: list[str], environment: Mapping[str, str]
    ) -> None:
        self._layout = layout
        keep_small(layout.log)
        with open_log(layout.log) as log:
            self._log_start = log.tell()
            self._process: Child = spawn(account, program, arguments, log, environment)
        self._watcher = watch_life(self._process.pid)

    @property
    def pid(self) -> int:
        """The process id; PostgreSQL keeps it through the exec."""
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def ready_steps(self) -> Steps:
        """Until it accepts connections. Raises `StartFailed`, or `NamespaceRefused` when the account did not do."""
        while not self._is_ready():
            if self.has_ended:
                self._forget_watcher()
                require_account(self._process)
                raise StartFailed(self._written())
            yield POLL_SECONDS

    def stop_steps(self) -> Steps:
        """Shut down: open transactions are rolled back, everything committed is on disk."""
        for request, patience in STOP_REQUESTS:
            self._process.send_signal(request)
            waited = 0.0
            while not self.has_ended and waited < patience:
                waited += POLL_SECONDS
                yield POLL_SECONDS
            if self.has_ended:
                break
        self._forget_watcher()

    async def ended(self) -> None:
        """Wait for the process to be gone, however that comes."""
        loop = asyncio.get_running_loop()
        gone = asyncio.Event()
        # A daemon: the interpreter must be able to exit while PostgreSQL runs.
        threading.Thread(target=self._report_end, args=(loop, gone), name="postgres-watch", daemon=True).start()
        await gone.wait()
        self._forget_watcher()

    def _report_end(self, loop: asyncio.AbstractEventLoop, gone: asyncio.Event) -> None:
        self._process.wait()
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(gone.set)

    def _is_ready(self) -> bool:
        found = read_pid_file(self._layout.pid_file)
        return found is not None and found.pid == self.pid and found.status == READY

    def _written(self) -> str:
        with self._layout.log.open("rb") as log:
            log.seek(self._log_start)
            return log.read().decode(errors="replace")

    def _forget_watcher(self) -> None:
        if self._watcher is not None:
            self._watcher.kill()
            self._watcher.communicate()
            self._watcher = None
