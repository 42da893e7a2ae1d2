"""What a place for files must do. A file is written once under its own name and never changed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from urllib.parse import quote

UUID = r"[0-9a-f]{6}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
FILE_PATH = re.compile(rf"[A-Za-z0-9_=~-]+/([0-9a-f]{{2}})/\1{UUID}", re.ASCII)
VERSION_PATH = re.compile(rf"/([0-9a-f]{{2}})/\1{UUID}\Z", re.ASCII)


@dataclass(frozen=True)
class StoredFile:
    """A file as a listing shows it."""

    path: str
    modified: datetime
    size: int


class FileBackend(Protocol):
    """Paths are relative. Those made by `file_path` are of objects."""

    async def write(self, path: str, chunks: AsyncIterable[bytes]) -> None:
        """Store `chunks`; the file appears whole and durable or not at all, also when `chunks` raises."""
        ...

    async def create(self, path: str, content: bytes) -> None:
        """Store a file in one call. Raises FileExistsError when there is one, where the store can tell: asked of remote
        ones alone."""
        ...

    async def read(self, path: str, start: int, stop: int) -> AsyncIterator[bytes]:
        """Bytes `start` to `stop`. Raises FileNotFoundError before the first."""
        ...

    async def copy(self, source: str, target: str) -> None:
        """A second file with the same bytes. Raises FileNotFoundError."""
        ...

    async def delete(self, paths: list[str]) -> None:
        """Remove files; those that are gone already are fine."""
        ...

    def list(self, prefix: str, after: str = "") -> AsyncIterator[list[StoredFile]]:
        """Every file below `prefix`, in batches, whoever put it there; all for an empty one.

        Only those whose paths come after `after` in the order of bytes; the batches are in no order.
        """
        ...

    async def clear_partial(self, prefix: str, before: datetime) -> None:
        """Remove what our writes that were cut off before this moment left; a listing does not show it."""
        ...

    def close(self) -> None:
        """End the threads it began; nothing is written afterwards."""
        ...


def file_path(bucket: str, version: str) -> str:
    """Where a version of an object lies: found by its version, so the object's name never becomes a path."""
    folder = quote(bucket, safe="").replace(".", "%2E").replace("%", "=")
    return f"{folder}/{version[:2]}/{version}"


def is_file_path(path: str) -> bool:
    """Whether `file_path` makes such paths: what lies beside them is not ours."""
    return FILE_PATH.fullmatch(path) is not None


def is_version(path: str) -> bool:
    """Whether the file's name is a version, which nobody knows before its row names it."""
    return VERSION_PATH.search(path) is not None
