"""Uploads under way in the store of the files, where every node goes on with them.

`.uploads/<version>/state` says what it is, `.uploads/<version>/<first byte, 20 digits>` is a piece of what came. The
pieces that follow each other from 0 on are what has arrived. A piece is created, never replaced: of two that write at
one offset, on whatever nodes, one is told of a conflict.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Final

from minato.storage.backend.base import UUID
from minato.storage.backend.namespace import Namespace
from minato.storage.tus.headers import Checksum, TusError
from minato.storage.tus.uploads import (
    CONFLICT,
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

# A dot, which no bucket's folder has: the sweep of files without a row does not see these.
ROOT: Final = ".uploads"
# In memory while it comes.
PIECE: Final = 5 * 1024 * 1024
# More than the headers of a request may have.
LONGEST_STATE: Final = 1024 * 1024
_OURS: Final = re.compile(rf"{re.escape(ROOT)}/([0-9a-f]{{2}}{UUID})/(?:state|[0-9]{{20}})", re.ASCII)
_PIECE_NAME: Final = re.compile(r"[0-9]{20}", re.ASCII)
Turn = Callable[[str], AbstractAsyncContextManager[bool]]


class StoredUploads:
    """`Uploads` below `files`. A `turn` says whether it is the caller's alone, on all nodes, until its block ends."""

    shared = True

    def __init__(self, files: Namespace, turn: Turn) -> None:
        self._files = files
        self._turn = turn
        self._written: set[str] = set()

    async def find(self, upload_id: UploadId, oldest: float) -> Upload:
        """The upload, if it began after `oldest`. Raises TusError."""
        try:
            chunks = await self._files.read(_state(upload_id.version), 0, LONGEST_STATE)
            record = b"".join([chunk async for chunk in chunks])
        except FileNotFoundError:
            raise TusError(404, NOT_FOUND) from None
        return unpack(record, upload_id, oldest)

    async def offset(self, upload: Upload) -> int:
        """Bytes that have arrived. Looked for behind what the upload says, which is told afterwards."""
        if upload.finished:
            upload.arrived = upload.length or 0
            return upload.arrived
        for start, size in await self._pieces(upload, upload.arrived):
            upload.arrived = start + size
        return upload.arrived

    async def save(self, upload: Upload) -> None:
        """Record it, and how much is known to have arrived. The pieces of a finished one go afterwards."""
        await self._files.write(_state(upload.version), _once(pack(upload)))
        if upload.finished:
            await self._files.delete(await self._paths(upload, but=_state(upload.version)))

    async def remove(self, upload: Upload) -> None:
        """Forget it. The state goes first: what a crash leaves is found by nobody, and cleared one day."""
        await self._files.delete([_state(upload.version)])
        await self._files.delete(await self._paths(upload))

    async def clear(self, oldest: float) -> int:
        """Remove uploads untouched since `oldest`; how many. Who came before `oldest` is refused already by `find`."""
        newest: dict[str, float] = {}
        paths: dict[str, list[str]] = {}
        async for batch in self._files.entries(ROOT):
            for entry in batch:
                found = _OURS.fullmatch(entry.path)
                if found is None:
                    # Somebody else's, where we have no namespace of our own.
                    continue
                version = found[1]
                newest[version] = max(newest.get(version, 0.0), entry.modified.timestamp())
                paths.setdefault(version, []).append(entry.path)
        stale = [version for version, touched in newest.items() if touched < oldest]
        for version in stale:
            await self._files.delete(paths[version])
        return len(stale)

    @asynccontextmanager
    async def alone(self, upload_id: UploadId) -> AsyncIterator[None]:
        """Keep other writers in this process out. Those of others meet at the pieces. Raises TusError."""
        if upload_id.version in self._written:
            raise TusError(423, LOCKED)
        self._written.add(upload_id.version)
        try:
            yield
        finally:
            self._written.discard(upload_id.version)

    @asynccontextmanager
    async def finishing(self, upload_id: UploadId) -> AsyncIterator[None]:
        """Be the only one of all nodes that puts the file together. Raises TusError when another is."""
        async with self._turn(f"minato upload {upload_id.version}") as mine:
            if not mine:
                raise TusError(423, LOCKED)
            yield

    async def append(
        self, upload: Upload, chunks: AsyncIterable[bytes], limit: int, checksum: Checksum | None = None
    ) -> int:
        """Add what comes behind `upload.arrived`, up to `limit` bytes in all; the new offset, told there, too.

        What came before a break is a piece. Raises TusError when another wrote there first, and when more comes, or
        something else than the checksum says: then nothing of it stays.
        """
        offset, proof, written = upload.arrived, Proof(checksum), list[str]()
        try:
            async for piece in in_blocks(chunks, PIECE):
                if offset + len(piece) > limit:
                    raise TusError(413, EXCEEDED)
                await self._create(path := _piece(upload.version, offset), piece)
                written.append(path)
                proof.take(piece)
                offset += len(piece)
            proof.require()
        except TusError as error:
            if error.body != CONFLICT or checksum is not None:
                await self._take_back(written)
            raise
        upload.arrived = offset
        return offset

    async def read(self, upload: Upload) -> AsyncIterator[bytes]:
        """All that has arrived. Raises TusError when something of it is gone again: then `offset` begins anew."""
        pieces = await self._pieces(upload, 0)
        if sum(size for _, size in pieces) != upload.arrived:
            await self._look_anew(upload)
            raise TusError(409, CONFLICT)
        for start, size in pieces:
            async for chunk in await self._files.read(_piece(upload.version, start), 0, size):
                yield chunk

    async def _look_anew(self, upload: Upload) -> None:
        """Two wrote behind each other, and the bytes of the first were refused at the end: not all that was known to
        have arrived is there. That of a finished one is gone as it should."""
        known = await self.find(upload.id, 0)
        if not known.finished:
            await self.save(replace(known, arrived=0))

    async def _create(self, path: str, piece: bytes) -> None:
        try:
            await self._files.create(path, piece)
        except FileExistsError:
            raise TusError(409, CONFLICT) from None

    async def _take_back(self, paths: list[str]) -> None:
        """The last first: what a crash leaves ends earlier, and has no hole that is filled with others' bytes."""
        for path in reversed(paths):
            await self._files.delete([path])

    async def _pieces(self, upload: Upload, begin: int) -> list[tuple[int, int]]:
        """Start and size of the pieces that follow each other from the byte `begin` on."""
        folder = f"{ROOT}/{upload.version}"
        after = f"{folder}/{begin - 1:020}" if begin else ""
        found: dict[int, int] = {}
        async for batch in self._files.entries(folder, after):
            names = [(entry.path.rpartition("/")[2], entry.size) for entry in batch]
            found |= {int(name): size for name, size in names if _PIECE_NAME.fullmatch(name)}
        pieces, end = [], begin
        while size := found.get(end):
            pieces.append((end, size))
            end += size
        return pieces

    async def _paths(self, upload: Upload, but: str = "") -> list[str]:
        entries = self._files.entries(f"{ROOT}/{upload.version}")
        return [entry.path async for batch in entries for entry in batch if entry.path != but]


def _state(version: str) -> str:
    return f"{ROOT}/{version}/state"


def _piece(version: str, start: int) -> str:
    return f"{ROOT}/{version}/{start:020}"


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
