"""What `minato functions serve` asks of the server while it lasts: a file in the server's folder of functions, which
counts as long as that command holds its lock, however the command ends.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import orjson

FILE: Final = "serving.json"
# A server that looks just now holds the lock for less than this.
_PATIENCE_SECONDS: Final = 1.0
_LARGEST: Final = 64 * 1024


class AlreadyAttached(Exception):
    """Another `minato functions serve` of the same server goes on."""


@dataclass(frozen=True)
class Attachment:
    """Files are absolute; `inspect` is run, brk, wait or empty. `since` tells one from the next, in nanoseconds."""

    variables: str = ""
    import_map: str = ""
    no_verify_jwt: bool = False
    inspect: str = ""
    since: int = 0


NOTHING: Final = Attachment()


def attachment(folder: Path) -> Attachment:
    """What is asked just now; `NOTHING` where nobody asks, whatever the file says."""
    try:
        descriptor = os.open(folder / FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return NOTHING
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _parsed(os.pread(descriptor, _LARGEST, 0))
    finally:
        os.close(descriptor)
    return NOTHING


@contextmanager
def attached(folder: Path, asked: Attachment) -> Iterator[None]:
    """Ask until the block ends. Raises `AlreadyAttached`."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(descriptor)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, orjson.dumps(asdict(asked)), 0)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise AlreadyAttached from None
            time.sleep(0.01)
        else:
            return


def _parsed(content: bytes) -> Attachment:
    """One that was not written whole yet asks for nothing."""
    try:
        return Attachment(**orjson.loads(content))
    except (ValueError, TypeError):
        return NOTHING
