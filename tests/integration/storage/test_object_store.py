"""The files in an S3-compatible store: whatever works in a folder works there."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, s3_client
from tests.integration.storage.test_images import opened, picture
from tests.integration.storage.test_resumable import append, create
from tests.support.server import running
from tests.support.server import settings_for as settings_with


@pytest.fixture
async def remote(address: DatabaseAddress, tmp_path: Path, s3_url: str) -> AsyncIterator[Storage]:
    """A server that keeps its files there."""
    settings = settings_with(tmp_path, storage=StorageSettings(url=s3_url))
    async with running(address, settings) as server:
        yield Storage(server)


async def versions(storage: Storage) -> int:
    return sum([len(batch) async for batch in storage.room.services.files.list()])


async def test_files_come_and_go_and_only_those_with_a_row_stay(remote: Storage, tmp_path: Path) -> None:
    bucket = await remote.bucket(public=False)
    large = bytes(range(256)) * (12 * 1024 * 4)
    await remote.put(bucket, "small", b"one")
    await remote.put(bucket, "small", b"two")
    await remote.put(bucket, "large", large)
    assert await versions(remote) == 2
    assert not list((tmp_path / "storage").glob("*"))
    async with remote.service() as service:
        assert (await service.get(f"/object/{bucket}/small")).content == b"two"
        assert (await service.get(f"/object/{bucket}/large")).content == large
        part = await service.get(f"/object/{bucket}/large", headers={"range": "bytes=5242880-5242883"})
        assert (part.status_code, part.content) == (206, large[5242880:5242884])
        names = {"bucketId": bucket, "sourceKey": "small", "destinationKey": "copied"}
        assert (await service.post("/object/copy", json=names)).status_code == 200
        moved = {"bucketId": bucket, "sourceKey": "copied", "destinationKey": "moved"}
        assert (await service.post("/object/move", json=moved)).status_code == 200
        assert (await service.get(f"/object/{bucket}/moved")).content == b"two"
        gone = await service.request("DELETE", f"/object/{bucket}", json={"prefixes": ["small", "large", "moved"]})
        assert len(gone.json()) == 3
    assert await versions(remote) == 0


async def test_an_upload_that_is_refused_half_way_leaves_no_file(remote: Storage) -> None:
    bucket = await remote.bucket(file_size_limit=7_000_000)

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(9):
            yield b"x" * 1_000_000

    async with remote.service() as service:
        answer = await service.post(f"/object/{bucket}/k", content=endless())
    assert answer.json()["code"] == "EntityTooLarge"
    assert await versions(remote) == 0


async def test_pictures_and_resumable_uploads_work_there_too(remote: Storage) -> None:
    bucket = await remote.bucket(public=True)
    content = picture(200, 100)
    encoded = {name: base64.b64encode(value.encode()).decode() for name, value in (("b", bucket), ("k", "a.jpg"))}
    async with remote.service() as service:
        created = await service.post(
            "/upload/resumable",
            content=content,
            headers={
                "tus-resumable": "1.0.0",
                "upload-length": str(len(content)),
                "upload-metadata": f"bucketName {encoded['b']},objectName {encoded['k']}",
                "content-type": "application/offset+octet-stream",
            },
        )
        assert created.headers["tus-complete"] == "1"
        assert opened(await service.get(f"/render/image/public/{bucket}/a.jpg?width=50")).size == (50, 25)


async def test_uploads_in_parts_and_in_pieces_work_there_too(remote: Storage) -> None:
    bucket, large = await remote.bucket(), bytes(range(256)) * (6 * 1024 * 4)
    s3 = s3_client(remote)
    place = {"Bucket": bucket, "Key": "parts"}
    upload = {**place, "UploadId": (await call(s3.create_multipart_upload, **place))["UploadId"]}
    tags = [
        (await call(s3.upload_part, **upload, PartNumber=number, Body=body))["ETag"]
        for number, body in ((1, large), (2, b"end"))
    ]
    assert await remote.orphans() == 0
    parts = [{"PartNumber": number, "ETag": tag} for number, tag in enumerate(tags, 1)]
    await call(s3.complete_multipart_upload, **upload, MultipartUpload={"Parts": parts})
    await call(s3.copy_object, Bucket=bucket, Key="copy", CopySource=place)
    async with remote.service() as service:
        assert (await service.get(f"/object/{bucket}/parts")).content == large + b"end"
        url = (await create(service, bucket, "pieces", len(large))).headers["location"]
        for start in (0, len(large) // 2):
            assert (await append(service, url, start, large[start : start + len(large) // 2])).status_code == 204
        assert (await service.get(f"/object/{bucket}/pieces")).content == large
    assert await versions(remote) == 3
    wanted = {"Objects": [{"Key": key} for key in ("parts", "copy", "pieces")]}
    await call(s3.delete_objects, Bucket=bucket, Delete=wanted)
    assert await versions(remote) == 0


async def test_a_file_that_is_gone_from_the_store_is_said_to_be_missing(remote: Storage) -> None:
    bucket = await remote.bucket(public=True)
    await remote.put(bucket, "k", b"one")
    files = remote.room.services.files
    async for batch in files.list():
        await files.delete([file.path for file in batch])
    async with remote.service() as service:
        answer = await service.get(f"/object/{bucket}/k")
    assert (answer.status_code, answer.json()["message"]) == (400, "The resource was not found")


@pytest.mark.parametrize("wished", ["public, max-age=60, s-maxage=900", "max-age=60", "private, max-age=60"])
async def test_no_shared_cache_may_keep_a_private_object(storage: Storage, wished: str) -> None:
    private, public = await storage.bucket(public=False), await storage.bucket(public=True)
    async with storage.service() as service:
        for bucket in (private, public):
            await service.put(f"/object/{bucket}/k", content=b"x", headers={"cache-control": wished})
        hidden = await service.get(f"/object/{private}/k")
        info = await service.get(f"/object/info/{private}/k")
        shown = await service.get(f"/object/public/{public}/k")
    assert hidden.headers["cache-control"] == info.headers["cache-control"] == "private, max-age=60"
    assert "Authorization" in hidden.headers["vary"]
    assert shown.headers["cache-control"] == wished
