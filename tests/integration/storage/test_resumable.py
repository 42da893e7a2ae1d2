"""Resumable uploads by TUS: in pieces, through breaks and restarts, signed, and every refusal's own text."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import httpx
import pytest
from minato.http.asgi import Scope
from minato.storage.app import nothing_more
from minato.storage.request import KeptBody, Request
from minato.storage.resumable.finish import finish
from minato.storage.services import Services
from minato.storage.tus.upload_folder import BLOCK, UploadFolder
from minato.storage.tus.upload_store import StoredUploads
from minato.storage.tus.uploads import parse_upload_id

from tests.integration.storage.conftest import Storage
from tests.support.waiting import PATIENCE

TUS = {"tus-resumable": "1.0.0"}
STREAM = {**TUS, "content-type": "application/offset+octet-stream"}
ROOT = "/upload/resumable"


@pytest.fixture(params=["minato", "remote_minato"])
def storage(request: pytest.FixtureRequest) -> Storage:
    """Uploads under way lie in a folder, or in a store."""
    return Storage(request.getfixturevalue(request.param))


in_a_folder = pytest.mark.parametrize("storage", ["minato"], indirect=True)


def metadata(bucket: str, key: str, **more: str) -> str:
    pairs = {"bucketName": bucket, "objectName": key, **more}
    return ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in pairs.items())


async def create(
    client: httpx.AsyncClient, bucket: str, key: str, length: int | None, more: dict[str, str] | None = None, **own: str
) -> httpx.Response:
    size = {"upload-defer-length": "1"} if length is None else {"upload-length": str(length)}
    headers = {**TUS, **size, "upload-metadata": metadata(bucket, key, **own), **(more or {})}
    return await client.post(ROOT, headers=headers)


async def append(client: httpx.AsyncClient, url: str, offset: int, content: bytes, **more: str) -> httpx.Response:
    return await client.patch(url, content=content, headers={**STREAM, "upload-offset": str(offset), **more})


async def offset(client: httpx.AsyncClient, url: str) -> str | None:
    found: str | None = (await client.head(url, headers=TUS)).headers.get("upload-offset")
    return found


async def test_a_file_comes_in_pieces_and_is_an_object_only_when_whole(storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        created = await create(
            service, bucket, "a/b.txt", 10, contentType="text/css", cacheControl="60", metadata='{"a":1}'
        )
        assert created.status_code == 201, created.text
        url = created.headers["location"]
        assert url.startswith(f"{storage.minato.url}/storage/v1/upload/resumable/")
        assert "upload-expires" in created.headers
        first = await append(service, url, 0, b"01234")
        assert (first.status_code, first.headers["upload-offset"]) == (204, "5")
        assert (await service.head(f"/object/{bucket}/a/b.txt")).status_code == 400
        assert await offset(service, url) == "5"
        last = await append(service, url, 5, b"56789")
        assert (last.headers["upload-offset"], last.headers["tus-complete"]) == ("10", "1")
        found = await service.get(f"/object/{bucket}/a/b.txt")
        info = (await service.get(f"/object/info/{bucket}/a/b.txt")).json()
        stopped = await service.delete(url, headers=TUS)
    assert found.content == b"0123456789"
    assert (found.headers["content-type"], found.headers["cache-control"]) == ("text/css", "private, max-age=60")
    assert found.headers["etag"] == f'"{hashlib.md5(b"0123456789").hexdigest()}"'
    assert info["metadata"] == {"a": 1}
    assert (stopped.status_code, stopped.text) == (400, "Cannot terminate an already completed upload")
    assert await storage.orphans() == 0


async def test_a_creation_may_bring_all_and_a_deferred_length_comes_later(storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        at_once = await service.post(
            ROOT,
            content=b"abc",
            headers={**STREAM, "upload-length": "3", "upload-metadata": metadata(bucket, "at-once")},
        )
        assert (at_once.status_code, at_once.headers["upload-offset"]) == (201, "3")
        assert (await service.get(f"/object/{bucket}/at-once")).content == b"abc"
        url = (await create(service, bucket, "later", None)).headers["location"]
        assert (await service.head(url, headers=TUS)).headers["upload-defer-length"] == "1"
        await append(service, url, 0, b"ab")
        await append(service, url, 2, b"cd", **{"upload-length": "4"})
        assert (await service.get(f"/object/{bucket}/later")).content == b"abcd"
        empty = await create(service, bucket, "empty", 0)
        assert empty.status_code == 201
        assert (await service.get(f"/object/{bucket}/empty")).content == b""


@in_a_folder
async def test_what_had_arrived_when_the_server_died_need_not_be_sent_again(storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        url = (await create(service, bucket, "k", 6)).headers["location"]
        await append(service, url, 0, b"abc")
        folder = storage.minato.backend.settings.server.data_dir.absolute() / "uploads"
        again = UploadFolder(folder)
        upload = await again.find(parse_upload_id(url.rpartition("/")[2]), 0)
        assert await again.offset(upload) == 3
        # The last bytes reach the disk, and the server dies before the row is written.
        (folder / f"{upload.version}.part").write_bytes(b"abcdef")
        assert await offset(service, url) == "6"
        assert (await service.get(f"/object/{bucket}/k")).content == b"abcdef"


@pytest.mark.parametrize("upsert", [False, True])
async def test_two_that_finish_one_upload_at_once_make_one_object(storage: Storage, upsert: bool) -> None:
    bucket, content = await storage.bucket(), bytes(range(256)) * 8192
    services = with_everybody_s_turn(storage.room.services)
    async with storage.service() as service:
        url = (await create(service, bucket, "k", len(content))).headers["location"]
        upload = await services.uploads.find(parse_upload_id(url.rpartition("/")[2]), 0)
        upload.upsert = upsert
        await services.uploads.append(upload, pieces(content), len(content))
        scope: Scope = {"type": "http", "method": "PATCH", "path": url, "headers": [], "query_string": b""}
        request = Request(scope, nothing_more, "storage.tus.upload.part", kept=KeptBody(services.bodies))
        await asyncio.gather(*(finish(services, request, replace(upload)) for _ in range(2)))
        await services.removals.end()
        assert (await service.get(f"/object/{bucket}/k")).content == content
        assert await offset(service, url) == str(len(content))
    assert await storage.orphans() == 0


def with_everybody_s_turn(services: Services) -> Services:
    """As where the session that held the lock has died, and who had it does not know yet."""

    @asynccontextmanager
    async def turn(name: str) -> AsyncIterator[bool]:
        yield True

    stored = isinstance(services.uploads, StoredUploads)
    return replace(services, uploads=StoredUploads(services.files, turn)) if stored else services


async def pieces(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def test_a_deleted_upload_and_one_that_took_too_long_are_gone(storage: Storage) -> None:
    bucket = await storage.bucket()
    clock = storage.minato.backend.clock
    async with storage.service() as service:
        url = (await create(service, bucket, "k", 6)).headers["location"]
        assert (await service.delete(url, headers=TUS)).status_code == 204
        missing = await append(service, url, 0, b"abc")
        assert (missing.status_code, missing.text) == (404, "The file for this url was not found\n")
        slow = (await create(service, bucket, "slow", 6)).headers["location"]
        clock.advance(timedelta(days=2))
        try:
            late = await append(service, slow, 0, b"abc")
            folder = storage.room.services.uploads
            assert await folder.clear(clock.timestamp()) >= 1
        finally:
            clock.advance(timedelta(days=-2))
        assert (late.status_code, late.text) == (410, "The file for this url no longer exists\n")
        assert (await append(service, slow, 0, b"abc")).status_code == 404


@in_a_folder
async def test_an_upload_is_written_by_one_request_at_a_time(storage: Storage) -> None:
    bucket, go = await storage.bucket(), asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b"a" * BLOCK
        await go.wait()
        yield b"b"

    async with storage.service() as service:
        url = (await create(service, bucket, "k", BLOCK + 1)).headers["location"]
        headers = {**STREAM, "upload-offset": "0"}
        first = asyncio.create_task(service.patch(url, content=slowly(), headers=headers))
        async with asyncio.timeout(PATIENCE):
            while await offset(service, url) != str(BLOCK):  # noqa: ASYNC110 - what is waited for rings no bell
                await asyncio.sleep(0)
        for refused in (await append(service, url, BLOCK, b"c"), await service.delete(url, headers=TUS)):
            assert (refused.status_code, refused.text) == (423, "The resource is locked")
        go.set()
        assert (await first).headers["upload-offset"] == str(BLOCK + 1)
        found = await service.get(f"/object/{bucket}/k")
    assert found.content == b"a" * BLOCK + b"b"


@pytest.mark.parametrize("storage", ["remote_minato"], indirect=True)
async def test_a_piece_that_finds_no_memory_is_sent_again(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    bucket, content = await storage.bucket(), bytes(range(256)) * 1024
    async with storage.service() as service:
        url = (await create(service, bucket, "k", len(content))).headers["location"]
        with monkeypatch.context() as patch:
            patch.setattr(storage.room.services.bodies, "_most", lambda: 1024)
            refused = await append(service, url, 0, content)
        assert (refused.status_code, refused.text) == (503, "Too many large request bodies at once")
        begun = int(await offset(service, url) or 0)
        assert (await append(service, url, begun, content[begun:])).status_code == 204
        assert (await service.get(f"/object/{bucket}/k")).content == content


async def test_a_signed_upload_needs_its_signature_and_nothing_else(storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        token = (await service.post(f"/object/upload/sign/{bucket}/k", json={})).json()["token"]
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as anybody:
        headers = {**TUS, "upload-length": "3", "upload-metadata": metadata(bucket, "k")}
        bare = await anybody.post(f"{ROOT}/sign", headers=headers)
        assert (bare.status_code, bare.text) == (400, "Missing x-signature header")
        forged = await anybody.post(f"{ROOT}/sign", headers={**headers, "x-signature": "nonsense"})
        assert (forged.status_code, forged.text) == (400, "Invalid Compact JWS")
        created = await anybody.post(f"{ROOT}/sign", headers={**headers, "x-signature": token})
        url = created.headers["location"]
        assert f"{ROOT}/sign/" in url
        assert (await anybody.head(url, headers=TUS)).status_code == 400
        assert (await append(anybody, url, 0, b"abc", **{"x-signature": token})).headers["tus-complete"] == "1"
        stolen = {**headers, "upload-metadata": metadata(bucket, "other"), "x-signature": token}
        assert (await anybody.post(f"{ROOT}/sign", headers=stolen)).text == "Invalid signature"


async def test_policies_are_asked_by_every_request(storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service, storage.client(storage.minato.token(str(uuid4()))) as stranger:
        refused = await create(stranger, bucket, "k", 3)
        assert (refused.status_code, refused.text) == (403, "new row violates row-level security policy")
        url = (await create(service, bucket, "k", 3)).headers["location"]
        assert (await append(stranger, url, 0, b"abc")).status_code == 403
        assert (await stranger.delete(url, headers=TUS)).status_code == 403
        assert await offset(service, url) == "0"
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as nobody:
        answer = await nobody.post(ROOT, headers=TUS)
    assert (answer.status_code, answer.json()["code"]) == (400, "AccessDenied")


async def test_an_object_is_replaced_only_with_x_upsert(storage: Storage) -> None:
    bucket = await storage.bucket()
    await storage.put(bucket, "k", b"old")
    async with storage.service() as service:
        refused = await create(service, bucket, "k", 3)
        assert (refused.status_code, refused.text) == (409, "The resource already exists")
        url = (await create(service, bucket, "k", 3, {"x-upsert": "true"})).headers["location"]
        assert (await append(service, url, 0, b"new")).text == "The resource already exists"
        assert (await append(service, url, 0, b"new", **{"x-upsert": "true"})).status_code == 204
        assert (await service.get(f"/object/{bucket}/k")).content == b"new"


async def test_more_bytes_than_declared_are_refused_and_none_of_them_kept(storage: Storage) -> None:
    bucket = await storage.bucket(file_size_limit=4)
    async with storage.service() as service:
        too_large = await create(service, bucket, "k", 5)
        assert (too_large.status_code, too_large.text) == (413, "Maximum size exceeded\n")
        for length in (3, None):
            url = (await create(service, bucket, "k", length)).headers["location"]
            assert (await append(service, url, 0, b"012345")).status_code == 413
            assert await offset(service, url) == "0"


@in_a_folder
@pytest.mark.parametrize(
    ("headers", "status", "text"),
    [
        ({"tus-resumable": ""}, 400, "Invalid tus-resumable\n"),
        ({"upload-length": None}, 400, "Upload-Length or Upload-Defer-Length header required\n"),
        ({"upload-defer-length": "1"}, 400, "Upload-Length or Upload-Defer-Length header required\n"),
        ({"upload-length": "-1"}, 400, "Invalid upload-length\n"),
        ({"upload-metadata": None}, 400, "Metadata header is required"),
        ({"upload-metadata": "bucketName %%%"}, 400, "Invalid upload-metadata\n"),
        ({"upload-metadata": metadata("nowhere", "k")}, 404, "Bucket not found"),
        ({"upload-metadata": metadata("{bucket}", "a/../b")}, 400, "Invalid key: a/../b"),
        (
            {"upload-metadata": metadata("{bucket}", "k", contentType="text/css")},
            415,
            "mime type text/css is not supported",
        ),
    ],
)
async def test_a_creation_that_is_wrong_is_told_so_in_plain_text(
    storage: Storage, headers: dict[str, str | None], status: int, text: str
) -> None:
    bucket = await storage.bucket(allowed_mime_types=["image/png"])
    known = base64.b64encode(b"{bucket}").decode()
    sent = {**TUS, "upload-length": "3", "upload-metadata": metadata(bucket, "k"), **headers}
    given = {
        name: value.replace(known, base64.b64encode(bucket.encode()).decode()) for name, value in sent.items() if value
    }
    if headers.get("tus-resumable") == "":
        given["tus-resumable"] = "0.2"
    async with storage.service() as service:
        answer = await service.post(ROOT, headers=given)
    assert (answer.status_code, answer.text) == (status, text)
    assert answer.headers["tus-resumable"] == "1.0.0"


async def test_a_piece_that_is_wrong_is_told_so_in_plain_text(storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        url = (await create(service, bucket, "k", 6)).headers["location"]
        cases = [
            ({"upload-offset": "0"}, 412, "Tus-Resumable Required\n"),
            (TUS, 403, "Upload-Offset header required\n"),
            ({**TUS, "upload-offset": "0"}, 403, "Content-Type header required\n"),
            ({**STREAM, "upload-offset": "1"}, 409, "Upload-Offset conflict\n"),
            ({**TUS, "content-type": "text/css", "upload-offset": "0"}, 400, "Invalid content-type\n"),
        ]
        for headers, status, text in cases:
            answer = await service.patch(url, headers=headers)
            assert (answer.status_code, answer.text) == (status, text)
        for bad in ("x", "%00", base64.urlsafe_b64encode(b"b/k/../../etc").decode()):
            answer = await append(service, f"{ROOT}/{bad}", 0, b"abc")
            assert (answer.status_code, answer.text) == (404, "The file for this url was not found\n")


@in_a_folder
async def test_options_tells_what_the_server_can_do(storage: Storage) -> None:
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as anybody:
        answer = await anybody.options(ROOT)
    assert answer.status_code == 204
    assert answer.headers["tus-version"] == "1.0.0"
    assert "creation-with-upload" in answer.headers["tus-extension"]
    assert answer.headers["tus-max-size"] == "52428800"


@pytest.mark.parametrize("algorithm", ["sha1", "sha256", "md5"])
async def test_bytes_that_are_not_what_their_checksum_says_are_not_kept(storage: Storage, algorithm: str) -> None:
    bucket = await storage.bucket()

    def checksum(content: bytes) -> str:
        return f"{algorithm} {base64.b64encode(hashlib.new(algorithm, content).digest()).decode()}"

    async with storage.service() as service:
        url = (await create(service, bucket, "k", 6)).headers["location"]
        wrong = await append(service, url, 0, b"abc", **{"upload-checksum": checksum(b"abd")})
        assert (wrong.status_code, wrong.text) == (460, "Checksum mismatch\n")
        for bad, text in (
            ("crc9 AAAA", "Unsupported checksum algorithm\n"),
            (f"{algorithm} ?", "Invalid upload-checksum\n"),
        ):
            refused = await append(service, url, 0, b"abc", **{"upload-checksum": bad})
            assert (refused.status_code, refused.text) == (400, text)
        assert await offset(service, url) == "0"
        await append(service, url, 0, b"abc", **{"upload-checksum": checksum(b"abc")})
        await append(service, url, 3, b"def")
        assert (await service.get(f"/object/{bucket}/k")).content == b"abcdef"
