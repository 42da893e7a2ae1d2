"""A resumable upload is one upload on whichever node its requests end up, where the nodes share a store of files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress
from minato.storage import housekeeping
from minato.storage.housekeeping import Housekeeping
from minato.storage.installation import MARKER
from minato.storage.tus.upload_store import PIECE
from minato.storage.tus.uploads import parse_upload_id
from sqlalchemy.exc import DBAPIError

from tests.integration.storage.conftest import Storage
from tests.integration.storage.test_resumable import STREAM, TUS, append, create, offset, pieces
from tests.support.server import running, settings_for
from tests.support.waiting import PATIENCE

CONTENT = bytes(range(251)) * 60_000


@asynccontextmanager
async def node(address: DatabaseAddress, data_dir: Path, s3_url: str) -> AsyncIterator[Storage]:
    """One server more on the same database and store."""
    async with running(address, settings_for(data_dir, storage=StorageSettings(url=s3_url))) as server:
        yield Storage(server)


@pytest.fixture
async def nodes(address: DatabaseAddress, tmp_path: Path, s3_url: str) -> AsyncIterator[tuple[Storage, Storage]]:
    """Two of them."""
    async with (
        node(address, tmp_path / "one", s3_url) as one,
        node(address, tmp_path / "two", s3_url) as two,
    ):
        yield one, two


@asynccontextmanager
async def clients(one: Storage, two: Storage) -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
    async with one.service() as first, two.service() as second:
        yield first, second


async def begun(client: httpx.AsyncClient, bucket: str, length: int, key: str = "k") -> str:
    """The upload's path, which is the same everywhere."""
    created = await create(client, bucket, key, length)
    assert created.status_code == 201, created.text
    return str(created.headers["location"]).partition("/storage/v1")[2]


def version(url: str) -> str:
    return parse_upload_id(url.rpartition("/")[2]).version


async def left(storage: Storage) -> list[str]:
    """What lies in the store of uploads under way."""
    entries = storage.room.services.files.entries(".uploads")
    return [entry.path async for batch in entries for entry in batch]


async def test_an_upload_goes_on_at_another_node_and_is_finished_at_the_first(nodes: tuple[Storage, Storage]) -> None:
    one, two = nodes
    bucket, third = await one.bucket(), len(CONTENT) // 3
    async with clients(one, two) as (first, second):
        url = await begun(first, bucket, len(CONTENT))
        assert (await append(second, url, 0, CONTENT[:third])).headers["upload-offset"] == str(third)
        assert await offset(first, url) == str(third)
        assert (await append(second, url, third, CONTENT[third : 2 * third])).status_code == 204
        assert await one.orphans() == await two.orphans() == 0
        last = await append(first, url, 2 * third, CONTENT[2 * third :])
        assert last.headers.get("tus-complete") == "1"
        assert (await second.get(f"/object/{bucket}/k")).content == CONTENT
        assert await offset(second, url) == str(len(CONTENT))
        stopped = await second.delete(url, headers=TUS)
    assert (stopped.status_code, stopped.text) == (400, "Cannot terminate an already completed upload")
    assert await left(one) == [f".uploads/{version(url)}/state"]
    assert await one.orphans() == 0


async def test_of_two_nodes_that_write_at_one_offset_one_is_told_of_a_conflict(nodes: tuple[Storage, Storage]) -> None:
    one, two = nodes
    bucket, go = await one.bucket(), asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b"a" * PIECE
        await go.wait()
        yield b"slow"

    async with clients(one, two) as (first, second):
        url = await begun(first, bucket, PIECE + 5)
        headers = {**STREAM, "upload-offset": "0"}
        slow = asyncio.create_task(first.patch(url, content=slowly(), headers=headers))
        async with asyncio.timeout(PATIENCE):
            while await offset(second, url) != str(PIECE):  # noqa: ASYNC110 - what is waited for rings no bell
                await asyncio.sleep(0.01)
        again = await append(first, url, PIECE, b"other")
        assert (again.status_code, again.text) == (423, "The resource is locked")
        assert (await append(second, url, PIECE, b"quic")).headers["upload-offset"] == str(PIECE + 4)
        go.set()
        refused = await slow
        assert (refused.status_code, refused.text) == (409, "Upload-Offset conflict\n")
        assert (await append(first, url, PIECE + 4, b"k")).headers.get("tus-complete") == "1"
        assert (await first.get(f"/object/{bucket}/k")).content == b"a" * PIECE + b"quick"
        both = await begun(first, bucket, 9, "other")
        answers = await asyncio.gather(*(append(client, both, 0, b"abc") for client in (first, second)))
    assert sorted(answer.status_code for answer in answers) == [204, 409]


async def test_a_node_that_is_gone_takes_no_upload_with_it(
    address: DatabaseAddress, tmp_path: Path, s3_url: str
) -> None:
    async with node(address, tmp_path / "one", s3_url) as one, one.service() as first:
        bucket = await one.bucket()
        url = await begun(first, bucket, len(CONTENT))
        assert (await append(first, url, 0, CONTENT[: PIECE + 1])).status_code == 204
    async with node(address, tmp_path / "two", s3_url) as two, two.service() as second:
        assert await offset(second, url) == str(PIECE + 1)
        assert (await append(second, url, PIECE + 1, CONTENT[PIECE + 1 :])).headers.get("tus-complete") == "1"
        assert (await second.get(f"/object/{bucket}/k")).content == CONTENT


async def test_one_node_at_a_time_makes_the_object_and_its_death_lets_another(nodes: tuple[Storage, Storage]) -> None:
    one, two = nodes
    bucket = await one.bucket()
    async with clients(one, two) as (first, second):
        url = await begun(first, bucket, 6)
        with pytest.raises(DBAPIError):
            await finishing(one, version(url), refused_meanwhile(two, second, url))
        assert (await second.get(f"/object/{bucket}/k")).status_code == 400
        assert await offset(second, url) == "6"
        assert (await second.get(f"/object/{bucket}/k")).content == b"abcdef"


async def finishing(storage: Storage, version: str, meanwhile: Awaitable[None]) -> None:
    """As if this node were just making the object."""
    async with storage.room.services.transactions.turn(f"minato upload {version}") as mine:
        assert mine
        await meanwhile


async def refused_meanwhile(storage: Storage, client: httpx.AsyncClient, url: str) -> None:
    """What this node is told while the other makes the object, which dies at the end."""
    last = await append(client, url, 0, b"abcdef")
    for refused in (last, await client.delete(url, headers=TUS)):
        assert (refused.status_code, refused.text) == (423, "The resource is locked")
    assert (await client.head(url, headers=TUS)).status_code == 423
    await storage.minato.db.execute("""
        select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'
        and pid in (select pid from pg_locks where locktype = 'advisory' and granted)
    """)


async def test_both_nodes_find_a_whole_upload_unfinished_and_make_one_object(nodes: tuple[Storage, Storage]) -> None:
    one, two = nodes
    bucket, services = await one.bucket(), one.room.services
    async with clients(one, two) as (first, second):
        url = await begun(first, bucket, len(CONTENT))
        upload = await services.uploads.find(parse_upload_id(url.rpartition("/")[2]), 0)
        await services.uploads.append(upload, pieces(CONTENT), len(CONTENT))
        answers = await asyncio.gather(*(client.head(url, headers=TUS) for client in (first, second)))
        assert {answer.status_code for answer in answers} <= {200, 423}
        assert await offset(second, url) == str(len(CONTENT))
        assert (await first.get(f"/object/{bucket}/k")).content == CONTENT
    assert await one.orphans() == 0


async def test_what_took_too_long_is_refused_and_cleared_by_any_node(
    nodes: tuple[Storage, Storage], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = nodes
    bucket = await one.bucket()
    await two.room.house.looked.wait()
    async with clients(one, two) as (first, second):
        url = await begun(first, bucket, 6)
        await append(first, url, 0, b"abc")
        assert len(await left(two)) == 2
        two.minato.backend.clock.advance(timedelta(days=2))
        late = await append(second, url, 3, b"def")
        assert (late.status_code, late.text) == (410, "The file for this url no longer exists\n")
        monkeypatch.setattr(housekeeping, "RENEW_SECONDS", 0.01)
        house = Housekeeping(two.room.services, two.minato.backend.supervisor)
        house.start()
        try:
            async with asyncio.timeout(PATIENCE):
                while await left(one):  # noqa: ASYNC110 - what is waited for rings no bell
                    await asyncio.sleep(0.01)
        finally:
            await house.stop()
        assert (await append(first, url, 3, b"def")).status_code == 404


async def test_whose_files_they_are_not_clears_no_uploads_beside_them(nodes: tuple[Storage, Storage]) -> None:
    one, two = nodes
    await two.room.house.looked.wait()
    async with one.service() as first:
        await begun(first, await one.bucket(), 6)
    await two.room.services.files.write(MARKER, pieces(b'{"installation": "another"}'))
    two.minato.backend.clock.advance(timedelta(days=2))
    house = Housekeeping(two.room.services, two.minato.backend.supervisor)
    house.start()
    try:
        await house.looked.wait()
        assert len(await left(one)) == 1
    finally:
        await house.stop()
