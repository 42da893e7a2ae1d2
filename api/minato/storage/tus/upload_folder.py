"""Uploads under way, on disk: `<version>.json` says what it is, `<version>.part` holds what came.

The part's size is the offset, so after a crash client and server agree on what arrived without any record of it.
"""

from __future__ import annotations

import asyncio
import base64
import fcntl
import hashlib
import os
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO
from uuid import UUID

import orjson

from minato.storage.tus.headers import Checksum, TusError

BLOCK = 1024 * 1024
GONE = "The file for this url no longer exists\n"
EXCEEDED = "upload's size exceeded\n"
NOT_FOUND = "The file for this url was not found\n"


@dataclass(frozen=True)
class UploadId:
    """`version` is a uuid in its canonical form, so it may name a file."""

    bucket: str
    key: str
    version: str

    def __str__(self) -> str:
        return base64.urlsafe_b64encode(f"{self.bucket}/{self.key}/{self.version}".encode()).decode().rstrip("=")


def parse_upload_id(text: str) -> UploadId:
    """The id in a URL. Raises TusError: what is none was never found."""
    try:
        decoded = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode()
        bucket, _, rest = decoded.partition("/")
        key, _, version = rest.rpartition("/")
        return UploadId(bucket, key, str(UUID(version)))
    except ValueError:
        raise TusError(404, NOT_FOUND) from None


@dataclass
class Upload:
    """`length` is None while deferred; `owner` and `upsert` are those of whoever wrote last; times in epoch seconds."""

    bucket: str
    key: str
    version: str
    length: int | None
    metadata: str
    created: float
    owner: str | None = None
    upsert: bool = False
    finished: bool = False

    @property
    def id(self) -> UploadId:
        return UploadId(self.bucket, self.key, self.version)


class UploadFolder:
    """One folder, shared by all workers of a server. An upload is written by one request at a time."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder

    def find(self, upload_id: UploadId, oldest: float) -> Upload:
        """The upload, if it began after `oldest`. Raises TusError."""
        try:
            upload = Upload(**orjson.loads(self._file(upload_id.version, "json").read_bytes()))
        except FileNotFoundError:
            raise TusError(404, NOT_FOUND) from None
        if upload.id != upload_id:
            raise TusError(404, NOT_FOUND)
        if upload.created < oldest:
            raise TusError(410, GONE)
        return upload

    def offset(self, upload: Upload) -> int:
        """Bytes that have arrived."""
        if upload.finished:
            return upload.length or 0
        return self._file(upload.version, "part").stat().st_size

    def save(self, upload: Upload) -> None:
        """Record it: a new one, or what changed."""
        part = self._file(upload.version, "part")
        if not upload.finished:
            part.touch(mode=0o600)
        record, fresh = self._file(upload.version, "json"), self._file(upload.version, "new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(orjson.dumps(asdict(upload)))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(record)
        if upload.finished:
            part.unlink(missing_ok=True)

    def remove(self, upload: Upload) -> None:
        """Forget it."""
        for suffix in ("part", "json"):
            self._file(upload.version, suffix).unlink(missing_ok=True)

    def clear(self, oldest: float) -> int:
        """Remove uploads untouched since `oldest`; how many."""
        stale = [path for path in self._folder.glob("*.json") if path.stat().st_mtime < oldest]
        for path in stale:
            path.with_suffix(".part").unlink(missing_ok=True)
            path.unlink(missing_ok=True)
        return len(stale)

    @contextmanager
    def alone(self, upload_id: UploadId) -> Iterator[None]:
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

    async def append(
        self, upload: Upload, chunks: AsyncIterable[bytes], limit: int, checksum: Checksum | None = None
    ) -> int:
        """Add what comes, up to `limit` bytes in all; the new offset. What came before a break stays.

        Raises TusError when more comes, or something else than the checksum says: then nothing of it stays.
        """
        start = offset = self.offset(upload)
        digest = hashlib.new(checksum.algorithm if checksum else "md5", usedforsecurity=False)
        file = await asyncio.to_thread(self._file(upload.version, "part").open, "ab", 0)
        try:
            async for block in _blocks(chunks):
                if offset + len(block) > limit:
                    raise TusError(413, EXCEEDED)
                await asyncio.to_thread(_write_whole, file, block)
                if checksum is not None:
                    await asyncio.to_thread(digest.update, block)
                offset += len(block)
            if checksum is not None:
                checksum.require(digest.digest())
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


def _lock(descriptor: int) -> None:
    """Raises TusError while another has it; closing gives it back."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise TusError(423, "The resource is locked") from None


def _write_whole(file: IO[bytes], block: bytes) -> None:
    """Write all of it: where the disk is nearly full, one call writes what still fits and says no more than how much.
    Raises OSError."""
    left = memoryview(block)
    while left:
        left = left[file.write(left) :]


async def _blocks(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in fewer pieces; what is there when the source breaks off still comes."""
    block = bytearray()
    try:
        async for chunk in chunks:
            block += chunk
            if len(block) >= BLOCK:
                yield bytes(block)
                block.clear()
    except ConnectionAbortedError:
        pass
    if block:
        yield bytes(block)
