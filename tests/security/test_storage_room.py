"""A store that holds other things, or another installation's files, loses none of them, whatever the database knows."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress
from minato.storage.backend.base import file_path
from minato.storage.housekeeping import Housekeeping
from minato.storage.installation import COPIED, MARKER, Standing

from tests.integration.storage.conftest import Storage
from tests.support.command import run_minato, served
from tests.support.postgres import Cluster
from tests.support.server import running, settings_for
from tests.support.waiting import PATIENCE

OLD = 3 * 3600
FOREIGN = (
    "readme.txt",
    "holiday/2020/img.jpg",
    "a/ab/abc#1",
    "b/00/8f14e45f-ceea-4a67-9d3b-6d1c7a1e2b30",
    "minato/x.json",
)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder with things of somebody else's in it, older than any orphan need be."""
    folder = tmp_path / "store"
    for name in FOREIGN:
        place(folder / name)
    return folder


def place(file: Path) -> Path:
    """A file three hours old."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("mine")
    now = file.stat().st_mtime
    os.utime(file, (now - OLD, now - OLD))
    return file


def foreign_files(store: Path) -> list[str]:
    return [name for name in FOREIGN if (store / name).exists()]


@dataclass
class Installation:
    """A server on a store shared with others; what it does at its start has been done."""

    storage: Storage
    store: Path

    async def orphan(self) -> Path:
        """A file of its own shape and age, and without a row, in its own place."""
        prefix = await self.storage.room.services.installation.prefix()
        return place(self.store / prefix / file_path("cars", str(uuid4())))

    async def standing(self) -> Standing:
        """What its database is to the files."""
        services = self.storage.room.services
        return await services.installation.standing(services.files)

    async def put(self, bucket: str, key: str) -> Path:
        """An object, older than it is, and where its file lies."""
        await self.storage.put(bucket, key, key.encode())
        find = "select version from storage.objects where bucket_id = $1 and name = $2"
        version = await self.storage.minato.db.fetchval(find, bucket, key)
        prefix = await self.storage.room.services.installation.prefix()
        return place(self.store / prefix / file_path(bucket, version))


@asynccontextmanager
async def started(address: DatabaseAddress, tmp_path: Path, store: Path) -> AsyncIterator[Installation]:
    """A run of the server on this database and store, when its first look at the files is over."""
    settings = settings_for(tmp_path / "data", storage=StorageSettings(url=store.as_uri()))
    async with running(address, settings) as server:
        storage = Storage(server)
        await at_rest(storage.room.house)
        yield Installation(storage, store)


async def at_rest(house: Housekeeping) -> None:
    """Until the sweep of the start is over: what it waits for then is the next beat."""
    async with asyncio.timeout(PATIENCE):
        await house.looked.wait()


async def test_the_files_of_others_survive_every_start(address: DatabaseAddress, tmp_path: Path, store: Path) -> None:
    for _ in range(3):
        async with started(address, tmp_path, store) as installation:
            await installation.storage.orphans()
            assert foreign_files(store) == list(FOREIGN)


async def test_an_orphan_in_its_own_place_goes_at_a_later_start(
    address: DatabaseAddress, tmp_path: Path, store: Path
) -> None:
    async with started(address, tmp_path, store) as installation:
        bucket = await installation.storage.bucket()
        kept, orphan = await installation.put(bucket, "a"), await installation.orphan()
        half = place(kept.with_name(f"{kept.name}#1"))
    async with started(address, tmp_path, store):
        assert [kept.exists(), orphan.exists(), half.exists()] == [True, False, False]


async def test_at_the_first_start_with_a_store_nothing_goes(
    address: DatabaseAddress, tmp_path: Path, store: Path
) -> None:
    async with started(address, tmp_path, store) as installation:
        orphan, prefix = await installation.orphan(), await installation.storage.room.services.installation.prefix()
    # As in a store that somebody filled with the files alone.
    (store / prefix / MARKER).unlink()
    async with started(address, tmp_path, store):
        assert orphan.exists()
    async with started(address, tmp_path, store):
        assert not orphan.exists()


async def test_two_installations_on_one_store_keep_each_others_files(
    cluster: Cluster, tmp_path: Path, store: Path
) -> None:
    async with cluster.fresh_database() as one, cluster.fresh_database() as two:
        files = []
        for _ in range(3):
            for address in (one, two):
                async with started(address, tmp_path / address.admin[-3:].strip("_"), store) as installation:
                    bucket = await installation.storage.bucket()
                    files.append(await installation.put(bucket, "a"))
    assert [file.exists() for file in files] == [True] * 6


@asynccontextmanager
async def copy_of(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[DatabaseAddress]:
    """The database as it stands now, as a backup holds it."""
    name = address.admin.partition("?")[0].rpartition("/")[2]
    await cluster._admin(f"create database {name}_copy template {name}")
    try:
        yield cluster.address(f"{name}_copy")
    finally:
        await cluster._drop(f"{name}_copy")


async def test_a_restored_older_database_deletes_nothing_at_any_start(
    cluster: Cluster, address: DatabaseAddress, tmp_path: Path, store: Path
) -> None:
    async with started(address, tmp_path, store) as installation:
        bucket = await installation.storage.bucket()
        early = await installation.put(bucket, "early")
    async with copy_of(cluster, address) as restored:
        async with started(address, tmp_path, store) as installation:
            late = await installation.put(bucket, "late")
        for _ in range(3):
            async with started(restored, tmp_path, store) as installation:
                assert [early.exists(), late.exists()] == [True, True]
                assert await installation.standing() == Standing(mine=False, reason=COPIED)
    async with started(address, tmp_path, store):
        assert [early.exists(), late.exists()] == [True, True]


async def test_a_database_put_back_in_place_from_before_is_told_by_its_generation(
    address: DatabaseAddress, tmp_path: Path, store: Path
) -> None:
    columns = "previous, current"
    async with started(address, tmp_path, store) as installation:
        before = await installation.storage.minato.db.fetchrow(f"select {columns} from minato.installation")
    async with started(address, tmp_path, store) as installation:
        bucket = await installation.storage.bucket()
        late = await installation.put(bucket, "late")
    await as_it_was(address, "update minato.installation set previous = $1, current = $2", *before)
    await as_it_was(address, "delete from storage.objects where bucket_id = $1", bucket)
    for _ in range(2):
        async with started(address, tmp_path, store) as installation:
            assert late.exists()
            assert await installation.standing() == Standing(mine=False, reason=COPIED)


async def as_it_was(address: DatabaseAddress, statement: str, *values: object) -> None:
    """Change the database behind the server's back, as putting files of it back does."""
    db = await asyncpg.connect(address.admin)
    try:
        async with db.transaction():
            await db.execute("set local storage.allow_delete_query = 'true'")
            await db.execute(statement, *values)
    finally:
        await db.close()


async def test_files_of_before_there_were_namespaces_stay_where_they_are(
    cluster: Cluster, tmp_path: Path, store: Path
) -> None:
    version = str(uuid4())
    old = place(store / file_path("cars", version))
    async with cluster.platform_database("0039") as address:
        await as_it_was(address, "insert into storage.buckets (id, name, public) values ('cars', 'cars', true)")
        metadata = '{"size": 4, "mimetype": "text/plain"}'
        row = "insert into storage.objects (bucket_id, name, version, metadata) values ('cars', 'a', $1, $2::jsonb)"
        await as_it_was(address, row, version, metadata)
        await cluster.upgrade(address)
        for _ in range(3):
            async with started(address, tmp_path, store) as installation:
                async with installation.storage.service() as service:
                    assert (await service.get("/object/public/cars/a")).text == "mine"
                new = await installation.put("cars", "b")
            assert foreign_files(store) == list(FOREIGN)
        assert old.exists()
        assert new.relative_to(store).parts[0] == "cars"


def test_the_command_shows_what_would_go_and_deletes_it_when_told(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with served(data_dir) as server:
        assert server.stop() == 0
    [marker] = (data_dir / "storage").rglob("minato.json")
    orphan = place(marker.parent / file_path("cars", str(uuid4())))
    shown = run_minato("storage", "sweep", "--dry-run", "--data-dir", str(data_dir))
    assert shown.stdout.split() == [orphan.relative_to(marker.parent).as_posix()], shown.stderr
    assert orphan.exists()
    marker.write_text('{"installation": "another"}')
    refused = run_minato("storage", "sweep", "--data-dir", str(data_dir))
    assert refused.returncode == 1
    assert "another installation" in refused.stderr
    assert orphan.exists()
    assert run_minato("storage", "sweep", "--adopt", "--data-dir", str(data_dir)).returncode == 0
    assert not orphan.exists()
    place(orphan)
    assert run_minato("storage", "sweep", "--data-dir", str(data_dir)).stdout.endswith("1 files deleted\n")


async def test_the_generation_goes_on_while_the_server_runs(
    address: DatabaseAddress, tmp_path: Path, store: Path
) -> None:
    async with started(address, tmp_path, store) as installation:
        house, db = installation.storage.room.house, installation.storage.minato.db
        current = "select current from minato.installation"
        before = await db.fetchval(current)
        await house.renew()
        assert await db.fetchval(current) != before
