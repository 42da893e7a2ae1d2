"""What an S3 client relies on: what it wrote stays, what it named is what it gets, and its conditions hold."""

from __future__ import annotations

import asyncio
import base64
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from minato.storage.request import Request
from minato.storage.transactions import Transactions
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, refusal, s3_client


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
