"""Uploads under way: what is known of one, and what a place that keeps them must do."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from typing import Protocol
from uuid import UUID

import orjson

from minato.storage.tus.headers import Checksum, TusError

GONE = "The file for this url no longer exists\n"
EXCEEDED = "upload's size exceeded\n"
NOT_FOUND = "The file for this url was not found\n"
CONFLICT = "Upload-Offset conflict\n"
LOCKED = "The resource is locked"


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
    """`length` is None while deferred; `owner` and `upsert` are those of whoever wrote last; times in epoch seconds.

    `arrived` is what was known to have arrived when a store of pieces was asked last; a folder does not need it.
    """

    bucket: str
    key: str
    version: str
    length: int | None
    metadata: str
    created: float
    owner: str | None = None
    upsert: bool = False
    finished: bool = False
    arrived: int = 0

    @property
    def id(self) -> UploadId:
        return UploadId(self.bucket, self.key, self.version)


class Uploads(Protocol):
    """Where uploads under way lie; all who serve from there may go on with them."""

    shared: bool
    """Whether other installations may keep theirs beside them."""

    async def find(self, upload_id: UploadId, oldest: float) -> Upload:
        """The upload, if it began after `oldest`. Raises TusError."""
        ...

    async def offset(self, upload: Upload) -> int:
        """Bytes that have arrived; noted in the upload, where that spares looking for them again."""
        ...

    async def save(self, upload: Upload) -> None:
        """Record it: a new one, or what changed. The bytes of a finished one go."""
        ...

    async def remove(self, upload: Upload) -> None:
        """Forget it."""
        ...

    async def clear(self, oldest: float) -> int:
        """Remove uploads untouched since `oldest`; how many."""
        ...

    def alone(self, upload_id: UploadId) -> AbstractAsyncContextManager[None]:
        """Keep other writers of the upload out, as far as can be known. Raises TusError when one is at work."""
        ...

    def finishing(self, upload_id: UploadId) -> AbstractAsyncContextManager[None]:
        """Within `alone`: be the only one of all nodes that puts the file together. Raises TusError when another is."""
        ...

    async def append(
        self, upload: Upload, chunks: AsyncIterable[bytes], limit: int, checksum: Checksum | None = None
    ) -> int:
        """Add what comes where `offset` said, up to `limit` bytes in all; the new offset.

        What came before a break stays. Raises TusError when another came first, and when more comes, or something else
        than the checksum says: then nothing of it stays.
        """
        ...

    def read(self, upload: Upload) -> AsyncIterator[bytes]:
        """All that has arrived."""
        ...


def pack(upload: Upload) -> bytes:
    """The record of an upload."""
    return orjson.dumps(asdict(upload))


def unpack(record: bytes, upload_id: UploadId, oldest: float) -> Upload:
    """The upload of a record. Raises TusError when it is another's, or began before `oldest`."""
    upload = Upload(**orjson.loads(record))
    if upload.id != upload_id:
        raise TusError(404, NOT_FOUND)
    if upload.created < oldest:
        raise TusError(410, GONE)
    return upload


class Proof:
    """Whether the bytes of a request are those its checksum tells; those of one without are."""

    def __init__(self, checksum: Checksum | None) -> None:
        self._checksum = checksum
        self._digest = None if checksum is None else hashlib.new(checksum.algorithm, usedforsecurity=False)

    def take(self, block: bytes) -> None:
        """The next bytes."""
        if self._digest is not None:
            self._digest.update(block)

    def require(self) -> None:
        """All have come. Raises TusError."""
        if self._checksum is not None and self._digest is not None:
            self._checksum.require(self._digest.digest())


async def in_blocks(chunks: AsyncIterable[bytes], size: int) -> AsyncIterator[bytes]:
    """The same bytes, `size` at a time; what is there when the source breaks off still comes."""
    block = bytearray()
    try:
        async for chunk in chunks:
            block += chunk
            while len(block) >= size:
                yield bytes(block[:size])
                del block[:size]
    except ConnectionAbortedError:
        pass
    if block:
        yield bytes(block)
