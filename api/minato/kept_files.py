"""Small files that are written once and needed for ever, as the secret that every key follows from.

A loss of power leaves such a file whole under its name, or not there: the bytes are on the disk before they get the
name, and the name is before anybody relies on it. Without that a file may be there and empty, days after a start.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def write_kept(path: Path, content: str | bytes, prepare: Callable[[Path], None] | None = None) -> None:
    """Put a file in the place of what is there, for this user alone; `prepare` sees the draft first."""
    with _draft(path, content) as draft:
        if prepare is not None:
            prepare(draft)
        draft.replace(path)
    sync(path.parent)


def create_kept(path: Path, content: str | bytes) -> None:
    """Make a file, for this user alone; of two processes that try, the first wins."""
    with _draft(path, content) as draft, suppress(FileExistsError):
        os.link(draft, path)
    sync(path.parent)


def sync(path: Path | str) -> None:
    """Have the disk hold a file, or which names a folder has."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _draft(path: Path, content: str | bytes) -> Iterator[Path]:
    """The bytes on the disk, under a name beside the last one; it is gone afterwards."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
