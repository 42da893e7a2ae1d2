"""An upload from its checks to its row: may the bucket take it, may the caller write it, then file, then row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from minato.database.wire.messages import Row
from minato.database.wire.session import Command, StatementError
from minato.storage import object_commands
from minato.storage.buckets import (
    BucketLimits,
    find_limits,
    look_up_bucket,
    read_limits,
    require_bucket,
    require_limits,
)
from minato.storage.content import require_robots_tag
from minato.storage.errors import (
    StorageError,
    already_exists,
    from_database,
    invalid_request,
    no_such_bucket,
    no_such_key,
    too_large,
)
from minato.storage.explaining import explained, upload_attempt
from minato.storage.limits import require_mime_type
from minato.storage.names import is_empty_folder, require_key
from minato.storage.objects import StoredObject, Values
from minato.storage.reply import iso_time
from minato.storage.request import Request, as_uuid
from minato.storage.services import Services
from minato.storage.transactions import Refused, Unfit
from minato.storage.upload_content import AT_ONCE, Measured, UploadContent, once, open_content
from minato.storage.versions import discard_replaced, new_version, write_file
from minato.tokens.caller import SERVICE_ROLE

UNIQUE_VIOLATION, DENIED = "23505", "42501"


@dataclass(frozen=True, slots=True)
class Upload:
    """What goes where: `content` to the bucket and key of `request`, in the name of its caller.

    With `tags` it only replaces: an object that has one of them, or any where there are none.
    """

    request: Request
    limits: BucketLimits
    content: UploadContent
    upsert: bool
    tags: frozenset[str] | None = None


async def upload(services: Services, request: Request, upsert: bool) -> StoredObject:
    """Store the request's body in the caller's name, if its policies allow; the row afterwards."""
    try:
        content = await _open(request)
    except StorageError:
        # Whatever is wrong with the upload: that there is no such bucket is said first.
        await require_bucket(services.transactions, request.bucket)
        raise
    caller, bucket = request.known_caller, request.bucket
    known = services.writers.find(bucket, caller)
    if known is not None and (row := await _store_at_once(services, Upload(request, known, content, upsert))):
        return row
    admitted = await _admitted(services, request, content, upsert)
    row = await _store(services, admitted)
    services.writers.allowed(bucket, caller, admitted.limits)
    return row


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


async def _store_at_once(services: Services, upload: Upload) -> StoredObject | None:
    """Store a small file by whom the bucket knows: the file first, then judgement and row in one flush.

    None where the bucket asks something else by now, or more is to be said than yes: that is found out step by step.
    """
    request, content = upload.request, upload.content
    if content.length is None or content.length > AT_ONCE or "expect" in request.headers:
        return None
    if (whole := await content.gather()) is None or (measured := _fitting(services, upload, whole)) is None:
        return None
    try:
        return await _store_whole(services, upload, whole, measured)
    except Unfit:
        services.writers.refused(request.bucket, request.known_caller)
        return None
    except (StorageError, StatementError) as refusal:
        services.writers.refused(request.bucket, request.known_caller)
        limits = await require_bucket(services.transactions, request.bucket)
        require_fitting(services, replace(upload, limits=limits))
        raise refusal


def _fitting(services: Services, upload: Upload, whole: bytes) -> Measured | None:
    """The file, measured; None unless the bucket takes it."""
    measured = _measured(services, upload)
    try:
        require_fitting(services, upload)
        measured.take(whole)
        measured.end()
    except StorageError:
        return None
    return measured if whole or upload.content.may_be_empty else None


async def _store_whole(services: Services, upload: Upload, whole: bytes, measured: Measured) -> StoredObject:
    request, upsert = upload.request, upload.upsert
    tried = _content_values(request, upload.content)
    async with new_version(services, request.bucket) as version:
        await write_file(services, request.bucket, version, once(whole))
        switch = _switch(request, _row_values(services, upload, measured, version), upsert)
        same = require_limits(request.bucket, upload.limits)
        try:
            trial = _trial(request, upsert, tried)
            rows = await services.transactions.run_if_allowed(request, trial, same, switch)
        except Refused as refused:
            raise await _refusal(services, request, upsert, tried, refused.error) from refused
        row, replaced = _switched(rows)
    await discard_replaced(services, request.bucket, replaced)
    return row


async def store_as_caller(services: Services, upload: Upload) -> StoredObject:
    """Store it, if the bucket takes it and the caller's policies allow; the row afterwards."""
    require_fitting(services, upload)
    await _probe_content(services, upload.request, upload.content, upload.upsert)
    return await _store(services, upload)


async def _probe_content(
    services: Services, request: Request, content: UploadContent, upsert: bool, asked: Command | None = None
) -> list[Row]:
    return await probe(services, request, upsert, _content_values(request, content), asked)


def _content_values(request: Request, content: UploadContent) -> dict[str, object]:
    return probe_values(request, request.known_caller.subject, content.mime_type, content.length, content)


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
    try:
        return await services.transactions.try_as_caller(request, _trial(request, upsert, values), asked)
    except StatementError as error:
        raise await _refusal(services, request, upsert, values, error) from error


def _trial(request: Request, upsert: bool, values: Values) -> Command:
    write = object_commands.upsert if upsert else object_commands.insert
    return write(values, request.known_caller.role)


async def _refusal(
    services: Services, request: Request, upsert: bool, values: Values, error: StatementError
) -> StorageError | StatementError:
    """What the caller is told who tried to write `values`."""
    if error.sqlstate == UNIQUE_VIOLATION:
        return already_exists("KeyAlreadyExists")
    if error.sqlstate != DENIED or services.hints is None:
        return error
    settings = services.transactions.settings_of(request)
    attempt = upload_attempt(values, upsert, request.known_caller.role, settings)
    return await explained(services.hints, from_database(error), attempt)


async def _store(services: Services, upload: Upload) -> StoredObject:
    request = upload.request
    measured = _measured(services, upload)
    async with new_version(services, request.bucket) as version:
        await write_file(services, request.bucket, version, measured)
        if not measured.size and not upload.content.may_be_empty:
            raise invalid_request("No content provided")
        row, replaced = await switch_row(
            services, request, _row_values(services, upload, measured, version), upload.upsert, upload.tags
        )
    await discard_replaced(services, request.bucket, replaced)
    return row


def _measured(services: Services, upload: Upload) -> Measured:
    """The file's bytes as the bucket takes them."""
    limits, content = upload.limits, upload.content
    restricted = bool(limits.allowed_mime_types) and services.settings.check_content
    largest = size_limit(services, upload.request.key, limits)
    return Measured(content.chunks, largest, content.mime_type if restricted else None)


def _row_values(services: Services, upload: Upload, measured: Measured, version: str) -> Values:
    return {
        **owner_values(upload.request.known_caller.subject),
        "version": version,
        "metadata": _metadata(services, upload.request, upload.content, measured),
        "user_metadata": upload.content.user_metadata or {},
    }


async def switch_row(
    services: Services, request: Request, values: Values, upsert: bool, tags: frozenset[str] | None = None
) -> tuple[StoredObject, str | None]:
    """Write the row of a file that is there, under the request's bucket and key; also the version it replaces.

    Raises KeyAlreadyExists without upsert, and when what is there has none of the `tags`; NoSuchKey when nothing is.
    """
    rows = await services.transactions.run_as_service(request, _switch(request, values, upsert, tags))
    if tags is not None and not rows[1]:
        raise no_such_key()
    return _switched(rows)


def _switch(request: Request, values: Values, upsert: bool, tags: frozenset[str] | None = None) -> list[Command]:
    bucket, key = request.bucket, request.key
    row = {**values, "bucket_id": bucket, "name": key}
    write = object_commands.upsert if upsert else object_commands.insert_absent
    return [
        object_commands.lock_name(bucket, key, SERVICE_ROLE),
        object_commands.lock_version(bucket, key, SERVICE_ROLE),
        write(row, SERVICE_ROLE) if tags is None else object_commands.replace(row, tags, SERVICE_ROLE),
    ]


def _switched(rows: list[list[Row]]) -> tuple[StoredObject, str | None]:
    """What the commands of `_switch` gave. Raises KeyAlreadyExists."""
    _, before, after = rows
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
