"""Uploads under way, in a folder and in a store: whatever holds for one holds for the other."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from minato.storage.backend.namespace import Namespace
from minato.storage.backend.object_store import ObjectStoreBackend
from minato.storage.tus.headers import Checksum, TusError
from minato.storage.tus.upload_folder import UploadFolder
from minato.storage.tus.upload_store import PIECE, StoredUploads
from minato.storage.tus.uploads import Upload, UploadId, Uploads
from obstore.store import LocalStore, MemoryStore, ObjectStore

Nodes = Callable[[], Uploads]


def stored(store: ObjectStore) -> StoredUploads:
    """What one node sees of those in the store. Each finishes in its turn: the lock is a database's."""

    async def prefix() -> str:
        return "mine"

    @asynccontextmanager
    async def turn(name: str) -> AsyncIterator[bool]:
        yield True

    return StoredUploads(Namespace(ObjectStoreBackend(store), prefix), turn)


@pytest.fixture(params=["folder", "store in memory", "store on disk"])
def node(request: pytest.FixtureRequest, tmp_path: Path) -> Nodes:
    """Each call is another server's view of the same uploads."""
    if request.param == "folder":
        return lambda: UploadFolder(tmp_path)
    store = MemoryStore() if request.param == "store in memory" else LocalStore(tmp_path)
    return lambda: stored(store)


def begun(length: int | None = None) -> Upload:
    return Upload("cars", "a/b.jpg", str(uuid4()), length, "name YQ==", datetime.now(UTC).timestamp())


async def sent(*chunks: bytes, breaks: bool = False) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
    if breaks:
        raise ConnectionAbortedError


async def content(uploads: Uploads, upload: Upload) -> bytes:
    return b"".join([chunk async for chunk in uploads.read(upload)])


async def test_another_node_goes_on_where_the_first_was(node: Nodes) -> None:
    upload, large = begun(2 * PIECE + 10), bytes(range(256)) * (PIECE // 256)
    first, second = node(), node()
    await first.save(upload)
    assert await first.append(upload, sent(large, b"0123"), 3 * PIECE) == PIECE + 4
    found = await second.find(upload.id, 0)
    assert await second.offset(found) == PIECE + 4
    await second.save(found)
    assert await second.append(found, sent(large, b"456789"), 3 * PIECE) == 2 * PIECE + 10
    again = await first.find(upload.id, 0)
    assert await first.offset(again) == 2 * PIECE + 10
    assert await content(first, again) == large + b"0123" + large + b"456789"


async def test_what_came_before_the_line_broke_stays(node: Nodes) -> None:
    uploads, upload = node(), begun(10)
    await uploads.save(upload)
    assert await uploads.append(upload, sent(b"abc", b"def", breaks=True), 10) == 6
    assert await uploads.append(upload, sent(), 10) == 6
    assert await uploads.append(upload, sent(breaks=True), 10) == 6
    assert await content(uploads, upload) == b"abcdef"


async def test_what_is_refused_leaves_nothing_of_itself(node: Nodes) -> None:
    uploads, upload = node(), begun()
    await uploads.save(upload)
    await uploads.append(upload, sent(b"abc"), 2 * PIECE)
    with pytest.raises(TusError) as too_much:
        await uploads.append(upload, sent(b"x" * PIECE, b"x" * PIECE), 2 * PIECE)
    wrong = Checksum("sha256", hashlib.sha256(b"something else").digest())
    with pytest.raises(TusError) as other:
        await uploads.append(upload, sent(b"x" * PIECE, b"y"), 2 * PIECE, wrong)
    assert (too_much.value.status, other.value.status) == (413, 460)
    found = await node().find(upload.id, 0)
    assert await uploads.offset(found) == 3
    right = Checksum("sha256", hashlib.sha256(b"def").digest())
    assert await uploads.append(found, sent(b"def"), 2 * PIECE, right) == 6
    assert await content(uploads, found) == b"abcdef"


async def test_an_upload_is_found_by_its_whole_id_until_it_is_too_old_or_forgotten(node: Nodes) -> None:
    uploads, upload = node(), begun(3)
    await uploads.save(upload)
    assert await node().find(upload.id, upload.created) == upload
    cases = [(upload.id, upload.created + 1, 410), (UploadId("cars", "other", upload.version), 0.0, 404)]
    await uploads.append(upload, sent(b"abc"), 3)
    for upload_id, oldest, status in cases:
        with pytest.raises(TusError) as refused:
            await uploads.find(upload_id, oldest)
        assert refused.value.status == status
    await uploads.remove(upload)
    with pytest.raises(TusError, match="not found"):
        await node().find(upload.id, 0)
    await uploads.remove(upload)


async def test_a_finished_one_is_remembered_and_its_bytes_are_not(node: Nodes) -> None:
    uploads, upload = node(), begun(3)
    await uploads.save(upload)
    await uploads.append(upload, sent(b"abc"), 3)
    await uploads.save(replace(upload, finished=True))
    found = await node().find(upload.id, 0)
    assert (found.finished, await uploads.offset(found)) == (True, 3)
    assert await uploads.append(found, sent(), 3) == 3


async def test_only_what_nobody_touched_is_cleared(node: Nodes) -> None:
    uploads, old, young = node(), begun(3), begun(3)
    await uploads.save(old)
    await uploads.append(old, sent(b"abc"), 3)
    assert await uploads.clear(datetime.now(UTC).timestamp() - 60) == 0
    # A folder's times are the disk's.
    later = datetime.now(UTC).timestamp() + 0.05
    await asyncio.sleep(0.1)
    await uploads.save(young)
    assert await uploads.clear(later) == 1
    assert await uploads.offset(await uploads.find(young.id, 0)) == 0
    with pytest.raises(TusError, match="not found"):
        await uploads.find(old.id, 0)


async def test_a_node_writes_an_upload_by_one_request_at_a_time(node: Nodes) -> None:
    uploads, upload = node(), begun(3)
    await uploads.save(upload)
    async with uploads.alone(upload.id):
        with pytest.raises(TusError, match="locked"):
            await uploads.alone(upload.id).__aenter__()
    async with uploads.alone(upload.id), uploads.finishing(upload.id):
        pass
