"""Reads `postmaster.pid`, in which a running PostgreSQL says who and where it is and whether it is ready.

Its lines are listed in PostgreSQL's src/include/utils/pidfile.h.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

READY = "ready"


@dataclass(frozen=True)
class PidFile:
    """What the file says; `status` is empty until the server has written it."""

    pid: int
    port: int
    socket_folder: Path | None
    status: str


def read_pid_file(path: Path) -> PidFile | None:
    """The file's content, None when it is missing or only half written."""
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError:
        return None
    return parse_pid_file(lines)


def parse_pid_file(lines: list[str]) -> PidFile | None:
    """The lines of a pid file as a value; None when there is not even a pid.

    >>> parse_pid_file(["12", "/data", "1700000000", "5432", "/run", "127.0.0.1", " 1 2", "ready   "])
    PidFile(pid=12, port=5432, socket_folder=PosixPath('/run'), status='ready')
    """
    try:
        pid = int(lines[0])
        port = int(lines[3]) if len(lines) > 3 else 0
    except (IndexError, ValueError):
        return None
    folder = Path(lines[4]) if len(lines) > 4 and lines[4] else None
    return PidFile(pid, port, folder, lines[7].strip() if len(lines) > 7 else "")
