"""One run of the server process, from spawn to exit."""

from __future__ import annotations

import asyncio
import re
import signal
import threading
from contextlib import suppress
from pathlib import Path

from minato.postgres.address import PostgresAddress
from minato.postgres.binaries import PostgresBinaries
from minato.postgres.errors import PostgresError
from minato.postgres.extensions import control_path
from minato.postgres.layout import Layout
from minato.postgres.log_file import keep_small, open_log
from minato.postgres.pid_file import READY, read_pid_file
from minato.postgres.process import Child, Surroundings, require_account, spawn, watch_life
from minato.postgres.waiting import Steps

POLL_SECONDS = 0.005
# Fast shutdown, then immediate, then by force, each with the seconds it is given.
STOP_REQUESTS = ((signal.SIGINT, 10.0), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 2.0))
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    # Realtime reads changes by logical decoding, a slot per backend.
    "wal_level": "logical",
    # As in the reference's local database; plans tell it.
    "effective_cache_size": "128MB",
    # As pg_stat_statements makes it on a hosted project: EXPLAIN shows the query identifier.
    "compute_query_id": "on",
    "max_replication_slots": "32",
    "max_wal_senders": "32",
    # A replication slot nobody reads must not fill the disk.
    "max_slot_wal_keep_size": "1GB",
    "max_wal_size": "1GB",
    "shared_buffers": "128MB",
    "max_logical_replication_workers": "0",
    # Hosted projects run in UTC.
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "log_checkpoints": "off",
    # Who asks is told what is wrong with a statement. Logged, it would let strangers fill the disk, and leave what
    # people wrote in a file: neither refused statements nor the messages about them, which quote values.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_line_prefix": "%m [%p] ",
}
# For tests: as fast as memory, and lost with the machine's power. Commits stay synchronous: logical decoding reads only
# what was written, and an asynchronous commit would wait for the WAL writer's next round.
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off"}


class StartFailed(PostgresError):
    """The server ended before it was ready; `log` is what it wrote."""

    def __init__(self, log: str) -> None:
        super().__init__(f"PostgreSQL did not start: {log.strip()[-2000:] or 'it wrote no reason'}")
        self.log = log


class Postmaster:
    """A running server process. `port` and the socket folder stand in its arguments."""

    def __init__(self, layout: Layout, surroundings: Surroundings, program: Path, arguments: list[str]) -> None:
        self._layout = layout
        # A log that can't be moved aside keeps nobody from starting: `_keep_log_small` tries again, and tells.
        with suppress(OSError):
            keep_small(layout.log)
        with open_log(layout.log) as log:
            self._log_start = log.tell()
            self._process: Child = spawn(surroundings, program, arguments, log)
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


# The settings the server starts with: small, quiet, ready for realtime, and durable unless told otherwise.


# PostgreSQL 18: no worker processes for reading, which a local database never notices.
SINCE_18 = {"io_method": "sync"}
# What a hosted project has loaded. Who sets the parameter in a file of the cluster has the last word.
PRELOADED = "pg_stat_statements"
PRELOADS = re.compile(r"^\s*shared_preload_libraries\b", re.M | re.I)


def server_arguments(
    layout: Layout, address: PostgresAddress, binaries: PostgresBinaries, durable: bool, connections: int
) -> list[str]:
    """The command line of `postgres` after the program's name."""
    extensions = control_path(binaries, layout.extensions)
    settings = {
        **SETTINGS,
        "port": str(address.port),
        "unix_socket_directories": str(address.socket_folder),
        "cluster_name": layout.tag,
        "max_connections": str(connections),
        **({} if durable else NOT_DURABLE),
        **(SINCE_18 if binaries.major_version >= 18 else {}),
        **({} if extensions is None else {"extension_control_path": extensions}),
        **({"shared_preload_libraries": PRELOADED} if _may_preload(layout, binaries) else {}),
    }
    return ["-D", str(layout.cluster), *(part for pair in settings.items() for part in ("-c", "=".join(pair)))]


def _may_preload(layout: Layout, binaries: PostgresBinaries) -> bool:
    files = [layout.cluster / name for name in ("postgresql.conf", "postgresql.auto.conf")]
    chosen = any(path.is_file() and PRELOADS.search(path.read_text(errors="replace")) for path in files)
    return not chosen and binaries.has_library(PRELOADED)
