"""Picks the loopback TCP port: the asked one, else the last run's (bookmarks stay valid), else any free one."""

from __future__ import annotations

import socket
from pathlib import Path


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
