"""Which process serves a data folder. The operating system drops a lock with its holder, however that one dies, so what
a file says of a process counts only while the file is locked.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from minato.postgres.lock import try_lock


@dataclass(frozen=True)
class Holder:
    """A process and when it began, as the system tells it; `began` is empty where it does not tell."""

    pid: int
    began: str

    @property
    def is_alive(self) -> bool:
        """Whether the process with this id is still the one it was: ids are given again, and differ in containers."""
        return began(self.pid) == self.began and _exists(self.pid)


class ServerLock:
    """Held by a server for as long as it lives; `acquire` tells whether it was free."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not try_lock(descriptor):
            os.close(descriptor)
            return False
        os.truncate(descriptor, 0)
        me = os.getpid()
        os.pwrite(descriptor, json.dumps({"pid": me, "began": began(me)}).encode(), 0)
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Harmless when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def lock_holder(path: Path) -> Holder | None:
    """Who holds the lock at `path`; None when nobody does, whatever the file says."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(descriptor)
    finally:
        os.close(descriptor)
    return None


def began(pid: int) -> str:
    """When a process began: on Linux in ticks since the machine's own start, elsewhere as ps tells it."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    with suppress(OSError, subprocess.SubprocessError):
        shown = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False, timeout=5
        )
        return " ".join(shown.stdout.split())
    return ""


def _read(descriptor: int) -> Holder:
    """A holder that has not written yet is nobody who could be told to end."""
    try:
        found = json.loads(os.pread(descriptor, 4096, 0))
        return Holder(int(found["pid"]), str(found["began"]))
    except (ValueError, KeyError, TypeError):
        return Holder(0, "")


def _exists(pid: int) -> bool:
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
