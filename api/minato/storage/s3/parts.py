"""The parts of multipart uploads: sent, copied from an object, and listed; the uploads themselves listed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from minato.storage.buckets import require_bucket
from minato.storage.errors import file_missing, invalid_range, too_large
from minato.storage.reply import Reply, encode_headers, iso_time
from minato.storage.s3.copying import copy_source
from minato.storage.s3.listing import url_encoder
from minato.storage.s3.multipart import MOST_PARTS, open_upload
from minato.storage.s3.multipart_rows import (
    MultipartUpload,
    Part,
    list_uploads,
    other_parts_size,
    replace_part,
    require_upload,
)
from minato.storage.s3.multipart_rows import list_parts as list_stored_parts
from minato.storage.s3_wire.errors import invalid_argument, refuse
from minato.storage.s3_wire.payload import S3Request, payload, payload_length, read_count
from minato.storage.s3_wire.xml import XML, render_xml
from minato.storage.services import Services
from minato.storage.upload_content import Measured
from minato.storage.uploading import size_limit
from minato.storage.versions import discard_files, new_version, write_file

COPIED = re.compile(r"bytes=(\d{1,19})-(\d{1,19})", re.ASCII)
NO_LENGTH = "You must provide the Content-Length HTTP header."


async def upload_part(services: Services, request: S3Request) -> Reply:
    """Store a part; one sent again replaces the one before."""
    number, length = _number(request), payload_length(request)
    if length is None:
        raise refuse(411, "MissingContentLength", NO_LENGTH)
    measured = await _store(services, request, number, payload(request), length)
    return Reply(200, encode_headers({"etag": measured.etag}))


async def upload_part_copy(services: Services, request: S3Request) -> Reply:
    """A part out of an object, or out of a range of it."""
    number = _number(request)
    found = await copy_source(services, request)
    start, stop = _copied(request, found.size)
    try:
        chunks = await services.files.read(found.path, start, stop)
    except FileNotFoundError:
        raise file_missing() from None
    measured = await _store(services, request, number, chunks, stop - start)
    result = {"LastModified": iso_time(services.clock.now()), "ETag": measured.etag}
    return Reply(200, [XML], render_xml("CopyPartResult", result))


def _copied(request: S3Request, size: int) -> tuple[int, int]:
    """What is copied of so many bytes: unlike a reader's, the range must lie in them."""
    header = request.headers.get("x-amz-copy-source-range")
    if header is None:
        return 0, size
    found = COPIED.fullmatch(header.strip())
    if found is None or not int(found[1]) <= int(found[2]) < size:
        raise invalid_range()
    return int(found[1]), int(found[2]) + 1


async def list_parts(services: Services, request: S3Request) -> Reply:
    """What has arrived, as far as the caller's policies on the upload's parts show it."""
    limit, after = (
        read_count(request, "max-parts", 1000, 1),
        read_count(request, "part-number-marker", 0, 0, MOST_PARTS),
    )
    upload = await open_upload(services, request)
    async with services.transactions.as_caller(request) as connection:
        found = await list_stored_parts(connection, upload.id, after, limit + 1)
    shown, more = found[:limit], len(found) > limit
    result = {
        "Bucket": request.bucket,
        "Key": request.key,
        "UploadId": upload.id,
        "PartNumberMarker": after,
        "NextPartNumberMarker": shown[-1].part_number if more else None,
        "MaxParts": limit,
        "IsTruncated": more,
        "StorageClass": "STANDARD",
        "Part": [_part(row) for row in shown],
    }
    return Reply(200, [XML], render_xml("ListPartsResult", result))


async def list_multipart_uploads(services: Services, request: S3Request) -> Reply:
    """Those under way that the caller's policies show, grouped by a delimiter."""
    query, encode = request.query, url_encoder(request)
    await require_bucket(services.transactions, request.bucket)
    limit = read_count(request, "max-uploads", 1000, 1)
    after = query.get("key-marker", ""), query.get("upload-id-marker", "")
    prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
    async with services.transactions.as_caller(request) as connection:
        found = await list_uploads(connection, request.bucket, prefix, after, limit + 1)
    shown, more = found[:limit], len(found) > limit
    groups = {row.id: _group(row.key, prefix, delimiter) for row in shown}
    result = {
        "Bucket": request.bucket,
        "Prefix": encode(prefix),
        "Delimiter": encode(delimiter) if delimiter else None,
        "KeyMarker": encode(after[0]),
        "UploadIdMarker": after[1],
        "NextKeyMarker": encode(shown[-1].key) if more else None,
        "NextUploadIdMarker": shown[-1].id if more else None,
        "MaxUploads": limit,
        "EncodingType": query.get("encoding-type"),
        "IsTruncated": more,
        "Upload": [_upload(row, encode(row.key)) for row in shown if not groups[row.id]],
        "CommonPrefixes": [{"Prefix": encode(group)} for group in dict.fromkeys(groups.values()) if group],
    }
    return Reply(200, [XML], render_xml("ListMultipartUploadsResult", result))


async def _store(
    services: Services, request: S3Request, number: int, chunks: AsyncIterator[bytes], length: int
) -> Measured:
    upload = await open_upload(services, request)
    limits = await require_bucket(services.transactions, request.bucket)
    limit = size_limit(services, request.key, limits)
    if length > limit:
        raise too_large()
    measured = Measured(chunks, limit)
    async with new_version(services, request.bucket) as version:
        await write_file(services, request.bucket, version, measured)
        async with services.transactions.as_service(request) as connection:
            await require_upload(connection, upload.id, (request.bucket, request.key), lock=True)
            if await other_parts_size(connection, upload.id, number) + measured.size > limit:
                raise too_large()
            values = {
                "upload_id": upload.id,
                "part_number": number,
                "size": measured.size,
                "bucket_id": request.bucket,
                "key": request.key,
                "etag": measured.etag,
                "owner_id": request.known_caller.subject,
                "version": version,
            }
            replaced = await replace_part(connection, values)
    await discard_files(services, request.bucket, replaced)
    return measured


def _number(request: S3Request) -> int:
    text = request.query.get("partNumber", "")
    if not re.fullmatch(r"\d{1,5}", text, re.ASCII) or not 1 <= int(text) <= MOST_PARTS:
        raise invalid_argument("PartNumber")
    return int(text)


def _part(row: Part) -> dict[str, object]:
    return {
        "PartNumber": row.part_number,
        "LastModified": iso_time(row.created_at),
        "ETag": row.etag,
        "Size": row.size,
    }


def _upload(row: MultipartUpload, key: str) -> dict[str, object]:
    return {"Key": key, "UploadId": row.id, "Initiated": iso_time(row.created_at), "StorageClass": "STANDARD"}


def _group(key: str, prefix: str, delimiter: str) -> str | None:
    """What a listing shows instead of the key: up to the first delimiter behind the prefix."""
    head, found, _ = key[len(prefix) :].partition(delimiter) if delimiter else ("", "", "")
    return prefix + head + found if found else None
