"""Starts a PostgreSQL program under an account, tied to the life of this process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from minato.postgres import child
from minato.postgres.account import Account

Child = subprocess.Popen[bytes]

# Whether the kernel tells a child that its parent is gone; macOS does not.
HAS_DEATH_SIGNAL = sys.platform == "linux"


@dataclass(frozen=True)
class Surroundings:
    """Under which account PostgreSQL's programs run, and the environment they are given."""

    account: Account
    environment: Mapping[str, str]


class NamespaceRefused(Exception):
    """This system gives root no user namespace; another account must do."""


def spawn(surroundings: Surroundings, program: Path, arguments: list[str], output: IO[bytes]) -> Child:
    """The running program, in a session of its own so that Ctrl-C reaches us alone.

    On Linux the calling thread must live as long as the server: the kernel ties the death signal to the thread.
    """
    account = surroundings.account
    tie = "kernel" if HAS_DEATH_SIGNAL else "watched"
    identity = [str(os.getpid()), tie, account.mode, str(account.uid), str(account.gid)]
    return subprocess.Popen(
        [sys.executable, "-I", "-S", child.__file__, *identity, str(program), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        env=_without_libpq(surroundings.environment),
        # A folder the account can surely be in; the postmaster changes to its data folder anyway.
        cwd="/",
        start_new_session=True,
    )


def require_account(ended: Child) -> None:
    """Raise `NamespaceRefused` when that, and not the program, ended the child."""
    if ended.returncode == child.NAMESPACE_REFUSED:
        raise NamespaceRefused


def watch_life(pid: int) -> Child | None:
    """A shell that sends `pid` a fast shutdown when this process is gone; none where the kernel does (see `child`).

    It waits for the end of a pipe that only we hold open.
    """
    if HAS_DEATH_SIGNAL:
        return None
    script = 'read -r _; kill -INT "$1"'
    return subprocess.Popen(["/bin/sh", "-c", script, "sh", str(pid)], stdin=subprocess.PIPE, start_new_session=True)


def _without_libpq(environment: Mapping[str, str]) -> dict[str, str]:
    """Without libpq's variables, which change what initdb and postgres do, and with English messages."""
    kept = {name: value for name, value in environment.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}
