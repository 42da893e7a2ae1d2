"""Uploads under way, on disk: `<version>.json` says what it is, `<version>.part` holds what came.

The part's size is the offset, so after a crash client and server agree on what arrived without any record of it.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO

from minato.storage.tus.headers import Checksum, TusError
from minato.storage.tus.uploads import (
    EXCEEDED,
    LOCKED,
    NOT_FOUND,
    Proof,
    Upload,
    UploadId,
    in_blocks,
    pack,
    unpack,
)

BLOCK = 1024 * 1024


class UploadFolder:
    """`Uploads` in one folder, shared by all workers of a server. An upload is written by one request at a time."""

    shared = False

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder

    async def find(self, upload_id: UploadId, oldest: float) -> Upload:
        """The upload, if it began after `oldest`. Raises TusError."""
        try:
            record = self._file(upload_id.version, "json").read_bytes()
        except FileNotFoundError:
            raise TusError(404, NOT_FOUND) from None
        return unpack(record, upload_id, oldest)

    async def offset(self, upload: Upload) -> int:
        """Bytes that have arrived."""
        if upload.finished:
            return upload.length or 0
        return self._file(upload.version, "part").stat().st_size

    async def save(self, upload: Upload) -> None:
        """Record it: a new one, or what changed."""
        part = self._file(upload.version, "part")
        if not upload.finished:
            part.touch(mode=0o600)
        record, fresh = self._file(upload.version, "json"), self._file(upload.version, "new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(pack(upload))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(record)
        if upload.finished:
            part.unlink(missing_ok=True)

    async def remove(self, upload: Upload) -> None:
        """Forget it."""
        for suffix in ("part", "json"):
            self._file(upload.version, suffix).unlink(missing_ok=True)

    async def clear(self, oldest: float) -> int:
        """Remove uploads untouched since `oldest`; how many."""
        stale = [path for path in self._folder.glob("*.json") if _touched(path) < oldest]
        for path in stale:
            path.with_suffix(".part").unlink(missing_ok=True)
            path.unlink(missing_ok=True)
        return len(stale)

    @asynccontextmanager
    async def alone(self, upload_id: UploadId) -> AsyncIterator[None]:
        """Keep other writers of the upload out, those of other processes too. Raises TusError when one is at work.

        The lock is the part's, which goes when the upload is an object or forgotten: then nobody writes it any more.
        """
        try:
            part = os.open(self._file(upload_id.version, "part"), os.O_RDONLY)
        except FileNotFoundError:
            yield
            return
        try:
            _lock(part)
            yield
        finally:
            os.close(part)

    @asynccontextmanager
    async def finishing(self, upload_id: UploadId) -> AsyncIterator[None]:
        """Nothing more: whoever is `alone` here is so anywhere."""
        yield

    async def append(
        self, upload: Upload, chunks: AsyncIterable[bytes], limit: int, checksum: Checksum | None = None
    ) -> int:
        """Add what comes, up to `limit` bytes in all; the new offset. What came before a break stays.

        Raises TusError when more comes, or something else than the checksum says: then nothing of it stays.
        """
        start = offset = await self.offset(upload)
        proof = Proof(checksum)
        file = await asyncio.to_thread(self._file(upload.version, "part").open, "ab", 0)
        try:
            async for block in in_blocks(chunks, BLOCK):
                if offset + len(block) > limit:
                    raise TusError(413, EXCEEDED)
                await asyncio.to_thread(_write_whole, file, block)
                await asyncio.to_thread(proof.take, block)
                offset += len(block)
            proof.require()
        except TusError:
            await asyncio.to_thread(file.truncate, start)
            raise
        finally:
            os.fsync(file.fileno())
            file.close()
        return offset

    async def read(self, upload: Upload) -> AsyncIterator[bytes]:
        """All that has arrived."""
        with self._file(upload.version, "part").open("rb") as file:
            while block := await asyncio.to_thread(file.read, BLOCK):
                yield block

    def _file(self, version: str, suffix: str) -> Path:
        return self._folder / f"{version}.{suffix}"


def _touched(record: Path) -> float:
    """When the record or its bytes were written last; 0 when it went meanwhile."""
    times = [0.0]
    for file in (record, record.with_suffix(".part")):
        with suppress(FileNotFoundError):
            times.append(file.stat().st_mtime)
    return max(times)


def _lock(descriptor: int) -> None:
    """Raises TusError while another has it; closing gives it back."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise TusError(423, LOCKED) from None


def _write_whole(file: IO[bytes], block: bytes) -> None:
    """Write all of it: where the disk is nearly full, one call writes what still fits and says no more than how much.
    Raises OSError."""
    left = memoryview(block)
    while left:
        left = left[file.write(left) :]
