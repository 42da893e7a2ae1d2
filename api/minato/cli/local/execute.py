"""`minato exec -- CMD…`: a backend of the command's own while it runs, told to it by variables; nothing stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Final

from minato.cli.errors import CommandError
from minato.cli.local.data_folder import DataFolder, State
from minato.cli.local.options import StartOptions
from minato.cli.local.start import Background, running_state
from minato.cli.local.values import named
from minato.config import Settings

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
# What frameworks put into the page: the name says so, and no secret has such a twin.
PUBLIC_PREFIXES: Final = ("NEXT_PUBLIC_", "VITE_", "EXPO_PUBLIC_", "PUBLIC_", "NUXT_PUBLIC_")
# The names that applications have for the CLI's values.
ALIASES: Final = {
    "SUPABASE_URL": "API_URL",
    "SUPABASE_ANON_KEY": "ANON_KEY",
    "SUPABASE_PUBLISHABLE_KEY": "PUBLISHABLE_KEY",
    "SUPABASE_SERVICE_ROLE_KEY": "SERVICE_ROLE_KEY",
    "SUPABASE_SECRET_KEY": "SECRET_KEY",
    "SUPABASE_JWT_SECRET": "JWT_SECRET",
    "SUPABASE_DB_URL": "DB_URL",
}
SECRETS: Final = frozenset(
    {"SERVICE_ROLE_KEY", "SECRET_KEY", "JWT_SECRET", "DB_URL", "S3_PROTOCOL_ACCESS_KEY_SECRET"}
    | {alias for alias, name in ALIASES.items() if name in ("SERVICE_ROLE_KEY", "SECRET_KEY", "JWT_SECRET", "DB_URL")}
)


def execute(command: Sequence[str], options: StartOptions, environment: Mapping[str, str], fresh: bool) -> int:
    """Run `command` beside a backend; its exit status. Raises `CommandError`, or typer.Exit when nothing starts."""
    if not command:
        raise CommandError("Say what to run: minato exec -- npm test")
    running = None if fresh else running_state(DataFolder(options.data))
    if running is not None:
        return _run(command, {**environment, **variables(running)})
    with _backend(options) as state:
        return _run(command, {**environment, **variables(state)})


def variables(state: State) -> dict[str, str]:
    """What `status -o env` names, the names applications have for it, and what may be public once more for each
    framework."""
    found = named(state.values, {})
    found |= {alias: found[name] for alias, name in ALIASES.items() if name in found}
    public = {name: value for name, value in found.items() if name not in SECRETS}
    twins = {prefix + name: value for prefix in PUBLIC_PREFIXES for name, value in public.items()}
    # Where the test libraries find the server.
    token = Settings.of(state.settings).server.dev_token
    opens = {"MINATO_DEV_TOKEN": token.get_secret_value()} if token is not None else {}
    return found | twins | opens | {"MINATO_URL": str(state.announcement["url"])}


@contextmanager
def _backend(options: StartOptions) -> Iterator[State]:
    """A server on free ports with data of its own, which ends with this process, however that ends."""
    with tempfile.TemporaryDirectory(prefix="minato-exec-", ignore_cleanup_errors=True) as folder:
        own = replace(options, data=Path(folder, "data"), port=0, database_port=0, mail_port=0, ephemeral=True)
        with Background(own) as server:
            state = server.wait()
            assert state is not None, "nobody else knows the folder"
            yield state


def _run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    try:
        child = subprocess.Popen(command, env=environment)
    except FileNotFoundError:
        raise CommandError(f"{command[0]}: command not found") from None
    except OSError as error:
        raise CommandError(f"{command[0]}: {error.strerror}") from None
    with _forwarding(child):
        status = child.wait()
    return 128 - status if status < 0 else status


@contextmanager
def _forwarding(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """What we are told, the command is told. Ctrl-C in a terminal reaches it by itself."""

    def forward(number: int, frame: FrameType | None) -> None:
        if not (number == signal.SIGINT and sys.stdin.isatty()) and child.returncode is None:
            os.kill(child.pid, number)

    before = {number: signal.signal(number, forward) for number in FORWARDED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
