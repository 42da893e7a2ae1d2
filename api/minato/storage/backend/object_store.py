"""Files through obstore: a local folder, S3, Google Cloud Storage or Azure by URL."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import sys
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal
from urllib.parse import parse_qsl

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotSupportedError
from obstore.store import LocalStore, ObjectStore, from_url

from minato.storage.backend import disk
from minato.storage.backend.base import FileBackend, StoredFile, is_version

if TYPE_CHECKING:
    from obstore.store import ClientConfig

# S3 refuses parts under 5 MiB; two of them at once bound the memory of an upload.
PART = 5 * 1024 * 1024
PARTS_AT_ONCE = 2
SMALL = 1024 * 1024
READ_CHUNK = 1024 * 1024
AT_ONCE = 64 * 1024
# A disk syncs the files of many at once as fast as that of one; the loop's own threads are few, and others need them.
WRITING_THREADS = 16
# How long a download may take is the client's affair: only a store that says nothing is given up.
DOWNLOAD = timedelta(days=1)
# What a store answers that knows no conditional writes, in the text of an error: there is no class for it.
UNKNOWN = re.compile(r"\b501 Not Implemented\b|<Code>NotImplemented</Code>")
MISSING_ACCOUNT = "Account must be specified"
FULL = re.compile(rf"\(os error ({errno.ENOSPC}|{errno.EDQUOT})\)")


class UnusableStore(ValueError):
    """`STORAGE_URL` names a store that can't be asked as it stands; the sentence says why."""


@dataclass(frozen=True)
class Patience:
    """How long a remote store may say nothing, and how long a call that failed is tried again."""

    silence: timedelta = timedelta(seconds=30)
    retries: timedelta = timedelta(seconds=20)


class ObjectStoreBackend:
    """Any store of obstore."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._tells_existing = True

    async def write(self, path: str, chunks: AsyncIterable[bytes]) -> None:
        source = aiter(chunks)
        head, ended = await _read_head(source)
        await (self._write_whole(path, head) if ended else self._write_parts(path, _Stream(head, source)))

    async def _write_whole(self, path: str, content: bytes) -> None:
        await obstore.put_async(self._store, path, content, use_multipart=False)

    async def _write_parts(self, path: str, stream: _Stream) -> None:
        try:
            await obstore.put_async(
                self._store, path, stream.parts(), use_multipart=True, chunk_size=PART, max_concurrency=PARTS_AT_ONCE
            )
        except Exception:
            if stream.failure is not None:
                raise stream.failure from None
            raise

    async def create(self, path: str, content: bytes) -> None:
        mode: Literal["create", "overwrite"] = "create" if self._tells_existing else "overwrite"
        try:
            await obstore.put_async(self._store, path, content, mode=mode, use_multipart=False)
        except AlreadyExistsError:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path) from None
        except (BaseError, NotImplementedError) as error:
            if mode == "overwrite" or not _means_unknown(error):
                raise
            self._tells_existing = False
            await self.create(path, content)

    async def read(self, path: str, start: int, stop: int) -> AsyncIterator[bytes]:
        return self._resumed(path, await self._open(path, start, stop), start, stop)

    async def _open(self, path: str, start: int, stop: int) -> AsyncIterable[Any]:
        found = await obstore.get_async(self._store, path, options={"range": (start, stop)} if stop > start else None)
        return found.stream(min_chunk_size=READ_CHUNK)

    async def _resumed(self, path: str, stream: AsyncIterable[Any], place: int, stop: int) -> AsyncIterator[bytes]:
        """The bytes, read on from where a connection broke; given up when one brought nothing."""
        while True:
            begun = place
            try:
                async for chunk in stream:
                    place += len(chunk)
                    yield bytes(chunk)
                return
            except BaseError:
                if place == begun or place >= stop:
                    raise
            stream = await self._open(path, place, stop)

    async def copy(self, source: str, target: str) -> None:
        await obstore.copy_async(self._store, source, target)

    async def delete(self, paths: list[str]) -> None:
        try:
            await obstore.delete_async(self._store, paths)
        except FileNotFoundError:
            for path in paths if len(paths) > 1 else ():
                await self.delete([path])

    async def list(self, prefix: str, after: str = "") -> AsyncIterator[list[StoredFile]]:
        async for batch in obstore.list(self._store, prefix=prefix or None, offset=after or None, chunk_size=500):
            yield [StoredFile(entry["path"], entry["last_modified"], entry["size"]) for entry in batch]

    async def clear_partial(self, prefix: str, before: datetime) -> None:
        """Object stores end abandoned uploads by a rule of their own bucket: docs/scaling.md."""

    def close(self) -> None:
        """obstore's threads are its own affair."""


class LocalBackend(ObjectStoreBackend):
    """A local folder. Small files are written here, large ones by obstore, whose file the disk is then made to have."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        super().__init__(LocalStore(folder))
        self._folder = folder
        self._threads = ThreadPoolExecutor(WRITING_THREADS, "disk")

    async def _write_whole(self, path: str, content: bytes) -> None:
        write = disk.write_new if is_version(path) else disk.replace
        await self._work(write, f"{self._folder}/{path}", content)

    async def _write_parts(self, path: str, stream: _Stream) -> None:
        await self._work(disk.make_private, f"{self._folder}/{path}".rpartition("/")[0])
        with _full_disk_told():
            await super()._write_parts(path, stream)
        await self._work(disk.settle, f"{self._folder}/{path}")

    async def read(self, path: str, start: int, stop: int) -> AsyncIterator[bytes]:
        name, length = f"{self._folder}/{path}", stop - start
        if length <= AT_ONCE and (content := _read_cached(name, start, length)) is not None:
            return _pieces(content, None, 0)
        # obstore reads local files in pieces of 8 KiB, each by a thread of its own: a sixth of the speed.
        head, file = await asyncio.to_thread(_begin_reading, name, start, length)
        return _pieces(head, file, length - len(head))

    async def copy(self, source: str, target: str) -> None:
        await self._work(disk.make_private, f"{self._folder}/{target}".rpartition("/")[0])
        with _full_disk_told():
            await super().copy(source, target)
        await self._work(disk.settle, f"{self._folder}/{target}")

    async def delete(self, paths: list[str]) -> None:
        if len(paths) > 1:
            # obstore removes them without the interpreter; a thread of ours would wait for it after each.
            return await super().delete(paths)
        await self._work(disk.remove, [f"{self._folder}/{path}" for path in paths])

    async def clear_partial(self, prefix: str, before: datetime) -> None:
        await self._work(disk.clear, self._folder / prefix, before.timestamp())

    def close(self) -> None:
        self._threads.shutdown(wait=False)

    def _work(self, work: Callable[..., None], *arguments: object) -> asyncio.Future[None]:
        """What waits for the disk, in a thread that nothing else needs."""
        return asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)


def _means_unknown(error: Exception) -> bool:
    """Whether the store does not know how to create what must not be there."""
    return isinstance(error, NotImplementedError | NotSupportedError) or bool(UNKNOWN.search(str(error)))


def create_file_backend(url: str | None, data_dir: Path, patience: Patience = Patience()) -> FileBackend:
    """The backend at `url`, or the folder `storage` of the data folder."""
    if url is None:
        return LocalBackend(data_dir.absolute() / "storage")
    if is_remote(url):
        return ObjectStoreBackend(_remote_store(url, patience))
    return LocalBackend(Path(url.removeprefix("file://")))


def is_remote(url: str | None) -> bool:
    """Whether `create_file_backend` keeps the files where other nodes find them."""
    return url is not None and not url.startswith("file://")


def _remote_store(url: str, patience: Patience) -> ObjectStore:
    """A store by URL; credentials come from the environment (`AWS_ACCESS_KEY_ID`, …), never from the URL.

    For S3 the query may hold `endpoint` (another server than Amazon's) and `region`. Raises UnusableStore.
    """
    address, _, query = url.partition("?")
    options = dict(parse_qsl(query))
    config: Any = options
    client: ClientConfig = {
        "allow_http": options.get("endpoint", "").startswith("http://"),
        "timeout": DOWNLOAD,
        "read_timeout": patience.silence,
    }
    try:
        return from_url(
            address, config=config or None, client_options=client, retry_config={"retry_timeout": patience.retries}
        )
    except (BaseError, ValueError) as error:
        raise UnusableStore(_why_unusable(str(error))) from None


def _why_unusable(told: str) -> str:
    """obstore's first line as a sentence; what follows shows how it is made inside.

    >>> _why_unusable("Generic MicrosoftAzure error: Account must be specified\\n\\nDebug source:\\nGeneric {")
    'STORAGE_URL: account must be specified; AZURE_STORAGE_ACCOUNT_NAME names it.'
    """
    reason = told.partition("\n")[0].rpartition("error: ")[2].rstrip(".")
    advice = "; AZURE_STORAGE_ACCOUNT_NAME names it" if reason == MISSING_ACCOUNT else ""
    return f"STORAGE_URL: {reason[:1].lower()}{reason[1:]}{advice}."


class _Stream:
    """Carries the source's own exception past obstore, which would wrap it."""

    def __init__(self, head: bytes, source: AsyncIterator[bytes]) -> None:
        self._head = head
        self._source = source
        self.failure: Exception | None = None

    async def parts(self) -> AsyncIterator[bytes]:
        yield self._head
        try:
            async for chunk in self._source:
                yield chunk
        except Exception as error:
            self.failure = error
            raise


async def _read_head(source: AsyncIterator[bytes]) -> tuple[bytes, bool]:
    """The first bytes, and whether they are all: a small file is stored in one call."""
    head = bytearray()
    async for chunk in source:
        head += chunk
        if len(head) > SMALL:
            return bytes(head), False
    return bytes(head), True


def _read_cached(path: str, start: int, length: int) -> bytes | None:
    """The bytes if they are in memory; None when the disk would have to be waited for, or can't be asked about that."""
    if sys.platform != "linux":
        return None
    content = bytearray(length)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        read = os.preadv(descriptor, [content], start, os.RWF_NOWAIT)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return bytes(content) if read == length else None


def _begin_reading(path: str, start: int, length: int) -> tuple[bytes, BinaryIO | None]:
    """The first piece, and the open file unless that was all."""
    file = open(path, "rb")
    file.seek(start)
    head = file.read(min(length, READ_CHUNK))
    if len(head) < length:
        return head, file
    file.close()
    return head, None


async def _pieces(head: bytes, file: BinaryIO | None, left: int) -> AsyncIterator[bytes]:
    """The first piece and the `left` bytes behind it."""
    if file is None:
        yield head
        return
    with file:
        yield head
        while left > 0 and (piece := await asyncio.to_thread(file.read, min(left, READ_CHUNK))):
            left -= len(piece)
            yield piece


@contextmanager
def _full_disk_told() -> Iterator[None]:
    """obstore says that the disk is full in the text of an error of its own."""
    try:
        yield
    except BaseError as error:
        if found := FULL.search(str(error)):
            raise OSError(int(found[1]), "no space left") from None
        raise
