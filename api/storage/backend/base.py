"""What a place for files must do. A file is written once under its own name and never changed."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from urllib.parse import quote


@dataclass(frozen=True)
class StoredFile:
    """A file as a listing shows it."""

    path: str
    modified: datetime


class FileBackend(Protocol):
    """Paths are relative and made by `file_path`."""

    async def write(self, path: str, chunks: AsyncIterable[bytes]) -> None:
        """Store `chunks`; the file appears whole and durable or not at all, also when `chunks` raises."""
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

    def list(self) -> AsyncIterator[list[StoredFile]]:
        """Every file, in batches."""
        ...

    async def clear_partial(self, before: datetime) -> None:
        """Remove what writes that were cut off before this moment left; a listing does not show it."""
        ...


def file_path(bucket: str, version: str) -> str:
    """Where a version of an object lies: found by its version, so the object's name never becomes a path."""
    folder = quote(bucket, safe="").replace(".", "%2E").replace("%", "=")
    return f"{folder}/{version[:2]}/{version}"
