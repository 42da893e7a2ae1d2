"""This installation's part of a store: others may keep their files beside it."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import datetime

from minato.storage.backend.base import FileBackend, StoredFile, is_file_path


class Namespace:
    """The files below a prefix that the database knows. Nothing outside of it is read, listed or removed."""

    def __init__(self, files: FileBackend, prefix: Callable[[], Awaitable[str]]) -> None:
        self._files = files
        self._prefix = prefix

    async def write(self, path: str, chunks: AsyncIterable[bytes]) -> None:
        """Store `chunks`; the file appears whole and durable or not at all, also when `chunks` raises."""
        await self._files.write(await self._place(path), chunks)

    async def create(self, path: str, content: bytes) -> None:
        """Store a file in one call. Raises FileExistsError when there is one, where the store can tell."""
        await self._files.create(await self._place(path), content)

    async def read(self, path: str, start: int, stop: int) -> AsyncIterator[bytes]:
        """Bytes `start` to `stop`. Raises FileNotFoundError before the first."""
        return await self._files.read(await self._place(path), start, stop)

    async def copy(self, source: str, target: str) -> None:
        """A second file with the same bytes. Raises FileNotFoundError."""
        await self._files.copy(await self._place(source), await self._place(target))

    async def delete(self, paths: list[str]) -> None:
        """Remove files; those that are gone already are fine."""
        await self._files.delete([await self._place(path) for path in paths])

    async def entries(self, folder: str, after: str = "") -> AsyncIterator[list[StoredFile]]:
        """What lies in a folder of ours, whatever its shape, in batches; `after` as in a backend's `list`."""
        start = await self._place("")
        async for batch in self._files.list(start + folder, start + after if after else ""):
            yield [replace(file, path=file.path.removeprefix(start)) for file in batch]

    async def list(self) -> AsyncIterator[list[StoredFile]]:
        """Every file of ours, in batches: what has another shape than `file_path` gives was put there by others."""
        start = await self._place("")
        async for batch in self._files.list(start):
            files = [replace(file, path=file.path.removeprefix(start)) for file in batch]
            yield [file for file in files if is_file_path(file.path)]

    async def clear_partial(self, before: datetime) -> None:
        """Remove what our writes that were cut off before this moment left."""
        await self._files.clear_partial(await self._place(""), before)

    def close(self) -> None:
        """End the threads of the store; nothing is written afterwards."""
        self._files.close()

    async def _place(self, path: str) -> str:
        prefix = await self._prefix()
        return f"{prefix}/{path}" if prefix else path
