"""What an S3 client relies on: what it wrote stays, what it named is what it gets, and its conditions hold."""

from __future__ import annotations

import asyncio
import base64
import random
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from minato.storage.request import Request
from minato.storage.transactions import Transactions
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, refusal, s3_client

LONG_AGO = datetime(2015, 10, 21, tzinfo=UTC)


@pytest.fixture
def s3(storage: Storage) -> Any:
    return s3_client(storage)


async def uploaded(s3: Any, bucket: str, key: str, body: bytes, **asked: Any) -> dict[str, Any]:
    """What completes an upload of one part that has arrived."""
    place = {"Bucket": bucket, "Key": key}
    upload = {**place, "UploadId": (await call(s3.create_multipart_upload, **place, **asked))["UploadId"]}
    part = await call(s3.upload_part, **upload, PartNumber=1, Body=body)
    return {**upload, "MultipartUpload": {"Parts": [{"PartNumber": 1, "ETag": part["ETag"]}]}}


async def content(s3: Any, bucket: str, key: str) -> bytes:
    got = await call(s3.get_object, Bucket=bucket, Key=key)
    return bytes(await asyncio.to_thread(got["Body"].read))


async def test_an_upload_by_form_is_said_not_to_be_offered(storage: Storage, s3: Any) -> None:
    post = s3.generate_presigned_post(await storage.bucket(), "k")
    async with httpx.AsyncClient() as browser:
        answer = await browser.post(post["url"], data=post["fields"], files={"file": b"content"})
    assert answer.status_code == 501
    assert "NotImplemented" in answer.text


async def test_what_finds_no_memory_is_told_to_come_again(
    storage: Storage, s3: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket, bodies = await storage.bucket(), storage.room.services.bodies
    with monkeypatch.context() as patch:
        patch.setattr(bodies, "_most", lambda: 1024)
        assert await refusal(s3.put_object, Bucket=bucket, Key="k", Body=b"x" * 4096) == (503, "SlowDown")
    await call(s3.put_object, Bucket=bucket, Key="k", Body=b"x" * 4096)
    assert bodies.left == storage.minato.backend.settings.storage.body_memory


async def test_an_object_may_be_of_the_type_of_a_form(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    await call(
        s3.complete_multipart_upload,
        **await uploaded(s3, bucket, "k", b"content", ContentType="multipart/form-data; boundary=x"),
    )
    assert await content(s3, bucket, "k") == b"content"


async def test_an_object_whose_commit_nobody_heard_of_keeps_its_file(
    storage: Storage, s3: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket = await storage.bucket()
    upload = await uploaded(s3, bucket, "k", b"precious")
    as_service = Transactions.as_service

    @asynccontextmanager
    async def unheard(self: Transactions, request: Request, lock: str | None = None) -> AsyncIterator[AsyncConnection]:
        async with as_service(self, request, lock) as connection:
            yield connection
        raise DBAPIError("commit", None, Exception("connection lost"), connection_invalidated=True)

    with monkeypatch.context() as lost:
        lost.setattr(Transactions, "as_service", unheard)
        assert (await refusal(s3.complete_multipart_upload, **upload))[0] == 503
    assert await content(s3, bucket, "k") == b"precious"
    # The file of its part.
    assert await storage.orphans() == 1


async def test_a_copy_is_of_the_object_that_was_named_whatever_characters_its_name_has(
    storage: Storage, s3: Any
) -> None:
    bucket = await storage.bucket()
    for key in ("a", "a?b", "p+q r&s=t"):
        await call(s3.put_object, Bucket=bucket, Key=key, Body=key.encode())
    for key in ("a", "a?b", "p+q r&s=t"):
        await call(s3.copy_object, Bucket=bucket, Key="copy", CopySource={"Bucket": bucket, "Key": key})
        assert await content(s3, bucket, "copy") == key.encode()
    only = {"Bucket": bucket, "Key": "a?b", "VersionId": "null"}
    await call(s3.copy_object, Bucket=bucket, Key="copy", CopySource=only)
    assert await content(s3, bucket, "copy") == b"a?b"
    former = {**only, "VersionId": "former"}
    assert await refusal(s3.copy_object, Bucket=bucket, Key="copy", CopySource=former) == (404, "NoSuchVersion")


async def test_the_checksum_of_a_whole_object_is_compared_when_its_parts_are_joined(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    right, wrong = (base64.b64encode(zlib.crc32(text).to_bytes(4, "big")).decode() for text in (b"parts", b"others"))
    upload = await uploaded(s3, bucket, "k", b"parts", ChecksumAlgorithm="CRC32", ChecksumType="FULL_OBJECT")
    assert await refusal(s3.complete_multipart_upload, **upload, ChecksumType="FULL_OBJECT", ChecksumCRC32=wrong) == (
        400,
        "BadDigest",
    )
    await call(s3.complete_multipart_upload, **upload, ChecksumType="FULL_OBJECT", ChecksumCRC32=right)
    assert await content(s3, bucket, "k") == b"parts"
    assert await storage.orphans() == 0


async def test_what_is_read_under_a_condition_is_what_the_reader_meant(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    tag = (await call(s3.put_object, Bucket=bucket, Key="k", Body=b"x"))["ETag"]
    for read in (s3.get_object, s3.head_object):
        for known in (tag, tag.strip('"'), f"W/{tag}", f'"other", {tag}', "*"):
            assert (await refusal(read, Bucket=bucket, Key="k", IfNoneMatch=known))[0] == 304
        for wanted in (tag, tag.strip('"'), f'"other", {tag}', "*"):
            await call(read, Bucket=bucket, Key="k", IfMatch=wanted, IfUnmodifiedSince=LONG_AGO)
        await call(read, Bucket=bucket, Key="k", IfNoneMatch='"other"')
        assert (await refusal(read, Bucket=bucket, Key="k", IfMatch='"other"'))[0] == 412
        assert (await refusal(read, Bucket=bucket, Key="k", IfUnmodifiedSince=LONG_AGO))[0] == 412


async def test_only_the_object_that_the_writer_knew_is_replaced(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    place = {"Bucket": bucket, "Key": "k"}
    first = (await call(s3.put_object, **place, Body=b"first"))["ETag"]
    second = (await call(s3.put_object, **place, Body=b"second", IfMatch=first))["ETag"]
    assert await refusal(s3.put_object, **place, Body=b"late", IfMatch=first) == (412, "PreconditionFailed")
    assert await refusal(s3.put_object, Bucket=bucket, Key="none", Body=b"x", IfMatch="*") == (404, "NoSuchKey")
    assert await refusal(s3.put_object, **place, Body=b"late", IfNoneMatch=first) == (501, "NotImplemented")
    assert await content(s3, bucket, "k") == b"second"
    upload = await uploaded(s3, bucket, "k", b"parts")
    for condition in ({"IfNoneMatch": "*"}, {"IfMatch": first}):
        assert await refusal(s3.complete_multipart_upload, **upload, **condition) == (412, "PreconditionFailed")
    await call(s3.complete_multipart_upload, **upload, IfMatch=second)
    assert await content(s3, bucket, "k") == b"parts"
    missing = await uploaded(s3, bucket, "none", b"parts")
    assert await refusal(s3.complete_multipart_upload, **missing, IfMatch=second) == (404, "NoSuchKey")
    await call(s3.complete_multipart_upload, **missing, IfNoneMatch="*")
    assert await storage.orphans() == 0


async def test_of_writers_who_knew_the_same_object_one_replaces_it(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    place = {"Bucket": bucket, "Key": "k"}
    tag = (await call(s3.put_object, **place, Body=b"known"))["ETag"]
    wrote = await asyncio.gather(
        *(call(s3.put_object, **place, Body=b"%d" % number, IfMatch=tag) for number in range(6)), return_exceptions=True
    )
    assert sum(not isinstance(answer, Exception) for answer in wrote) == 1
    assert await storage.orphans() == 0


async def test_an_upload_in_parts_that_nobody_ends_is_aborted_after_a_day(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    old, new = [await uploaded(s3, bucket, key, b"parts") for key in ("old", "new")]
    empty = (await call(s3.create_multipart_upload, Bucket=bucket, Key="empty"))["UploadId"]
    begun = "update storage.s3_multipart_uploads set created_at = created_at - interval '25 hours' where id = any ($1)"
    await storage.minato.db.execute(begun, [old["UploadId"], empty])
    assert await storage.room.house.abort_old_uploads() >= 2
    assert await refusal(s3.complete_multipart_upload, **old) == (404, "NoSuchUpload")
    under_way = (await call(s3.list_multipart_uploads, Bucket=bucket))["Uploads"]
    assert [upload["Key"] for upload in under_way] == ["new"]
    # Its part is gone with it.
    assert await storage.orphans() == 0
    await call(s3.complete_multipart_upload, **new)


async def test_an_upload_whose_part_is_gone_from_the_store_is_refused(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    upload = await uploaded(s3, bucket, "k", b"parts")
    files = storage.room.services.files
    gone = [file.path async for batch in files.list() for file in batch if file.path.startswith(f"{bucket}/")]
    await files.delete(gone)
    assert await refusal(s3.complete_multipart_upload, **upload) == (400, "InvalidPart")
    await call(s3.abort_multipart_upload, Bucket=bucket, Key="k", UploadId=upload["UploadId"])


async def test_a_key_that_is_too_long_to_be_found_again_is_refused(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    key = random.Random(1).randbytes(3000).hex()
    assert await refusal(s3.put_object, Bucket=bucket, Key=key, Body=b"x") == (400, "InvalidKey")
    assert await refusal(s3.create_multipart_upload, Bucket=bucket, Key=key) == (400, "InvalidKey")
    async with storage.service() as service:
        assert (await service.post(f"/object/{bucket}/{key}", content=b"x")).json()["code"] == "InvalidKey"
    assert await storage.orphans() == 0


async def test_an_object_has_one_part_to_who_reads_it_in_parts(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    await call(s3.put_object, Bucket=bucket, Key="k", Body=b"bytes", Metadata={"a.b": "c"})
    got = await call(s3.get_object, Bucket=bucket, Key="k", PartNumber=1)
    assert (await asyncio.to_thread(got["Body"].read), got["Metadata"]) == (b"bytes", {"a.b": "c"})
    assert (await call(s3.head_object, Bucket=bucket, Key="k", PartNumber=1))["ContentLength"] == 5
    assert await refusal(s3.get_object, Bucket=bucket, Key="k", PartNumber=2) == (416, "InvalidPartNumber")


async def test_only_the_object_that_was_meant_is_deleted(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    place = {"Bucket": bucket, "Key": "k"}
    tag = (await call(s3.put_object, **place, Body=b"x"))["ETag"]
    assert await refusal(s3.delete_object, **place, IfMatch='"other"') == (412, "PreconditionFailed")
    named: list[dict[str, Any]] = [{"Key": "k", "ETag": '"other"'}, {"Key": "k", "VersionId": "former"}]
    for item in named:
        kept = await call(s3.delete_objects, Bucket=bucket, Delete={"Objects": [item]})
        assert [error["Code"] for error in kept["Errors"]] == ["NotImplemented"]
    assert await content(s3, bucket, "k") == b"x"
    await call(s3.delete_object, **place, IfMatch=tag)
    assert (await refusal(s3.head_object, **place))[0] == 404
    assert await refusal(s3.delete_object, **place, IfMatch=tag) == (404, "NoSuchKey")


async def test_a_download_is_not_resumed_with_the_bytes_of_another_object(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket(public=True)
    tag = (await call(s3.put_object, Bucket=bucket, Key="k", Body=b"0123456789"))["ETag"]
    async with storage.client() as anybody:
        for known, answer in ((tag, b"56789"), ('"other"', b"0123456789"), (f"W/{tag}", b"0123456789")):
            headers = {"range": "bytes=5-", "if-range": known}
            got = await anybody.get(f"/object/public/{bucket}/k", headers=headers)
            assert (got.status_code, got.content) == (206 if answer == b"56789" else 200, answer)
        modified = got.headers["last-modified"]
        for date, status in ((modified, 206), ("Wed, 21 Oct 2015 07:28:00 GMT", 200), ("nonsense", 200)):
            headers = {"range": "bytes=5-", "if-range": date}
            assert (await anybody.get(f"/object/public/{bucket}/k", headers=headers)).status_code == status


async def test_a_part_is_copied_whole_or_not_at_all(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    await call(s3.put_object, Bucket=bucket, Key="k", Body=b"0123456789")
    place = {"Bucket": bucket, "Key": "copy"}
    upload = {**place, "UploadId": (await call(s3.create_multipart_upload, **place))["UploadId"], "PartNumber": 1}
    copy = {**upload, "CopySource": {"Bucket": bucket, "Key": "k"}}
    for wanted in ("bytes=5-10", "bytes=-5", "bytes=5-"):
        assert await refusal(s3.upload_part_copy, **copy, CopySourceRange=wanted) == (416, "InvalidRange")
    await call(s3.upload_part_copy, **copy, CopySourceRange="bytes=5-9")
