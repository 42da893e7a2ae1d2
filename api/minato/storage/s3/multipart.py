"""Multipart uploads: begin, complete, abort. Parts are files of their own until they are joined.

The object's file is written whole before one transaction puts its row in place of the upload's, so a crash leaves
either an upload that can be completed again or an object, and at most files for the sweep.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping
from itertools import pairwise

from minato.storage.backend.base import file_path
from minato.storage.buckets import require_bucket
from minato.storage.limits import require_mime_type
from minato.storage.names import require_bucket_name, require_key
from minato.storage.objects import StoredObject, find_object, upsert_object
from minato.storage.reply import Reply
from minato.storage.s3.conditions import require_replaceable
from minato.storage.s3.multipart_rows import (
    MultipartUpload,
    Part,
    delete_upload,
    insert_upload,
    list_parts,
    require_upload,
)
from minato.storage.s3_wire.errors import malformed_xml, missing_parameter, no_such_parts, refuse
from minato.storage.s3_wire.payload import S3Request, amz_metadata, compared, payload, xml_payload
from minato.storage.s3_wire.xml import XML, Element, render_xml
from minato.storage.services import Services
from minato.storage.upload_content import DEFAULT_TYPE, Measured
from minato.storage.uploading import file_metadata, owner_values, probe, probe_values, size_limit
from minato.storage.versions import discard_files, new_version, write_file

MOST_PARTS = 10_000


async def create_multipart(services: Services, request: S3Request) -> Reply:
    """The id of a new upload, if the caller could write the object."""
    async for _ in payload(request):
        pass
    require_bucket_name(request.bucket)
    require_key(request.key)
    limits = await require_bucket(services.transactions, request.bucket)
    mime_type = request.headers.get("content-type") or DEFAULT_TYPE
    require_mime_type(mime_type, limits.allowed_mime_types)
    upload_id = str(services.entropy.uuid4())
    user_metadata = amz_metadata(request)
    values = {
        "id": upload_id,
        "bucket_id": request.bucket,
        "key": request.key,
        "version": str(services.entropy.uuid4()),
        "owner_id": request.known_caller.subject,
        "user_metadata": user_metadata,
        "metadata": {"mimetype": mime_type, "cacheControl": request.headers.get("cache-control", "no-cache")},
        "created_at": services.clock.now(),
    }
    await _probe(services, request, mime_type, user_metadata)
    async with services.transactions.as_service(request) as connection:
        await insert_upload(connection, values)
    result = {"Bucket": request.bucket, "Key": request.key, "UploadId": upload_id}
    return Reply(200, [XML], render_xml("InitiateMultipartUploadResult", result))


async def abort_multipart(services: Services, request: S3Request) -> Reply:
    """204; the parts are gone."""
    upload = await open_upload(services, request)
    async with services.transactions.as_service(request) as connection:
        versions = await delete_upload(connection, upload.id)
    await discard_files(services, request.bucket, versions)
    return Reply(204)


async def complete_multipart(services: Services, request: S3Request) -> Reply:
    """Join the parts that the body names, all when it names none."""
    upload = await open_upload(services, request)
    # What checksums it names are the object's, not those of this list.
    wanted = _wanted(await xml_payload(request, names_checksums=False))
    async with services.transactions.look_up() as connection:
        stored = await list_parts(connection, upload.id, 0, MOST_PARTS)
    row = await _join(services, request, upload, _choose(stored, wanted))
    place = f"{request.bucket}/{request.key}"
    result = {"Location": place, "Bucket": request.bucket, "Key": request.key, "ETag": row.etag}
    return Reply(200, [XML], render_xml("CompleteMultipartUploadResult", result))


async def open_upload(services: Services, request: S3Request) -> MultipartUpload:
    """The upload of this object, if the caller may write it. Raises NoSuchUpload or AccessDenied."""
    upload_id = request.query.get("uploadId")
    if not upload_id:
        raise missing_parameter("UploadId")
    async with services.transactions.look_up() as connection:
        upload = await require_upload(connection, upload_id, (request.bucket, request.key))
    await _probe(services, request, upload.metadata.get("mimetype"), upload.user_metadata)
    return upload


async def _probe(
    services: Services, request: S3Request, mime_type: str | None, user_metadata: Mapping[str, object] | None
) -> None:
    """Ask the caller's policies for the object that this will be."""
    values = probe_values(request, request.known_caller.subject, mime_type, None)
    await probe(services, request, True, {**values, "user_metadata": user_metadata})


def _wanted(document: Element) -> list[tuple[int, str]]:
    """Number and ETag of each part, in ascending order."""
    if document.name != "CompleteMultipartUpload":
        raise malformed_xml()
    wanted = []
    for part in document.all("Part"):
        number, tag = part.find("PartNumber") or "", part.find("ETag") or ""
        if not (number.isascii() and number.isdecimal() and len(number) <= 5):
            raise malformed_xml()
        wanted.append((int(number), tag.strip().strip('"')))
    if any(later[0] <= earlier[0] for earlier, later in pairwise(wanted)):
        raise refuse(400, "InvalidPartOrder", "The list of parts was not in ascending order")
    return wanted


def _choose(stored: list[Part], wanted: list[tuple[int, str]]) -> list[Part]:
    by_number = {part.part_number: part for part in stored}
    chosen = [by_number.get(number) for number, _ in wanted] if wanted else list(stored)
    found = [part for part in chosen if part is not None]
    tags = [tag for _, tag in wanted] or [part.etag.strip('"') for part in found]
    if not found or len(found) < len(chosen) or [part.etag.strip('"') for part in found] != tags:
        raise no_such_parts()
    return found


async def _join(services: Services, request: S3Request, upload: MultipartUpload, parts: list[Part]) -> StoredObject:
    limits = await require_bucket(services.transactions, request.bucket)
    mime_type = upload.metadata["mimetype"]
    if services.settings.check_every_way_in:
        # The bucket may have become stricter since it was begun.
        require_mime_type(mime_type, limits.allowed_mime_types)
    restricted = bool(limits.allowed_mime_types) and services.settings.check_content
    largest = size_limit(services, request.key, limits)
    chunks = _chunks(services, parts)
    if request.headers.get("x-amz-checksum-type") == "FULL_OBJECT":
        chunks = compared(request, chunks)
    measured = Measured(chunks, largest, mime_type if restricted else None)
    async with new_version(services, request.bucket) as version:
        await write_file(services, request.bucket, version, measured)
        metadata = file_metadata(services, measured, mime_type, upload.metadata["cacheControl"])
        values = {
            **owner_values(request.known_caller.subject),
            "bucket_id": request.bucket,
            "name": request.key,
            "version": version,
            "metadata": {**metadata, "eTag": _etag(parts)},
            "user_metadata": upload.user_metadata or {},
        }
        async with services.transactions.as_service(request, lock=f"{request.bucket}/{request.key}") as connection:
            versions = await delete_upload(connection, upload.id)
            before = await find_object(connection, request.bucket, request.key, lock=True)
            require_replaceable(request, before)
            row = await upsert_object(connection, values)
    await discard_files(services, request.bucket, [before.version if before is not None else None, *versions])
    return row


async def _chunks(services: Services, parts: list[Part]) -> AsyncIterator[bytes]:
    for part in parts:
        try:
            chunks = await services.files.read(file_path(part.bucket_id, part.version), 0, part.size)
        except FileNotFoundError:
            # Lost, or another has completed or aborted the upload meanwhile.
            raise no_such_parts() from None
        async for chunk in chunks:
            yield chunk


def _etag(parts: list[Part]) -> str:
    """As S3 does it: the MD5 of the parts' MD5s, and how many they were."""
    digest = hashlib.md5(usedforsecurity=False)
    for part in parts:
        digest.update(bytes.fromhex(part.etag.strip('"')))
    return f'"{digest.hexdigest()}-{len(parts)}"'
