"""Listing, moving, copying, deleting, signing; what is refused, with both of its statuses; what a crash leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from minato.storage.backend.namespace import Namespace
from minato.storage.removals import Removals

from tests.integration.storage.conftest import Storage

NAMES = ["a.txt", "folder/one.txt", "folder/sub/two.txt", "folder2/x.txt", "Zed.txt"]


async def _filled(storage: Storage) -> str:
    bucket = await storage.bucket(public=False)
    for name in NAMES:
        await storage.put(bucket, name, name.encode())
    return bucket


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"prefix": ""}, ["a.txt", "folder", "folder2", "Zed.txt"]),
        ({"prefix": "folder"}, ["one.txt", "sub"]),
        ({"prefix": "folder/"}, ["one.txt", "sub"]),
        ({"prefix": "", "search": "zE"}, ["Zed.txt"]),
        ({"prefix": "", "limit": 2, "offset": 1}, ["folder", "folder2"]),
        ({"prefix": "", "sortBy": {"column": "name", "order": "desc"}}, ["Zed.txt", "folder2", "folder", "a.txt"]),
        ({"prefix": "", "sortBy": {"column": "created_at"}}, ["folder", "folder2", "a.txt", "Zed.txt"]),
    ],
)
async def test_the_first_listing(storage: Storage, body: dict[str, Any], names: list[str]) -> None:
    bucket = await _filled(storage)
    async with storage.service() as service:
        listed = (await service.post(f"/object/list/{bucket}", json=body)).json()
    assert [item["name"] for item in listed] == names
    assert list(listed[0]) == ["name", "id", "updated_at", "created_at", "last_accessed_at", "metadata"]


@pytest.mark.parametrize("column", ["name", "created_at"])
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("with_delimiter", [True, False])
async def test_the_second_listing_pages_through_everything_once(
    storage: Storage, column: str, order: str, with_delimiter: bool
) -> None:
    bucket = await _filled(storage)
    body = {"limit": 2, "with_delimiter": with_delimiter, "sortBy": {"column": column, "order": order}}
    seen: list[str] = []
    async with storage.service() as service:
        for _ in range(5):
            page = (await service.post(f"/object/list-v2/{bucket}", json=body)).json()
            seen += [item["name"] for item in [*page["folders"], *page["objects"]]]
            if not page["hasNext"]:
                break
            body = {"limit": 2, "with_delimiter": with_delimiter, "cursor": page["nextCursor"]}
    assert sorted(seen) == (["Zed.txt", "a.txt", "folder/", "folder2/"] if with_delimiter else sorted(NAMES))


async def test_an_object_moves_and_is_copied_across_buckets(storage: Storage) -> None:
    bucket, other = await _filled(storage), await storage.bucket(public=True)
    source = {"bucketId": bucket, "sourceKey": "a.txt", "destinationBucket": other}
    async with storage.service() as service:
        copied = (await service.post("/object/copy", json={**source, "destinationKey": "copy.txt"})).json()
        assert copied["Key"] == f"{other}/copy.txt"
        twice = await service.post("/object/copy", json={**source, "destinationKey": "copy.txt"})
        assert twice.json()["code"] == "KeyAlreadyExists"
        taken = await service.post("/object/move", json={**source, "destinationKey": "copy.txt"})
        assert taken.json()["code"] == "ResourceAlreadyExists"
        moved = await service.post("/object/move", json={**source, "destinationKey": "moved.txt"})
        assert moved.json() == {"message": "Successfully moved"}
        assert (await service.get(f"/object/{bucket}/a.txt")).json()["code"] == "NoSuchKey"
        for name in ("copy.txt", "moved.txt"):
            assert (await service.get(f"/object/public/{other}/{name}")).content == b"a.txt"
    assert await storage.orphans() == 0


async def test_a_bucket_is_emptied_and_then_deleted(storage: Storage) -> None:
    bucket = await _filled(storage)
    async with storage.service() as service:
        refused = await service.delete(f"/bucket/{bucket}")
        assert (refused.status_code, refused.json()["code"]) == (400, "ResourceNotEmpty")
        assert (await service.post(f"/bucket/{bucket}/empty", json={})).status_code == 200
        assert (await service.delete(f"/bucket/{bucket}")).json() == {"message": "Successfully deleted"}


async def test_a_signed_url_reads_until_it_expires(storage: Storage) -> None:
    bucket = await _filled(storage)
    clock = storage.minato.backend.clock
    async with storage.service() as service:
        url = (await service.post(f"/object/sign/{bucket}/a.txt", json={"expiresIn": 60})).json()["signedURL"]
        other = url.replace("a.txt", "Zed.txt")
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as anybody:
        found = await anybody.get(url)
        assert found.content == b"a.txt"
        assert "expires" in found.headers
        assert "cache-control" not in found.headers
        assert (await anybody.get(other)).json()["code"] == "InvalidSignature"
        assert (await anybody.get(url + "x")).json()["code"] == "InvalidJWT"
        missing = (await anybody.get(url.partition("?")[0])).json()
        assert missing["message"] == "querystring must have required property 'token'"
        clock.advance(timedelta(seconds=61))
        try:
            expired = (await anybody.get(url)).json()
        finally:
            clock.advance(timedelta(seconds=-61))
    assert (expired["code"], expired["message"]) == ("InvalidJWT", '"exp" claim timestamp check failed')


async def test_a_signed_upload_is_in_the_signers_name(storage: Storage) -> None:
    bucket = await storage.bucket(public=True)
    async with storage.service() as service:
        signed = (await service.post(f"/object/upload/sign/{bucket}/a.txt", json={})).json()
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as anybody:
        uploaded = await anybody.put(signed["url"], content=b"hello")
        assert uploaded.json() == {"Key": f"{bucket}/a.txt"}
        assert (await anybody.put(signed["url"], content=b"again")).json()["code"] == "KeyAlreadyExists"
        assert (await anybody.get(signed["url"].replace("upload/sign", "sign"))).json()["code"] == "InvalidSignature"
        assert (await anybody.get(f"/object/public/{bucket}/a.txt")).content == b"hello"


@pytest.mark.parametrize(
    ("method", "path", "arguments", "status", "meant", "message"),
    [
        ("GET", "/object/public/none/a.txt", {}, 400, "404", "Bucket not found"),
        ("GET", "/object/{bucket}/none.txt", {}, 400, "404", "Object not found"),
        ("POST", "/object/none/a.txt", {"content": b"x"}, 400, "404", "Bucket not found"),
        ("POST", "/object/{bucket}/a%23b", {"content": b"x"}, 400, "400", "Invalid key: a#b"),
        ("POST", "/object/{bucket}/a%00b", {"content": b"x"}, 400, "400", "Invalid key: a\x00b"),
        ("POST", "/object/{bucket}/%2e%2e%2fb", {"content": b"x"}, 400, "400", "Invalid key: ../b"),
        ("DELETE", "/object/{bucket}/a%00b", {}, 400, "400", None),
        ("POST", "/bucket", {"json": {}}, 400, "400", "body must have required property 'name'"),
        ("POST", "/bucket", {"json": {"name": "a/b"}}, 400, "400", "Bucket name invalid"),
        ("POST", "/bucket", {"json": {"id": "short", "name": "n" * 101}}, 400, "400", "Bucket name invalid"),
        ("POST", "/bucket", {"json": {"name": "{bucket}"}}, 400, "409", "The resource already exists"),
        ("POST", "/bucket", {"json": {"name": "n", "file_size_limit": "900GB"}}, 400, "413", None),
        ("POST", "/object/list/{bucket}", {"json": {"prefix": "", "limit": 0}}, 400, "400", "body/limit must be >= 1"),
        ("POST", "/object/list/{bucket}", {"content": b"{"}, 400, "400", "body must be object"),
        (
            "POST",
            "/object/list-v2/{bucket}",
            {"json": {"cursor": "%"}},
            400,
            "400",
            "Invalid Parameter continuation token",
        ),
        (
            "POST",
            "/object/list/{bucket}",
            {"content": b"{", "headers": {"content-type": "application/json"}},
            400,
            "400",
            "Body is not valid JSON but content-type is set to 'application/json'",
        ),
        (
            "POST",
            "/object/{bucket}/a",
            {"content": b"--b\r\nnonsense", "headers": {"content-type": "multipart/form-data; boundary=b"}},
            400,
            "400",
            None,
        ),
        ("GET", "/object", {}, 404, "404", "Route GET:/object not found"),
        ("PATCH", "/bucket", {}, 404, "404", "Route PATCH:/bucket not found"),
    ],
)
async def test_refusals(
    storage: Storage, method: str, path: str, arguments: dict[str, Any], status: int, meant: str, message: str | None
) -> None:
    bucket = await storage.bucket(public=False)
    if arguments.get("json", {}).get("name") == "{bucket}":
        arguments = {"json": {"name": bucket}}
    async with storage.service() as service:
        answer = await service.request(method, path.format(bucket=bucket), **arguments)
    assert (answer.status_code, answer.json()["statusCode"]) == (status, meant), answer.text
    if message is not None:
        assert answer.json()["message"] == message


@pytest.mark.parametrize(
    ("token", "message"),
    [("nonsense", "Invalid Compact JWS"), ("a.b.c", "JWS Protected Header is invalid")],
)
async def test_bad_tokens_are_refused_in_joses_words(storage: Storage, token: str, message: str) -> None:
    async with storage.client(token) as client:
        answer = await client.get("/bucket")
    assert (answer.status_code, answer.json()) == (
        400,
        {"statusCode": "403", "error": "Unauthorized", "message": message, "code": "AccessDenied"},
    )


@pytest.mark.parametrize(("method", "path"), [("GET", "/bucket"), ("POST", "/object/list/{bucket}")])
async def test_nobodys_token_is_malformed(storage: Storage, method: str, path: str) -> None:
    """As behind the local gateway, whose requests always have the header: it is empty where the caller sent nothing."""
    path = path.format(bucket=await storage.bucket())
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as client:
        answer = await client.request(method, path, json={"prefix": ""} if method == "POST" else None)
    assert (answer.status_code, answer.json()) == (
        400,
        {"statusCode": "403", "error": "Unauthorized", "message": "Invalid Compact JWS", "code": "AccessDenied"},
    )


class Crashing(Namespace):
    """A place for files that dies at one step."""

    def __init__(self, files: Namespace, step: str) -> None:
        super().__init__(files._files, files._prefix)
        self._step = step

    async def write(self, path: str, chunks: AsyncIterable[bytes]) -> None:
        await super().write(path, chunks)
        if self._step == "after the file":
            raise OSError("the server is gone")

    async def delete(self, paths: list[str]) -> None:
        raise OSError("the server is gone")


@pytest.mark.parametrize(("step", "content"), [("after the file", b"old"), ("after the row", b"new")])
async def test_a_crash_leaves_row_and_file_in_agreement(storage: Storage, step: str, content: bytes) -> None:
    bucket = await storage.bucket(public=True)
    await storage.put(bucket, "a.txt", b"old")
    room = storage.room
    healthy = room.services
    files = Crashing(healthy.files, step)
    room.services = replace(healthy, files=files, removals=Removals(files, healthy.log))
    try:
        async with storage.service() as service:
            answer = await service.put(f"/object/{bucket}/a.txt", content=b"new")
            assert answer.status_code == (500 if step == "after the file" else 200)
        await room.services.removals.end()
    finally:
        room.services = healthy
    async with storage.service() as service:
        assert (await service.get(f"/object/public/{bucket}/a.txt")).content == content
        assert await storage.orphans() == 1
        assert (await service.get(f"/object/public/{bucket}/a.txt")).content == content


async def test_what_an_upload_cut_off_by_a_kill_left_is_removed(storage: Storage) -> None:
    bucket = await storage.bucket(public=True)
    await storage.put(bucket, "a.txt", b"whole")
    [whole] = (await storage.folder(bucket)).glob("*/*")
    partial = whole.with_name(f"{whole.name}#1")
    partial.write_bytes(b"half")
    await storage.orphans()
    assert whole.exists()
    assert not partial.exists()


async def test_many_writers_of_one_object_leave_one_file(storage: Storage) -> None:
    bucket = await storage.bucket(public=True)
    async with storage.service() as service:
        answers = await asyncio.gather(
            *(service.put(f"/object/{bucket}/a.txt", content=str(uuid4()).encode()) for _ in range(8))
        )
        assert {answer.status_code for answer in answers} == {200}
        assert len((await service.get(f"/object/public/{bucket}/a.txt")).content) == 36
    assert await storage.orphans() == 0
