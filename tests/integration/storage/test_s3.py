"""The S3 protocol as boto3 speaks it: buckets, objects, listings, copies, uploads in parts, folders."""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, refusal, s3_client

PART = 5 * 1024 * 1024


@pytest.fixture
def s3(storage: Storage) -> Any:
    return s3_client(storage)


async def test_buckets_are_made_found_and_deleted(storage: Storage, s3: Any) -> None:
    name = f"s3-{storage.minato.backend.entropy.uuid4()}"
    made = await call(s3.create_bucket, Bucket=name, ACL="public-read")
    assert made["Location"] == f"/{name}"
    listed = await call(s3.list_buckets)
    assert name in [bucket["Name"] for bucket in listed["Buckets"]]
    found = await call(s3.head_bucket, Bucket=name)
    assert found["ResponseMetadata"]["HTTPHeaders"]["x-amz-bucket-region"] == "local"
    assert (await call(s3.get_bucket_location, Bucket=name))["LocationConstraint"] == "local"
    assert (await call(s3.get_bucket_versioning, Bucket=name))["Status"] == "Suspended"
    async with storage.service() as service:
        assert (await service.get(f"/bucket/{name}")).json()["public"] is True
    assert await refusal(s3.create_bucket, Bucket=name) == (409, "BucketAlreadyExists")
    await call(s3.put_object, Bucket=name, Key="k", Body=b"x")
    assert await refusal(s3.delete_bucket, Bucket=name) == (409, "ResourceNotEmpty")
    await call(s3.delete_object, Bucket=name, Key="k")
    await call(s3.delete_bucket, Bucket=name)
    assert (await refusal(s3.head_bucket, Bucket=name))[0] == 404
    assert await refusal(s3.list_objects_v2, Bucket=name) == (404, "NoSuchBucket")


async def test_an_object_keeps_its_bytes_type_and_metadata(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    key = "a folder/it's (1)!.txt"
    put = await call(
        s3.put_object,
        Bucket=bucket,
        Key=key,
        Body=b"0123456789",
        ContentType="text/plain",
        CacheControl="max-age=60",
        Metadata={"car": "blue"},
    )
    assert put["ETag"] == f'"{hashlib.md5(b"0123456789").hexdigest()}"'
    got = await call(s3.get_object, Bucket=bucket, Key=key)
    assert await asyncio.to_thread(got["Body"].read) == b"0123456789"
    assert (got["ContentType"], got["Metadata"], got["ETag"]) == ("text/plain", {"car": "blue"}, put["ETag"])
    part = await call(s3.get_object, Bucket=bucket, Key=key, Range="bytes=2-4")
    assert (part["ContentRange"], await asyncio.to_thread(part["Body"].read)) == ("bytes 2-4/10", b"234")
    head = await call(s3.head_object, Bucket=bucket, Key=key)
    assert (head["ContentLength"], head["Metadata"]) == (10, {"car": "blue"})
    async with storage.service() as service:
        info = (await service.get(f"/object/info/{bucket}/{key}")).json()
    assert (info["metadata"], info["cache_control"], info["size"]) == ({"car": "blue"}, "max-age=60", 10)
    assert (await call(s3.get_object_tagging, Bucket=bucket, Key=key))["TagSet"] == []


async def test_conditions_and_ranges_that_do_not_hold_are_refused(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    tag = (await call(s3.put_object, Bucket=bucket, Key="k", Body=b"old"))["ETag"]
    assert (await refusal(s3.get_object, Bucket=bucket, Key="k", IfNoneMatch=tag))[0] == 304
    assert await refusal(s3.get_object, Bucket=bucket, Key="k", IfMatch='"x"') == (412, "PreconditionFailed")
    assert await refusal(s3.get_object, Bucket=bucket, Key="k", Range="bytes=9-") == (416, "InvalidRange")
    assert await refusal(s3.put_object, Bucket=bucket, Key="k", Body=b"new", IfNoneMatch="*") == (
        412,
        "PreconditionFailed",
    )
    assert await refusal(s3.get_object, Bucket=bucket, Key="nothing") == (404, "NoSuchKey")
    assert await refusal(s3.put_object, Bucket=bucket, Key="a/../b", Body=b"x") == (400, "InvalidKey")
    assert await refusal(s3.put_object, Bucket="nowhere", Key="k", Body=b"x") == (404, "NoSuchBucket")
    assert await refusal(s3.put_object_acl, Bucket=bucket, Key="k", ACL="private") == (501, "NotImplemented")
    got = await call(s3.get_object, Bucket=bucket, Key="k", ResponseContentDisposition="attachment")
    assert (got["ContentDisposition"], await asyncio.to_thread(got["Body"].read)) == ("attachment", b"old")


async def test_copies_take_the_metadata_along_or_get_their_own(storage: Storage, s3: Any) -> None:
    bucket, other = await storage.bucket(), await storage.bucket()
    await call(s3.put_object, Bucket=bucket, Key="a b", Body=b"x", ContentType="text/css", Metadata={"m": "1"})
    source = {"Bucket": bucket, "Key": "a b"}
    await call(s3.copy_object, Bucket=other, Key="same", CopySource=source)
    await call(
        s3.copy_object,
        Bucket=other,
        Key="own",
        CopySource=source,
        MetadataDirective="REPLACE",
        ContentType="text/plain",
        Metadata={"n": "2"},
    )
    heads = [await call(s3.head_object, Bucket=other, Key=key) for key in ("same", "own")]
    assert [(head["ContentType"], head["Metadata"]) for head in heads] == [
        ("text/css", {"m": "1"}),
        ("text/plain", {"n": "2"}),
    ]
    missing = {"Bucket": bucket, "Key": "nothing"}
    assert await refusal(s3.copy_object, Bucket=other, Key="k", CopySource=missing) == (404, "NoSuchKey")
    assert await refusal(s3.copy_object, Bucket=other, Key="k", CopySource=source, CopySourceIfMatch='"x"') == (
        412,
        "PreconditionFailed",
    )


async def test_a_copy_that_replaces_the_metadata_keeps_none_it_does_not_name(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    given = {"ContentType": "text/css", "CacheControl": "max-age=60", "Metadata": {"m": "1"}}
    await call(s3.put_object, Bucket=bucket, Key="k", Body=b"x", **given)
    wanted = {"Bucket": bucket, "CopySource": {"Bucket": bucket, "Key": "k"}, "MetadataDirective": "REPLACE"}
    await call(s3.copy_object, **wanted, Key="own age", CacheControl="max-age=9")
    await call(s3.copy_object, **wanted, Key="own type", ContentType="text/plain")
    heads = [await call(s3.head_object, Bucket=bucket, Key=key) for key in ("own age", "own type")]
    assert [(head["ContentType"], head["CacheControl"], head["Metadata"]) for head in heads] == [
        ("application/octet-stream", "private, max-age=9", {}),
        ("text/plain", "private, no-cache", {}),
    ]


async def test_deleting_what_is_not_there_is_no_error(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    for key in ("a", "b&<c>.txt".replace("<", "(").replace(">", ")")):
        await call(s3.put_object, Bucket=bucket, Key=key, Body=b"x")
    assert (await call(s3.delete_object, Bucket=bucket, Key="nothing"))["ResponseMetadata"]["HTTPStatusCode"] == 204
    wanted = {"Objects": [{"Key": key} for key in ("a", "b&(c).txt", "nothing")]}
    gone = await call(s3.delete_objects, Bucket=bucket, Delete=wanted)
    assert [item["Key"] for item in gone["Deleted"]] == ["a", "b&(c).txt", "nothing"]
    assert "Errors" not in gone
    assert await refusal(s3.delete_object, Bucket="nowhere", Key="k") == (404, "NoSuchBucket")
    assert await storage.orphans() == 0


@pytest.mark.parametrize("version", ["list_objects", "list_objects_v2"])
@pytest.mark.parametrize("delimiter", ["", "/", "-"])
async def test_every_key_and_group_is_listed_once_however_small_the_pages(
    storage: Storage, s3: Any, version: str, delimiter: str
) -> None:
    bucket = await storage.bucket()
    keys = ["a", "a-b", "b-1", "b-2/x", "c d/+1", "c d/2", "c d/e/3", "z/"]
    for key in keys:
        await call(s3.put_object, Bucket=bucket, Key=key, Body=b"x" if key != "z/" else b"")
    stored = [*keys[:-1], "z/.emptyFolderPlaceholder"]
    expected = {key.split(delimiter)[0] + delimiter if delimiter and delimiter in key else key for key in stored}
    pages = s3.get_paginator(version).paginate(Bucket=bucket, Delimiter=delimiter, PaginationConfig={"PageSize": 1})
    found = await asyncio.to_thread(lambda: list(pages))
    listed = [item["Key"] for page in found for item in page.get("Contents", [])]
    listed += [item["Prefix"] for page in found for item in page.get("CommonPrefixes", [])]
    assert sorted(listed) == sorted(expected)


async def test_listings_begin_at_a_prefix_and_behind_a_key(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    for key in ("a/1", "a/2", "ab", "b"):
        await call(s3.put_object, Bucket=bucket, Key=key, Body=b"xy")
    found = await call(s3.list_objects_v2, Bucket=bucket, Prefix="a", StartAfter="a/1", MaxKeys=1)
    assert [(item["Key"], item["Size"]) for item in found["Contents"]] == [("a/2", 2)]
    assert (found["IsTruncated"], found["KeyCount"], found["MaxKeys"]) == (True, 1, 1)
    grouped = await call(s3.list_objects_v2, Bucket=bucket, Delimiter="/", StartAfter="a/1")
    assert [item["Prefix"] for item in grouped["CommonPrefixes"]] == ["a/"]
    assert await refusal(s3.list_objects_v2, Bucket=bucket, ContinuationToken="???") == (400, "InvalidParameter")


async def test_an_upload_in_parts_is_one_object_when_completed(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    place = {"Bucket": bucket, "Key": "big"}
    begun = await call(s3.create_multipart_upload, **place, ContentType="text/plain", Metadata={"m": "1"})
    upload = {**place, "UploadId": begun["UploadId"]}
    await call(s3.put_object, Bucket=bucket, Key="source", Body=b"0123456789")
    pieces = [b"a" * PART, b"b" * 10]
    tags = [
        (await call(s3.upload_part, **upload, PartNumber=number, Body=body))["ETag"]
        for number, body in ((1, b"replaced"), (1, pieces[0]), (2, pieces[1]))
    ][1:]
    copied = await call(
        s3.upload_part_copy,
        **upload,
        PartNumber=7,
        CopySource={"Bucket": bucket, "Key": "source"},
        CopySourceRange="bytes=2-4",
    )
    tags.append(copied["CopyPartResult"]["ETag"])
    listed = await call(s3.list_parts, **upload, MaxParts=2)
    assert [(part["PartNumber"], part["Size"]) for part in listed["Parts"]] == [(1, PART), (2, 10)]
    assert listed["NextPartNumberMarker"] == 2
    uploads = await call(s3.list_multipart_uploads, Bucket=bucket)
    assert [item["UploadId"] for item in uploads["Uploads"]] == [begun["UploadId"]]
    assert await refusal(s3.delete_bucket, Bucket=bucket) == (409, "ResourceNotEmpty")
    # The parts are files that no object names: the sweep knows them.
    assert await storage.orphans() == 0
    parts = [{"PartNumber": number, "ETag": tag} for number, tag in zip((1, 2, 7), tags, strict=True)]
    done = await call(s3.complete_multipart_upload, **upload, MultipartUpload={"Parts": parts})
    got = await call(s3.get_object, **place)
    assert await asyncio.to_thread(got["Body"].read) == b"".join(pieces) + b"234"
    assert (got["ContentType"], got["Metadata"], got["ETag"]) == ("text/plain", {"m": "1"}, done["ETag"])
    assert done["ETag"].endswith('-3"')
    assert (done["Bucket"], done["Key"], done["Location"]) == (bucket, "big", f"{bucket}/big")
    assert await refusal(s3.list_parts, **upload) == (404, "NoSuchUpload")
    assert await storage.orphans() == 0


async def test_uploads_under_way_are_listed_once_however_small_the_pages(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    keys = ["a", "b", "b", "b", "c/d"]
    begun = [(await call(s3.create_multipart_upload, Bucket=bucket, Key=key))["UploadId"] for key in keys]
    pages = s3.get_paginator("list_multipart_uploads").paginate(Bucket=bucket, PaginationConfig={"PageSize": 1})
    found = [item for page in await asyncio.to_thread(lambda: list(pages)) for item in page["Uploads"]]
    assert [item["Key"] for item in found] == keys
    assert sorted(item["UploadId"] for item in found) == sorted(begun)
    behind = await call(s3.list_multipart_uploads, Bucket=bucket, KeyMarker="b")
    assert [item["Key"] for item in behind["Uploads"]] == ["c/d"]


async def test_an_upload_in_parts_is_refused_what_does_not_fit(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket(file_size_limit=10)
    place = {"Bucket": bucket, "Key": "k"}
    upload = {**place, "UploadId": (await call(s3.create_multipart_upload, **place))["UploadId"]}
    one = (await call(s3.upload_part, **upload, PartNumber=1, Body=b"123456"))["ETag"]
    assert await refusal(s3.upload_part, **upload, PartNumber=2, Body=b"123456") == (413, "EntityTooLarge")
    two = (await call(s3.upload_part, **upload, PartNumber=2, Body=b"1234"))["ETag"]
    cases = [
        ([(2, two), (1, one)], "InvalidPartOrder"),
        ([(1, two)], "InvalidPart"),
        ([(1, one), (3, two)], "InvalidPart"),
    ]
    for chosen, code in cases:
        parts = {"Parts": [{"PartNumber": number, "ETag": tag} for number, tag in chosen]}
        assert await refusal(s3.complete_multipart_upload, **upload, MultipartUpload=parts) == (400, code)
    other = {**upload, "Key": "other"}
    assert await refusal(s3.upload_part, **other, PartNumber=1, Body=b"x") == (404, "NoSuchUpload")
    assert await refusal(s3.upload_part, **upload, PartNumber=0, Body=b"x") == (400, "InvalidParameter")
    await call(s3.abort_multipart_upload, **upload)
    assert await refusal(s3.abort_multipart_upload, **upload) == (404, "NoSuchUpload")
    assert await storage.orphans() == 0


async def test_a_folder_goes_up_and_comes_down_again(storage: Storage, s3: Any, tmp_path: Path) -> None:
    bucket = await storage.bucket()
    files = {"a.txt": b"a", "deep/er/b.bin": bytes(range(256)) * 50_000, "deep/empty": b""}
    for name, content in files.items():
        path = tmp_path / "up" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        await call(s3.upload_file, Filename=str(path), Bucket=bucket, Key=name)
    listed = await call(s3.list_objects_v2, Bucket=bucket)
    for item in listed["Contents"]:
        path = tmp_path / "down" / item["Key"]
        path.parent.mkdir(parents=True, exist_ok=True)
        await call(s3.download_file, Bucket=bucket, Key=item["Key"], Filename=str(path))
    down = tmp_path / "down"
    assert {str(path.relative_to(down)): path.read_bytes() for path in down.rglob("*") if path.is_file()} == files


async def test_presigned_urls_work_for_anybody_until_they_expire(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket()
    place = {"Bucket": bucket, "Key": "k k"}
    put, get = (s3.generate_presigned_url(name, Params=place, ExpiresIn=60) for name in ("put_object", "get_object"))
    late = s3.generate_presigned_url("get_object", Params=place, ExpiresIn=0)
    async with httpx.AsyncClient() as anybody:
        assert (await anybody.put(put, content=b"mine")).status_code == 200
        assert (await anybody.get(get)).content == b"mine"
        assert (await anybody.put(get, content=b"other")).status_code == 403
        assert (await anybody.put(put, content=b"x", headers={"x-amz-copy-source": "a/b"})).status_code == 403
        tampered = await anybody.get(get.replace("k%20k", "other"))
        assert (tampered.status_code, "SignatureDoesNotMatch" in tampered.text) == (403, True)
        assert "ExpiredToken" in (await anybody.get(late)).text
        endless = await anybody.get("&".join(part for part in get.split("&") if "Expires" not in part))
        assert (endless.status_code, "InvalidSignature" in endless.text) == (400, True)


async def test_rclone_brings_a_folder_there_and_back(storage: Storage, tmp_path: Path) -> None:
    bucket, keys = await storage.bucket(), storage.minato.backend.api_keys
    files = {"a.txt": b"a", "deep/er/b.bin": bytes(range(256)) * 50_000}
    for name, content in files.items():
        path = tmp_path / "up" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    remote = {
        "TYPE": "s3",
        "PROVIDER": "Other",
        "ENDPOINT": f"{storage.minato.url}/storage/v1/s3",
        "REGION": "local",
        "ACCESS_KEY_ID": keys.s3_access_key_id,
        "SECRET_ACCESS_KEY": keys.s3_access_key_secret,
        "UPLOAD_CUTOFF": "5Mi",
        "CHUNK_SIZE": "5Mi",
    }
    environment = {f"RCLONE_CONFIG_MINATO_{name}": value for name, value in remote.items()}
    for action in (
        ("copy", str(tmp_path / "up"), f"minato:{bucket}/x"),
        ("check", str(tmp_path / "up"), f"minato:{bucket}/x"),
        ("sync", f"minato:{bucket}/x", str(tmp_path / "down")),
        ("delete", f"minato:{bucket}/x"),
    ):
        command = ("rclone", "--config", str(tmp_path / "none"), *action)
        done = await asyncio.create_subprocess_exec(
            *command,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **environment},
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await done.communicate()
        assert done.returncode == 0, errors.decode()
    down = tmp_path / "down"
    assert {str(path.relative_to(down)): path.read_bytes() for path in down.rglob("*") if path.is_file()} == files
    assert await storage.orphans() == 0


async def test_a_bucket_of_some_types_judges_a_copy_by_the_type_that_it_is_given(storage: Storage, s3: Any) -> None:
    bucket = await storage.bucket(allowed_mime_types=["text/*"])
    await call(s3.put_object, Bucket=bucket, Key="k", Body=b"x", ContentType="text/css")
    wanted = {"Bucket": bucket, "CopySource": {"Bucket": bucket, "Key": "k"}, "MetadataDirective": "REPLACE"}
    await call(s3.copy_object, **wanted, Key="plain", ContentType="text/plain")
    for given in ({"ContentType": "image/png"}, {}):
        status, code = await refusal(s3.copy_object, **wanted, Key="other", **given)
        assert (status, code) == (415, "InvalidMimeType"), given
