"""One process per data folder. The operating system drops the lock with its holder, however that one dies."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from minato.postgres.errors import PostgresError

ATTEMPTS, PAUSE_SECONDS = 5, 0.01


class DataFolderLock:
    """An exclusive lock on a data folder; `acquire` raises `PostgresError` while another process holds it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock, or say who has it."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not try_lock(descriptor):
            process = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
            os.close(descriptor)
            raise PostgresError(
                f"Another Minato (process {process}) uses {self._path.parent}: stop it, or choose another --data-dir."
            )
        os.truncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        self._descriptor = descriptor

    def release(self) -> None:
        """Let the next one in; harmless when the lock is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def try_lock(descriptor: int) -> bool:
    """Take the lock; tried for a moment, because somebody may just be looking who holds it."""
    for _ in range(ATTEMPTS):
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        time.sleep(PAUSE_SECONDS)
    return False


def holder(path: Path) -> int | None:
    """The process that holds the lock at `path`, None when nobody does."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return int(os.read(descriptor, 32) or b"0")
    finally:
        os.close(descriptor)
    return None
