"""Clears what a killed server left behind: processes that still end, and a pid file whose pid may be anybody's by now.

Called with the data folder's lock held, so whatever is found has no owner. Processes are recognised by the
`cluster_name` in their command line, never by a pid alone.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from minato.postgres.errors import PostgresError
from minato.postgres.layout import Layout
from minato.postgres.pid_file import read_pid_file
from minato.postgres.waiting import Steps

POLL_SECONDS = 0.01
# What is asked of leftovers, and how many seconds later the next, harder request follows.
REQUESTS = ((signal.SIGINT, 10.0), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 2.0))


def clear_leftovers_steps(layout: Layout) -> Steps:
    """End leftover processes and remove stale files; yields the seconds to wait until looking again."""
    for request, patience in REQUESTS:
        for pid in cluster_processes(layout.tag):
            _ask(pid, request, layout)
        waited = 0.0
        while cluster_processes(layout.tag):
            if waited >= patience:
                break
            waited += POLL_SECONDS
            yield POLL_SECONDS
        else:
            layout.pid_file.unlink(missing_ok=True)
            return
    raise PostgresError(f"An older PostgreSQL on {layout.cluster} does not end: {cluster_processes(layout.tag)}.")


def cluster_processes(tag: str) -> list[int]:
    """The processes of the cluster named `tag`: its postmaster and the children."""
    return [pid for pid, command in _command_lines() if _belongs(command, tag)]


def _belongs(command: str, tag: str) -> bool:
    """Children call themselves `postgres: <cluster_name>: …`; the postmaster shows the arguments we gave it.

    >>> _belongs("postgres: minato-1: checkpointer ", "minato-1")
    True
    >>> _belongs("/usr/bin/postgres -D /data -c cluster_name=minato-1 -c port=1", "minato-1")
    True
    >>> _belongs("grep cluster_name=minato-1", "minato-1")
    False
    """
    program, _, arguments = command.partition(" ")
    if program == "postgres:":
        return arguments.startswith(f"{tag}:")
    return program.endswith("postgres") and f"cluster_name={tag}" in arguments.split(" ")


def _ask(pid: int, request: signal.Signals, layout: Layout) -> None:
    """A postmaster gets `request` and ends its children itself; a child without one is ended at once."""
    pid_file = read_pid_file(layout.pid_file)
    has_postmaster = pid_file is not None and pid_file.pid in cluster_processes(layout.tag)
    if has_postmaster and pid_file is not None and pid != pid_file.pid and request is not signal.SIGKILL:
        return
    with suppress(ProcessLookupError):
        os.kill(pid, request if has_postmaster else max(request, signal.SIGQUIT))


def _command_lines() -> Iterator[tuple[int, str]]:
    """Every process that can be seen, as (pid, command line)."""
    if sys.platform == "linux":
        for folder in filter(lambda entry: entry.name.isdigit(), Path("/proc").iterdir()):
            with suppress(OSError):
                yield int(folder.name), (folder / "cmdline").read_text(errors="replace").replace("\0", " ")
        return
    listing = subprocess.run(["ps", "-axo", "pid=,command="], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        pid, _, command = line.strip().partition(" ")
        yield int(pid), command
