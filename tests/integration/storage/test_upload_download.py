"""Buckets, uploads, downloads: the way of a file in and out again."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from minato.database.wire.session import ConnectionLost
from minato.storage.backend.base import file_path
from minato.storage.versions import new_version

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, s3_client
from tests.integration.storage.test_images import opened, picture
from tests.support.server import Minato


async def test_a_file_goes_in_and_comes_out_by_public_url(minato: Minato, storage: Storage) -> None:
    bucket = await storage.bucket(public=True)
    async with storage.service() as service:
        created = await service.post(
            f"/object/{bucket}/a/b.txt", content=b"one", headers={"content-type": "text/plain"}
        )
        assert created.status_code == 200, created.text
        assert created.json()["Key"] == f"{bucket}/a/b.txt"
        again = await service.post(f"/object/{bucket}/a/b.txt", content=b"two")
        assert (again.status_code, again.json()) == (
            400,
            {
                "statusCode": "409",
                "error": "Duplicate",
                "message": "The resource already exists",
                "code": "KeyAlreadyExists",
            },
        )
        upserted = await service.post(f"/object/{bucket}/a/b.txt", content=b"three", headers={"x-upsert": "true"})
        assert upserted.json()["Id"] == created.json()["Id"]
    async with httpx.AsyncClient(base_url=minato.url) as stranger:
        found = await stranger.get(f"/storage/v1/object/public/{bucket}/a/b.txt")
    assert found.content == b"three"
    assert found.headers["etag"] == f'"{hashlib.md5(b"three").hexdigest()}"'
    assert found.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("form", ["multipart", "raw"])
async def test_both_forms_of_an_upload_keep_type_cache_and_metadata(storage: Storage, form: str) -> None:
    bucket = await storage.bucket(public=False)
    async with storage.service() as service:
        if form == "multipart":
            answer = await service.post(
                f"/object/{bucket}/x.json",
                data={"cacheControl": "60", "metadata": '{"a":1}'},
                files={"": ("x.json", b"{}", "application/json")},
            )
        else:
            answer = await service.post(
                f"/object/{bucket}/x.json",
                content=b"{}",
                headers={
                    "content-type": "application/json",
                    "cache-control": "max-age=60",
                    "x-metadata": "eyJhIjoxfQ==",
                },
            )
        assert answer.status_code == 200, answer.text
        info = (await service.get(f"/object/info/{bucket}/x.json")).json()
        found = await service.get(f"/object/{bucket}/x.json")
    assert info["content_type"] == "application/json"
    assert info["cache_control"] == "max-age=60"
    assert info["metadata"] == {"a": 1}
    assert found.headers["cache-control"] == "private, max-age=60"
    assert found.headers["vary"].startswith("Authorization")


async def test_a_large_file_streams_in_and_ranges_stream_out(storage: Storage) -> None:
    bucket = await storage.bucket(public=True)
    content = bytes(range(256)) * 4096 * 12
    async with storage.service() as service:
        assert (await service.put(f"/object/{bucket}/big.bin", content=content)).status_code == 200
        assert (await service.get(f"/object/{bucket}/big.bin")).content == content
        part = await service.get(f"/object/{bucket}/big.bin", headers={"range": "bytes=1000-1009"})
    assert (part.status_code, part.content) == (206, content[1000:1010])
    assert part.headers["content-range"] == f"bytes 1000-1009/{len(content)}"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"range": "bytes=5-"}, 416),
        ({"range": "bytes=a-b"}, 416),
        ({"range": "bytes=-2"}, 206),
        ({"if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT"}, 304),
        ({"if-modified-since": "Fri, 01 Jan 2010 00:00:00 GMT"}, 200),
        ({"if-none-match": '"5d41402abc4b2a76b9719d911017c592"'}, 304),
        ({"if-none-match": '"other"'}, 200),
    ],
)
async def test_ranges_and_conditions(storage: Storage, headers: dict[str, str], status: int) -> None:
    bucket = await storage.bucket(public=True)
    await storage.put(bucket, "hello.txt", b"hello")
    async with storage.service() as service:
        assert (await service.get(f"/object/{bucket}/hello.txt", headers=headers)).status_code == status


async def test_pages_are_served_as_text_and_drawings_in_a_sandbox(storage: Storage) -> None:
    bucket = await storage.bucket(public=True)
    await storage.put(bucket, "page.html", b"<script>", "text/html; charset=utf-8")
    await storage.put(bucket, "drawing.svg", b"<svg/>", "image/svg+xml")
    async with storage.service() as service:
        page = await service.get(f"/object/public/{bucket}/page.html")
        drawing = await service.get(f"/object/public/{bucket}/drawing.svg?download=a b.svg")
    assert page.headers["content-type"] == "text/plain"
    assert drawing.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in drawing.headers["content-security-policy"]
    assert drawing.headers["content-disposition"] == "attachment; filename=a%20b.svg; filename*=UTF-8''a%20b.svg"


@pytest.mark.parametrize(
    ("content_type", "content", "code"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\n....", None),
        ("text/plain", b"text", "InvalidMimeType"),
        ("image/png", b"<script>", "InvalidMimeType"),
        ("image/png", b"\x89PNG\r\n\x1a\n" + b"." * 100, "EntityTooLarge"),
    ],
)
async def test_a_bucket_takes_what_its_limits_allow(
    storage: Storage, content_type: str, content: bytes, code: str | None
) -> None:
    bucket = await storage.bucket(public=True, file_size_limit="50b", allowed_mime_types=["image/png"])

    async def chunks() -> AsyncIterator[bytes]:
        yield content

    async with storage.service() as service:
        answer = await service.post(f"/object/{bucket}/f", content=chunks(), headers={"content-type": content_type})
        assert answer.json().get("code") == code
        listed = (await service.post(f"/object/list/{bucket}", json={"prefix": ""})).json()
    assert len(listed) == (0 if code else 1)
    assert await storage.orphans() == 0


async def test_heads_tell_of_existence(storage: Storage) -> None:
    bucket = await storage.bucket(public=False)
    await storage.put(bucket, "a.txt", b"hello")
    async with storage.service() as service:
        there = await service.head(f"/object/{bucket}/a.txt")
        missing = await service.head(f"/object/{bucket}/b.txt")
    assert (there.status_code, there.headers["content-length"]) == (200, "5")
    assert (missing.status_code, missing.content) == (400, b"")


async def test_of_several_that_create_the_same_object_one_succeeds(storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        contents = [f"writer {number}".encode() for number in range(8)]
        answers = await asyncio.gather(*(service.post(f"/object/{bucket}/k", content=content) for content in contents))
        [winner] = [content for content, answer in zip(contents, answers, strict=True) if answer.status_code == 200]
        assert {answer.json()["code"] for answer in answers if answer.status_code != 200} == {"KeyAlreadyExists"}
        assert (await service.get(f"/object/{bucket}/k")).content == winner
        puts = await asyncio.gather(*(service.put(f"/object/{bucket}/k", content=content) for content in contents))
    assert {answer.status_code for answer in puts} == {200}
    assert await storage.orphans() == 0


@pytest.mark.parametrize("way", ["object/public", "object", "s3", "render/image/public"])
async def test_who_reads_while_the_object_is_replaced_gets_the_new_one(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    bucket, services = await storage.bucket(public=True), storage.room.services
    old, new = picture(8, 8), picture(16, 16)
    await storage.put(bucket, "k", old, "image/jpeg")
    read = services.files.read

    async def overtaken(*asked: Any) -> AsyncIterator[bytes]:
        monkeypatch.undo()
        await storage.put(bucket, "k", new, "image/jpeg")
        await services.removals.end()
        return await read(*asked)

    monkeypatch.setattr(services.files, "read", overtaken)
    if way == "s3":
        got = await call(s3_client(storage).get_object, Bucket=bucket, Key="k")
        assert await asyncio.to_thread(got["Body"].read) == new
        return
    async with storage.service() as service:
        answer = await service.get(f"/{way}/{bucket}/k")
    assert answer.status_code == 200, answer.text
    assert opened(answer).size == (16, 16)


@pytest.mark.parametrize("way", ["rest", "s3"])
async def test_who_copies_an_object_while_it_is_replaced_copies_the_new_one(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    bucket, services = await storage.bucket(public=True), storage.room.services
    await storage.put(bucket, "k", b"old")
    copy = services.files.copy

    async def overtaken(*asked: Any) -> None:
        monkeypatch.undo()
        await storage.put(bucket, "k", b"newer")
        await services.removals.end()
        await copy(*asked)

    monkeypatch.setattr(services.files, "copy", overtaken)
    async with storage.service() as service:
        if way == "s3":
            source = {"Bucket": bucket, "Key": "k"}
            await call(s3_client(storage).copy_object, Bucket=bucket, Key="copy", CopySource=source)
        else:
            names = {"bucketId": bucket, "sourceKey": "k", "destinationKey": "copy"}
            answer = await service.post("/object/copy", json=names)
            assert answer.status_code == 200, answer.text
        got = await service.get(f"/object/{bucket}/copy")
    assert (got.content, got.headers["content-length"]) == (b"newer", "5")
    assert await storage.orphans() == 0


async def one_piece() -> AsyncIterator[bytes]:
    yield b"bytes"


async def test_a_file_stays_for_the_sweep_when_nobody_heard_whether_its_row_was_committed(storage: Storage) -> None:
    bucket, services = await storage.bucket(), storage.room.services
    with suppress(ConnectionLost):
        async with new_version(services, bucket) as version:
            await services.files.write(file_path(bucket, version), one_piece())
            raise ConnectionLost
    assert await storage.orphans() == 1
