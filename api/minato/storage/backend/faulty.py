"""A place for files that may be full, lack a file or spoil one, because a developer said so."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import AsyncIterable, AsyncIterator
from datetime import datetime
from typing import Final
from urllib.parse import unquote

from minato.faults.database import asked_path
from minato.faults.fault import Fault, Faults
from minato.storage.backend.base import FileBackend, StoredFile, is_version

# What stands in an address before the bucket.
_WAYS: Final = "/(?:s3|(?:object|render/image)(?:/(?:(?:info|upload)/)?(?:public|authenticated|sign|info))?)/"


class FaultyFiles:
    """A `FileBackend` above another; only files of objects go wrong, whose paths are made by `file_path`."""

    def __init__(self, files: FileBackend, faults: Faults) -> None:
        self._files = files
        self._faults = faults

    async def write(self, path: str, chunks: AsyncIterable[bytes]) -> None:
        fault = await self._met(path)
        if fault is not None and fault.rule.do.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        await self._files.write(path, chunks)

    async def create(self, path: str, content: bytes) -> None:
        await self._files.create(path, content)

    async def read(self, path: str, start: int, stop: int) -> AsyncIterator[bytes]:
        fault = await self._met(path)
        if fault is not None and fault.rule.do.missing:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        chunks = await self._files.read(path, start, stop)
        return _spoiled(chunks) if fault is not None and fault.rule.do.corrupt else chunks

    async def copy(self, source: str, target: str) -> None:
        fault = await self._met(target)
        if fault is not None and fault.rule.do.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        await self._files.copy(source, target)

    async def delete(self, paths: list[str]) -> None:
        await self._files.delete(paths)

    def list(self, prefix: str, after: str = "") -> AsyncIterator[list[StoredFile]]:
        return self._files.list(prefix, after)

    async def clear_partial(self, prefix: str, before: datetime) -> None:
        await self._files.clear_partial(prefix, before)

    def close(self) -> None:
        self._files.close()

    async def _met(self, path: str) -> Fault | None:
        # What is no object's, as the mark of whose files these are, is nobody's to spoil.
        if not self._faults.rules or not is_version(path):
            return None
        fault = self._faults.of("storage", named(path, asked_path()))
        if fault is not None:
            await fault.wait()
        return fault


def named(path: str, asked: str) -> dict[str, str]:
    """What is known of a file: its bucket, and its key where the request that was `asked` names it.

    >>> named("cars=2Eold/ab/abcd", "/object/public/cars.old/2020/a.jpg")
    {'bucket': 'cars.old', 'path': '2020/a.jpg'}
    >>> named("cars/ab/abcd", "/object/copy")
    {'bucket': 'cars'}
    """
    bucket = unquote(path.split("/")[-3].replace("=", "%"))
    found = re.fullmatch(f"{_WAYS}{re.escape(bucket)}/(?P<key>.+)", asked, re.S)
    return {"bucket": bucket, **({"path": found["key"]} if found else {})}


async def _spoiled(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """As many bytes, each another one than was written."""
    async for chunk in chunks:
        yield bytes(byte ^ 0xFF for byte in chunk)
