"""Every way to put an object into a bucket, each a request or two, and what the refusals say."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from botocore.exceptions import ClientError

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, s3_client

TUS = {"tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream"}
Way = Callable[[Storage, str, str, str, bytes, str], Awaitable[int]]
"""(storage, token, bucket, key, content, type) → the status that is meant, 200 for done."""


def meant(answer: httpx.Response) -> int:
    if answer.is_success:
        return 200
    try:
        return int(answer.json()["statusCode"])
    except ValueError:
        return answer.status_code


def tus_headers(bucket: str, key: str, length: int, mime_type: str | None) -> dict[str, str]:
    pairs = {"bucketName": bucket, "objectName": key, **({} if mime_type is None else {"contentType": mime_type})}
    metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in pairs.items())
    return {**TUS, "upload-length": str(length), "upload-metadata": metadata}


async def upload(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    async with storage.client(token) as client:
        headers = {"content-type": mime_type}
        return meant(await client.post(f"/object/{bucket}/{key}", content=content, headers=headers))


async def form(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    async with storage.client(token) as client:
        files = {"": ("name", content, mime_type)}
        return meant(await client.post(f"/object/{bucket}/{key}", files=files))


async def signed(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    async with storage.client(token) as client:
        answer = await client.post(f"/object/upload/sign/{bucket}/{key}", json={})
        if not answer.is_success:
            return meant(answer)
        headers = {"content-type": mime_type}
        return meant(await client.put(answer.json()["url"], content=content, headers=headers))


async def resumable(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    async with storage.client(token) as client:
        headers = tus_headers(bucket, key, len(content), mime_type)
        return meant(await client.post("/upload/resumable", content=content, headers=headers))


async def copied(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    source = await storage.bucket(public=False)
    await storage.put(source, "source", content, "image/png")
    body = {"bucketId": source, "sourceKey": "source", "destinationBucket": bucket, "destinationKey": key}
    metadata = {"copyMetadata": False, "metadata": {"mimetype": mime_type}}
    async with storage.client(token) as client:
        return meant(await client.post("/object/copy", json={**body, **metadata}))


async def moved(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    source = await storage.bucket(public=False)
    await storage.put(source, "source", content, mime_type)
    body = {"bucketId": source, "sourceKey": "source", "destinationBucket": bucket, "destinationKey": key}
    async with storage.client(token) as client:
        return meant(await client.post("/object/move", json=body))


async def over_s3(function: Callable[..., Any], **arguments: Any) -> int:
    try:
        await call(function, **arguments)
    except ClientError as error:
        return int(error.response["ResponseMetadata"]["HTTPStatusCode"])
    return 200


async def s3_put(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    s3 = s3_client(storage, None if token == storage.minato.service_role_key else token)
    return await over_s3(s3.put_object, Bucket=bucket, Key=key, Body=content, ContentType=mime_type)


async def s3_copied(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    source = await storage.bucket(public=False)
    await storage.put(source, "source", content, "image/png")
    s3 = s3_client(storage, None if token == storage.minato.service_role_key else token)
    return await over_s3(
        s3.copy_object,
        Bucket=bucket,
        Key=key,
        CopySource={"Bucket": source, "Key": "source"},
        ContentType=mime_type,
        MetadataDirective="REPLACE",
    )


async def s3_parts(storage: Storage, token: str, bucket: str, key: str, content: bytes, mime_type: str) -> int:
    s3 = s3_client(storage, None if token == storage.minato.service_role_key else token)
    place = {"Bucket": bucket, "Key": key}
    try:
        begun = await call(s3.create_multipart_upload, **place, ContentType=mime_type)
        part = {**place, "UploadId": begun["UploadId"]}
        tag = (await call(s3.upload_part, **part, PartNumber=1, Body=content))["ETag"]
        parts = {"Parts": [{"PartNumber": 1, "ETag": tag}]}
        await call(s3.complete_multipart_upload, **part, MultipartUpload=parts)
    except ClientError as error:
        return int(error.response["ResponseMetadata"]["HTTPStatusCode"])
    return 200


WAYS: dict[str, Way] = {
    "upload": upload,
    "form": form,
    "signed": signed,
    "resumable": resumable,
    "copied": copied,
    "moved": moved,
    "s3 put": s3_put,
    "s3 copied": s3_copied,
    "s3 parts": s3_parts,
}
