"""An upload from its checks to its row: may the bucket take it, may the caller write it, then file, then row."""

from __future__ import annotations

from dataclasses import dataclass

from minato.database.wire.messages import Row
from minato.database.wire.session import Command, StatementError
from minato.storage import object_commands
from minato.storage.buckets import BucketLimits, find_limits, look_up_bucket, read_limits, require_bucket
from minato.storage.content import require_robots_tag
from minato.storage.errors import (
    StorageError,
    already_exists,
    from_database,
    invalid_request,
    no_such_bucket,
    too_large,
)
from minato.storage.explaining import explained, upload_attempt
from minato.storage.limits import require_mime_type
from minato.storage.names import is_empty_folder, require_key
from minato.storage.objects import StoredObject, Values
from minato.storage.reply import iso_time
from minato.storage.request import Request, as_uuid
from minato.storage.services import Services
from minato.storage.upload_content import Measured, UploadContent, open_content
from minato.storage.versions import discard_files, new_version, write_file
from minato.tokens.caller import SERVICE_ROLE

UNIQUE_VIOLATION, DENIED = "23505", "42501"


@dataclass(frozen=True, slots=True)
class Upload:
    """What goes where: `content` to the bucket and key of `request`, in the name of its caller."""

    request: Request
    limits: BucketLimits
    content: UploadContent
    upsert: bool


async def upload(services: Services, request: Request, upsert: bool) -> StoredObject:
    """Store the request's body in the caller's name, if its policies allow; the row afterwards."""
    try:
        content = await _open(request)
    except StorageError:
        # Whatever is wrong with the upload: that there is no such bucket is said first.
        await require_bucket(services.transactions, request.bucket)
        raise
    return await _store(services, await _admitted(services, request, content, upsert))


async def _open(request: Request) -> UploadContent:
    if "x-robots-tag" in request.headers:
        require_robots_tag(request.headers["x-robots-tag"])
    return await open_content(request)


async def _admitted(services: Services, request: Request, content: UploadContent, upsert: bool) -> Upload:
    """The upload, if the bucket takes it and the caller's policies allow: both are asked in one flush.

    What is refused asks for the bucket once more, whose refusals come first.
    """
    refusal: Exception | None = None
    try:
        require_key(request.key)
        rows = await _probe_content(services, request, content, upsert, find_limits(request.bucket))
        limits = read_limits(rows)
    except (StorageError, StatementError) as error:
        limits, refusal = await look_up_bucket(services.transactions, request.bucket), error
    if limits is None:
        raise no_such_bucket()
    upload = Upload(request, limits, content, upsert)
    require_fitting(services, upload)
    if refusal is not None:
        raise refusal
    return upload


async def store_as_caller(services: Services, upload: Upload) -> StoredObject:
    """Store it, if the bucket takes it and the caller's policies allow; the row afterwards."""
    require_fitting(services, upload)
    await _probe_content(services, upload.request, upload.content, upload.upsert)
    return await _store(services, upload)


async def _probe_content(
    services: Services, request: Request, content: UploadContent, upsert: bool, asked: Command | None = None
) -> list[Row]:
    values = probe_values(request, request.known_caller.subject, content.mime_type, content.length, content)
    return await probe(services, request, upsert, values, asked)


def require_fitting(services: Services, upload: Upload) -> None:
    """Raise unless the bucket takes such a file under this key."""
    key, content = upload.request.key, upload.content
    if not is_empty_folder(key):
        require_mime_type(content.mime_type, upload.limits.allowed_mime_types)
    if content.raw and content.length is not None and content.length > size_limit(services, key, upload.limits):
        raise too_large()
    require_key(key)


def size_limit(services: Services, key: str, limits: BucketLimits) -> int:
    """The largest size this object may have; a folder's placeholder is empty."""
    if is_empty_folder(key):
        return 0
    own = limits.file_size_limit
    largest = services.settings.file_size_limit
    return largest if own is None else min(own, largest)


def probe_values(
    request: Request, owner: str | None, mime_type: str | None, length: int | None, content: UploadContent | None = None
) -> dict[str, object]:
    """The row that policies judge before a byte is stored."""
    user_metadata = content.user_metadata if content is not None else request.sent_metadata
    declared = {"mimetype": mime_type, "contentLength": length}
    return {
        "bucket_id": request.bucket,
        "name": request.key,
        "version": "1",
        "owner": as_uuid(owner),
        "owner_id": owner,
        "metadata": {name: value for name, value in declared.items() if value is not None},
        "user_metadata": user_metadata,
    }


async def probe(
    services: Services, request: Request, upsert: bool, values: Values, asked: Command | None = None
) -> list[Row]:
    """Ask the caller's policies by doing it and taking it back; the rows of `asked`, read in the same flush.

    Raises AccessDenied or KeyAlreadyExists.
    """
    write = object_commands.upsert if upsert else object_commands.insert
    try:
        return await services.transactions.try_as_caller(request, write(values, request.known_caller.role), asked)
    except StatementError as error:
        if error.sqlstate == UNIQUE_VIOLATION:
            raise already_exists("KeyAlreadyExists") from None
        if error.sqlstate != DENIED or services.hints is None:
            raise
        settings = services.transactions.settings_of(request)
        attempt = upload_attempt(values, upsert, request.known_caller.role, settings)
        raise await explained(services.hints, from_database(error), attempt) from error


async def _store(services: Services, upload: Upload) -> StoredObject:
    request, limits, content = upload.request, upload.limits, upload.content
    restricted = bool(limits.allowed_mime_types) and services.settings.check_content
    largest = size_limit(services, request.key, limits)
    measured = Measured(content.chunks, largest, content.mime_type if restricted else None)
    async with new_version(services, request.bucket) as version:
        await write_file(services, request.bucket, version, measured)
        if not measured.size and not content.may_be_empty:
            raise invalid_request("No content provided")
        values = {
            **owner_values(request.known_caller.subject),
            "version": version,
            "metadata": _metadata(services, request, content, measured),
            "user_metadata": content.user_metadata or {},
        }
        row, replaced = await switch_row(services, request, values, upload.upsert)
    await discard_files(services, request.bucket, [replaced])
    return row


async def switch_row(
    services: Services, request: Request, values: Values, upsert: bool
) -> tuple[StoredObject, str | None]:
    """Write the row of a file that is there, under the request's bucket and key; also the version it replaces.

    Raises KeyAlreadyExists without upsert.
    """
    bucket, key = request.bucket, request.key
    write = object_commands.upsert if upsert else object_commands.insert_absent
    _, before, after = await services.transactions.run_as_service(
        request,
        [
            object_commands.lock_name(bucket, key, SERVICE_ROLE),
            object_commands.lock_version(bucket, key, SERVICE_ROLE),
            write({**values, "bucket_id": bucket, "name": key}, SERVICE_ROLE),
        ],
    )
    if (row := object_commands.read_object(after)) is None:
        raise already_exists("KeyAlreadyExists")
    return row, _text(before[0][0]) if before else None


def _text(column: bytes | None) -> str | None:
    return None if column is None else column.decode()


def owner_values(owner: str | None) -> dict[str, str | None]:
    """An upload by nobody in particular leaves the owner of what it replaces."""
    return {} if owner is None else {"owner": as_uuid(owner), "owner_id": owner}


def _metadata(services: Services, request: Request, content: UploadContent, measured: Measured) -> dict[str, object]:
    metadata = file_metadata(services, measured, content.mime_type, content.cache_control)
    if "x-robots-tag" in request.headers:
        metadata["xRobotsTag"] = request.headers["x-robots-tag"]
    return metadata


def file_metadata(services: Services, measured: Measured, mime_type: str, cache_control: str) -> dict[str, object]:
    """The `metadata` column of a file that was just written."""
    return {
        "eTag": measured.etag,
        "size": measured.size,
        "mimetype": mime_type,
        "cacheControl": cache_control,
        "lastModified": iso_time(services.clock.now()),
        "contentLength": measured.size,
        "httpStatusCode": 200,
    }
