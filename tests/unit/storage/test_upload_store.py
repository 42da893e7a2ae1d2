"""Uploads in a store: of two that write at one offset one wins, and what is left lying is found by nobody."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import obstore
import pytest
from minato.storage.backend.namespace import Namespace
from minato.storage.backend.object_store import ObjectStoreBackend
from minato.storage.tus.headers import Checksum, TusError
from minato.storage.tus.upload_store import PIECE, StoredUploads
from minato.storage.tus.uploads import Upload
from obstore.store import MemoryStore

from tests.unit.storage.test_uploads import begun, content, sent, stored


async def shown(store: MemoryStore) -> list[tuple[str, int]]:
    """What lies there: its name and how large it is."""
    return sorted(
        [(one["path"].rpartition("/")[2], one["size"]) async for batch in obstore.list(store) for one in batch]
    )


def pieces(*sizes: int) -> list[tuple[str, int]]:
    """What is shown of pieces that follow each other."""
    return [(f"{sum(sizes[:place]):020}", size) for place, size in enumerate(sizes)]


async def test_of_two_that_write_at_one_offset_one_is_told_of_a_conflict() -> None:
    store, upload = MemoryStore(), begun(6)
    nodes = [stored(store) for _ in range(5)]
    await nodes[0].save(upload)
    views = [await node.find(upload.id, 0) for node in nodes]
    written = await asyncio.gather(
        *(
            node.append(view, sent(str(n).encode() * 3), 6)
            for n, (node, view) in enumerate(zip(nodes, views, strict=True))
        ),
        return_exceptions=True,
    )
    refused = [one for one in written if isinstance(one, TusError)]
    assert written.count(3) == 1
    assert {(one.status, one.body) for one in refused} == {(409, "Upload-Offset conflict\n")}
    assert len(refused) == 4
    winner = written.index(3)
    assert await nodes[0].offset(upload) == 3
    assert await content(nodes[0], upload) == str(winner).encode() * 3


async def test_who_comes_too_late_keeps_what_was_written_before() -> None:
    store, upload = MemoryStore(), begun()
    slow, quick = stored(store), stored(store)
    await slow.save(upload)
    other = await quick.find(upload.id, 0)

    async def interrupted() -> AsyncIterator[bytes]:
        yield b"a" * PIECE
        assert await quick.offset(other) == PIECE
        await quick.append(other, sent(b"quick"), 3 * PIECE)
        yield b"slow"

    with pytest.raises(TusError, match="conflict"):
        await slow.append(upload, interrupted(), 3 * PIECE)
    assert await slow.offset(upload) == PIECE + 5
    assert await content(slow, upload) == b"a" * PIECE + b"quick"


async def test_bytes_that_go_again_below_those_of_another_are_asked_for_anew() -> None:
    store, upload = MemoryStore(), begun()
    first, second = stored(store), stored(store)
    await first.save(upload)
    other = await second.find(upload.id, 0)

    async def interrupted() -> AsyncIterator[bytes]:
        yield b"a" * PIECE
        assert await second.offset(other) == PIECE
        await second.save(other)
        await second.append(other, sent(b"quick"), 3 * PIECE)
        yield b"slow"

    wrong = Checksum("md5", hashlib.md5(b"other", usedforsecurity=False).digest())
    with pytest.raises(TusError, match="conflict"):
        await first.append(upload, interrupted(), 3 * PIECE, wrong)
    with pytest.raises(TusError, match="conflict"):
        await content(second, other)
    again = await first.find(upload.id, 0)
    assert await first.offset(again) == 0
    await first.append(again, sent(b"b" * PIECE), 3 * PIECE)
    assert await first.offset(again) == PIECE + 5
    assert await content(first, again) == b"b" * PIECE + b"quick"


async def test_a_listing_begins_behind_what_is_known_and_pieces_hold_no_more_than_they_should() -> None:
    store, upload = MemoryStore(), begun(2 * PIECE + 1)
    uploads = stored(store)
    await uploads.save(upload)
    await uploads.append(upload, sent(b"a" * (PIECE + 1)), 2 * PIECE + 1)
    await uploads.append(upload, sent(b"b" * PIECE), 2 * PIECE + 1)
    assert [one for one in await shown(store) if one[0] != "state"] == pieces(PIECE, 1, PIECE)
    await uploads.save(upload)
    # What is known is not looked for: without the first piece it is still so.
    await obstore.delete_async(store, f"mine/.uploads/{upload.version}/{0:020}")
    found = await uploads.find(upload.id, 0)
    assert (found.arrived, await uploads.offset(found)) == (2 * PIECE + 1, 2 * PIECE + 1)


async def test_nothing_is_left_of_an_upload_but_what_says_that_it_is_done() -> None:
    store, upload = MemoryStore(), begun(3)
    uploads = stored(store)
    await uploads.save(upload)
    await uploads.append(upload, sent(b"abc"), 3)
    upload.finished = True
    await uploads.save(upload)
    assert [name for name, _ in await shown(store)] == ["state"]
    await uploads.remove(upload)
    assert await shown(store) == []


async def test_pieces_without_a_state_are_cleared_in_time() -> None:
    store, upload = MemoryStore(), begun(3)
    uploads = stored(store)
    await uploads.append(upload, sent(b"abc"), 3)
    assert await uploads.clear(upload.created - 60) == 0
    assert await uploads.clear(upload.created + 60) == 1
    assert await shown(store) == []


async def test_what_somebody_else_keeps_in_a_folder_of_the_same_name_is_not_cleared() -> None:
    """An installation of before there were namespaces has none of its own in its bucket."""
    store, upload = MemoryStore(), begun(3)
    folder = f".uploads/{upload.version}"
    theirs = [".uploads/readme.txt", ".uploads/2020/state", f"{folder}/photo.jpg", f"{folder}/a/state"]
    for name in theirs:
        await obstore.put_async(store, f"mine/{name}", b"theirs")
    uploads = stored(store)
    await uploads.append(upload, sent(b"abc"), 3)
    assert await uploads.clear(upload.created + 60) == 1
    assert [name for name, _ in await shown(store)] == ["photo.jpg", "readme.txt", "state", "state"]


async def test_the_files_of_objects_are_not_uploads_nor_the_other_way_round() -> None:
    store, upload = MemoryStore(), begun(3)
    backend = ObjectStoreBackend(store)

    async def prefix() -> str:
        return ""

    files = Namespace(backend, prefix)
    uploads = StoredUploads(files, taken)
    await uploads.save(upload)
    await uploads.append(upload, sent(b"abc"), 3)
    own = f"cars/{upload.version[:2]}/{upload.version}"
    await files.write(own, sent(b"object"))
    assert [(one.path, one.size) async for batch in files.list() for one in batch] == [(own, 6)]
    await uploads.clear(upload.created + 60)
    assert await shown(store) == [(upload.version, 6)]


@asynccontextmanager
async def taken(name: str) -> AsyncIterator[bool]:
    yield False


async def test_who_is_not_the_only_one_may_not_finish() -> None:
    upload: Upload = begun(3)

    async def prefix() -> str:
        return ""

    uploads = StoredUploads(Namespace(ObjectStoreBackend(MemoryStore()), prefix), taken)
    with pytest.raises(TusError) as refused:
        await uploads.finishing(upload.id).__aenter__()
    assert (refused.value.status, refused.value.body) == (423, "The resource is locked")


async def test_who_reads_what_another_has_finished_meanwhile_leaves_it_finished() -> None:
    store, upload = MemoryStore(), begun(3)
    first, second = stored(store), stored(store)
    await first.save(upload)
    await first.append(upload, sent(b"abc"), 3)
    other = await second.find(upload.id, 0)
    assert await second.offset(other) == 3
    upload.finished = True
    await first.save(upload)
    with pytest.raises(TusError, match="conflict"):
        await content(second, other)
    assert (await second.find(upload.id, 0)).finished
