"""Whichever way an object comes into a bucket, the bucket's rules and the caller's policies judge what is stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress

from tests.integration.marketplace.cast import IDS, set_the_scene
from tests.integration.storage.conftest import Storage, holds_files
from tests.integration.storage.s3_client import call, refusal, s3_client
from tests.integration.storage.test_images import picture
from tests.support.server import Minato, running
from tests.support.server import settings_for as settings_with
from tests.support.ways_in import WAYS, meant, tus_headers

PAGE, SCRIPT = b"<x:script xmlns:x='http://www.w3.org/1999/xhtml'/>", "text/xsl"


@pytest.fixture
def storage(minato: Minato) -> Storage:
    return Storage(minato)


async def is_empty(storage: Storage, bucket: str) -> bool:
    """No row, no file and no part of one."""
    rows = await storage.minato.db.fetchval("select count(*) from storage.objects where bucket_id = $1", bucket)
    return rows == 0 and not holds_files(await storage.folder(bucket))


@pytest.mark.parametrize("way", WAYS)
async def test_a_type_the_bucket_refuses_is_refused_on_every_way_in(storage: Storage, way: str) -> None:
    bucket = await storage.bucket(public=True, allowed_mime_types=["image/png"])
    key = storage.minato.service_role_key
    assert await WAYS[way](storage, key, bucket, "a.png", PAGE, SCRIPT) == 415
    assert await is_empty(storage, bucket)
    assert await WAYS[way](storage, key, bucket, "a.png", picture(9, 9, "PNG"), "image/png") == 200


@pytest.mark.parametrize("way", [way for way in WAYS if way != "s3 parts"])
async def test_bytes_that_belie_their_type_are_refused_on_every_way_in(storage: Storage, way: str) -> None:
    bucket = await storage.bucket(public=True, allowed_mime_types=["image/png"])
    assert await WAYS[way](storage, storage.minato.service_role_key, bucket, "a.png", PAGE, "image/png") == 415
    assert await is_empty(storage, bucket)


async def test_a_resumable_upload_without_a_type_is_judged_by_the_one_it_would_get(storage: Storage) -> None:
    bucket = await storage.bucket(allowed_mime_types=["image/png"])
    async with storage.service() as service:
        headers = tus_headers(bucket, "a.png", len(PAGE), None)
        # Where the first bytes come along, and before there are any.
        for content in (PAGE, b""):
            answer = await service.post("/upload/resumable", content=content, headers=headers)
            assert (answer.status_code, answer.text) == (415, "mime type application/octet-stream is not supported")
    assert await is_empty(storage, bucket)


async def test_a_resumable_upload_is_judged_again_when_it_is_whole(storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        headers = tus_headers(bucket, "a", 4, SCRIPT)
        begun = await service.post("/upload/resumable", content=b"ab", headers=headers)
        await service.put(f"/bucket/{bucket}", json={"allowed_mime_types": ["image/png"]})
        rest = {"tus-resumable": "1.0.0", "upload-offset": "2", "content-type": headers["content-type"]}
        answer = await service.patch(begun.headers["location"], content=b"cd", headers=rest)
    assert answer.status_code == 415
    assert await is_empty(storage, bucket)


async def test_an_upload_in_parts_is_judged_again_when_it_is_whole(storage: Storage) -> None:
    s3, place = s3_client(storage), {"Bucket": await storage.bucket(), "Key": "a"}
    for mime_type, content in ((SCRIPT, PAGE), ("image/png", PAGE)):
        begun = await call(s3.create_multipart_upload, **place, ContentType=mime_type)
        part = {**place, "UploadId": begun["UploadId"]}
        tag = (await call(s3.upload_part, **part, PartNumber=1, Body=content))["ETag"]
        async with storage.service() as service:
            await service.put(f"/bucket/{place['Bucket']}", json={"allowed_mime_types": ["image/png"]})
        parts = {"Parts": [{"PartNumber": 1, "ETag": tag}]}
        assert (await refusal(s3.complete_multipart_upload, **part, MultipartUpload=parts))[0] == 415
        await call(s3.abort_multipart_upload, **part)
    assert await is_empty(storage, place["Bucket"])


async def test_a_folders_placeholder_is_no_name_to_copy_a_page_to(storage: Storage) -> None:
    bucket, name = await storage.bucket(allowed_mime_types=["image/png"]), "a/.emptyFolderPlaceholder"
    for way in ("copied", "moved", "s3 copied"):
        assert await WAYS[way](storage, storage.minato.service_role_key, bucket, name, PAGE, SCRIPT) == 415
    assert await is_empty(storage, bucket)


@pytest.mark.parametrize("way", ["copied", "moved", "s3 copied"])
async def test_an_object_too_large_for_a_bucket_is_not_brought_into_it(storage: Storage, way: str) -> None:
    bucket = await storage.bucket(file_size_limit=10)
    assert await WAYS[way](storage, storage.minato.service_role_key, bucket, "a", PAGE, "image/png") == 413
    assert await is_empty(storage, bucket)


async def test_a_setting_asks_no_more_than_the_reference(address: DatabaseAddress, tmp_path: Path) -> None:
    lenient = StorageSettings(check_every_way_in=False)
    async with running(address, settings_with(tmp_path, storage=lenient)) as server:
        storage = Storage(server)
        bucket = await storage.bucket(allowed_mime_types=["image/png"])
        for way in ("copied", "moved", "s3 copied"):
            assert await WAYS[way](storage, server.service_role_key, bucket, way, PAGE, SCRIPT) == 200
        async with storage.service() as service:
            headers = tus_headers(bucket, "tus", len(PAGE), None)
            assert meant(await service.post("/upload/resumable", content=PAGE, headers=headers)) == 200


PICTURES = [
    ("upload", "image/png", 200),
    ("signed", "image/png", 200),
    ("resumable", "image/png", 200),
    ("s3 put", "image/png", 200),
    ("upload", "image/svg+xml", 403),
    ("form", "image/svg+xml", 403),
    ("signed", "image/svg+xml", 403),
    ("resumable", "image/svg+xml", 403),
    ("s3 put", "image/svg+xml", 403),
    ("s3 parts", "image/svg+xml", 403),
]


async def test_members_put_only_photographs_among_the_pictures_of_cars(own_minato: Minato) -> None:
    await set_the_scene(own_minato.db)
    storage, agent = Storage(own_minato), own_minato.token(IDS["agent"])
    for number, (way, mime_type, status) in enumerate(PICTURES):
        key, photo = f"{IDS['agent']}/{number}.png", picture(9, 9, "PNG")
        assert await WAYS[way](storage, agent, "car-images", key, photo, mime_type) == status, (way, mime_type)
    types = "select distinct metadata ->> 'mimetype' from storage.objects where bucket_id = 'car-images'"
    stored = {row[0] for row in await own_minato.db.fetch(f"{types} and name like $1", f"{IDS['agent']}/%.png")}
    assert stored == {"image/png"}
