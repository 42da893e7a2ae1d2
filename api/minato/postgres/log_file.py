"""PostgreSQL's log: private, and moved aside when it grows, also while the server writes to it."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import IO

LARGEST_LOG = 10_000_000
LOOK_SECONDS = 5.0


def open_log(path: Path, *, anew: bool = False) -> IO[bytes]:
    """The log, opened to append, for its owner's eyes alone; empty when it begins `anew`."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (os.O_TRUNC if anew else 0)
    log = os.fdopen(os.open(path, flags, 0o600), "ab")
    os.fchmod(log.fileno(), 0o600)
    return log


def keep_small(path: Path) -> None:
    """Move what an overlong log holds to `.log.1`.

    The server keeps its descriptor, so the file itself stays and is emptied: whoever appends goes on at its beginning.
    """
    with suppress(FileNotFoundError):
        if path.stat().st_size > LARGEST_LOG:
            _copy(path, path.with_suffix(".log.1"))
            os.truncate(path, 0)


def _copy(path: Path, older: Path) -> None:
    """All or nothing: half a copy would take the last room that PostgreSQL has on a full disk. Raises OSError."""
    older.unlink(missing_ok=True)
    try:
        with open_log(older, anew=True) as target, path.open("rb") as source:
            shutil.copyfileobj(source, target)
    except OSError:
        older.unlink(missing_ok=True)
        raise
