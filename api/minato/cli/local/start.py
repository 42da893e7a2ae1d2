"""`minato start`: a server in the background, or in the terminal; whoever starts a project that runs is told where."""

from __future__ import annotations

import select
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Self

import orjson
import typer

from minato.cli.errors import CommandError
from minato.cli.local.backup_file import Restore
from minato.cli.local.data_folder import DataFolder, State
from minato.cli.local.options import EXCLUDABLE, AlreadyServed, StartOptions, services_without
from minato.cli.local.plan import say
from minato.cli.local.process_lock import lock_holder
from minato.cli.local.waiting_server import WaitingServer
from minato.cli.process import uncollected

# How a background process says that another one has the folder.
TAKEN = 75
LOOK_SECONDS = 0.02
PATIENCE_SECONDS = 60.0


def start_in_background(options: StartOptions, ahead: WaitingServer | None = None) -> None:
    """Start, wait until it is ready, print what `supabase start` prints; `ahead` waits for what to serve. Raises
    `CommandError`."""
    folder = DataFolder(options.data)
    state = running_state(folder)
    background = Background(options, ahead) if state is None else None
    # While the server begins: what is printed in the end.
    from minato.cli.local.show import show_started

    if background is not None and (state := background.wait()) is not None:
        show_started(state)
        background.show_accounts()
    else:
        show_running(state or require_state(folder))


def start_in_foreground(options: StartOptions, environment: Mapping[str, str], as_json: bool) -> None:
    """Serve in this process until a signal ends it. Raises `CommandError`."""
    with uncollected():
        from minato.cli.local.report import Report
        from minato.cli.local.server import run_server

    folder = DataFolder(options.data)
    try:
        run_server(options, environment, Report(as_json))
    except AlreadyServed:
        state = require_state(folder)
        if as_json:
            typer.echo(orjson.dumps(state.announcement))
            return
        url = state.announcement["url"]
        say(f"It runs already, at {url} (process {state.pid}): minato stop --data-dir {folder.path} ends it.")


def serve_detached(options: StartOptions, environment: Mapping[str, str], restore: Restore | None = None) -> None:
    """What runs in the background, `restore` where a backup is given; raises like `run_server`."""
    from minato.cli.local.report import DetachedReport
    from minato.cli.local.server import run_server

    try:
        run_server(options, environment, DetachedReport(DataFolder(options.data)), restore)
    except AlreadyServed:
        raise typer.Exit(TAKEN) from None


def import_server() -> None:
    """What a server needs until its PostgreSQL begins, as soon as it is known that there will be one."""
    import minato.cli.local.report
    import minato.cli.local.server  # noqa: F401


class Background:
    """A server in a process of its own. `with` ends it at the end of the block; else it goes on by itself."""

    def __init__(self, options: StartOptions, ahead: WaitingServer | None = None) -> None:
        server = ahead or WaitingServer()
        server.serve(options)
        self._folder = DataFolder(options.data)
        self._told = b""
        self._child = server.process

    def wait(self) -> State | None:
        """Until it is ready; None when another process has the folder. Raises typer.Exit with the exit status of one
        that failed, which has said why, and `CommandError`."""
        assert self._child.stdout is not None
        try:
            self._told = self._child.stdout.readline()
        except KeyboardInterrupt:
            self.end()
            raise
        if self._told:
            state = self._folder.read_state(self._child.pid)
            if state is None:
                raise CommandError(f"The server ended as soon as it was ready; {self._folder.log} tells why.")
            return state
        status = self._child.wait()
        if status == TAKEN:
            return None
        raise typer.Exit(status if status > 0 else 1)

    def show_accounts(self) -> None:
        """Whom the demo data let sign in, when it is ready; nothing without such data."""
        if not orjson.loads(self._told)["accounts"]:
            return
        # Brings the settings along, whose classes take a tenth of a second to build.
        from minato.cli.announcement import Welcome, print_accounts

        print_accounts(Welcome.of_line(self._told))

    def end(self) -> None:
        """As after Ctrl-C in its own terminal."""
        with suppress(ProcessLookupError):
            self._child.send_signal(signal.SIGINT)
        try:
            self._child.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._child.poll() is None:
            self.end()


def show_running(state: State) -> None:
    """The second start of a project."""
    from minato.cli.local.show import PRETTY, show_status

    say("supabase start is already running.")
    show_status(state, PRETTY)


def running_state(folder: DataFolder) -> State | None:
    """What the server of a folder says of itself; None when none runs or it is not ready yet."""
    holder = lock_holder(folder.lock)
    return folder.read_state(holder.pid) if holder is not None else None


def require_state(folder: DataFolder) -> State:
    """The same of a server that another process is starting just now. Raises `CommandError` when it fails."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while lock_holder(folder.lock) is not None:
        state = running_state(folder)
        if state is not None:
            return state
        if time.monotonic() > deadline:
            raise CommandError(f"Another start of this project is not ready yet; {folder.log} tells why.")
        select.select([], [], [], LOOK_SECONDS)
    raise CommandError("Another start of this project ended before it was ready: try again.")


def excluded_services(excluded: list[str]) -> list[str]:
    """The services behind `--exclude`; names that are none are told, and left out."""
    off, unknown = services_without(excluded)
    if unknown:
        say(f"WARNING: The following container names are not valid to exclude: {', '.join(unknown)}")
        say(f"Valid containers to exclude are: {', '.join(EXCLUDABLE)}")
    return off
