"""CopyObject: a source the caller sees, to where the caller may upload."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from urllib.parse import unquote

from minato.storage.buckets import require_bucket
from minato.storage.endpoints.manage_objects import CopiedMetadata, place_copy
from minato.storage.errors import StorageError, invalid_bucket_name, not_implemented
from minato.storage.names import require_key
from minato.storage.object_access import of_current, visible_object
from minato.storage.objects import Readable, StoredObject
from minato.storage.reply import Reply, iso_time
from minato.storage.s3.conditions import only_creates
from minato.storage.s3_wire.errors import invalid_argument, missing_parameter, no_such_version, precondition_failed
from minato.storage.s3_wire.payload import S3Request, amz_metadata
from minato.storage.s3_wire.xml import XML, render_xml
from minato.storage.services import Services

SOURCE = "x-amz-copy-source"
REPLACEABLE = {"content-type": "mimetype", "cache-control": "cacheControl"}


async def copy_object(services: Services, request: S3Request) -> Reply:
    """Replace whatever is there; with `If-None-Match: *` only create."""
    require_key(request.key)
    await require_bucket(services.transactions, request.bucket)
    only_new = only_creates(request)
    if "if-match" in request.headers:
        raise not_implemented("If-Match at a copy")
    try:
        return await of_current(partial(_source, services, request), partial(_copied, services, request, not only_new))
    except StorageError as error:
        if only_new and error.code == "KeyAlreadyExists":
            raise precondition_failed() from None
        raise


async def _source(services: Services, request: S3Request) -> Readable:
    return Readable(await copy_source(services, request))


async def _copied(services: Services, request: S3Request, upsert: bool, found: Readable) -> Reply:
    row = await place_copy(services, request, found.row, _metadata(services, request, found.row), upsert)
    result = {"LastModified": row.file_metadata["lastModified"], "ETag": row.etag}
    return Reply(200, [XML], render_xml("CopyObjectResult", result))


async def copy_source(services: Services, request: S3Request) -> StoredObject:
    """The object that `x-amz-copy-source` names, if the caller sees it and the conditions hold."""
    # The version is told from the name before that is decoded: a name may have a question mark of its own.
    name, _, version = request.headers[SOURCE].partition("?versionId=")
    bucket, _, key = unquote(name).removeprefix("/").partition("/")
    if not bucket:
        raise invalid_bucket_name()
    if not key:
        raise missing_parameter("CopySource")
    found = await visible_object(services, replace(request, bucket=bucket, key=key))
    if version not in ("", "null", found.version):
        raise no_such_version()
    _require_conditions(request, found)
    return found


def _metadata(services: Services, request: S3Request, found: StoredObject) -> CopiedMetadata:
    directive = request.headers.get("x-amz-metadata-directive", "COPY")
    if directive not in ("COPY", "REPLACE"):
        raise invalid_argument("MetadataDirective")
    metadata = {**found.file_metadata, "lastModified": iso_time(services.clock.now())}
    if directive == "COPY":
        return CopiedMetadata(metadata, found.user_metadata)
    return CopiedMetadata(_replaced(metadata, request), amz_metadata(request))


def _replaced(metadata: dict[str, object], request: S3Request) -> dict[str, object]:
    """What the file is stays; of its type and age only what the request says counts, or nothing."""
    kept = {name: value for name, value in metadata.items() if name not in REPLACEABLE.values()}
    given = {name: request.headers.get(header) for header, name in REPLACEABLE.items()}
    return kept | {name: value for name, value in given.items() if value}


def _require_conditions(request: S3Request, found: StoredObject) -> None:
    tag = (found.etag or "").strip('"')
    changed = found.changed.replace(microsecond=0)
    tests: dict[str, Callable[[str], bool]] = {
        "if-match": lambda value: value.strip('"') == tag,
        "if-none-match": lambda value: value.strip('"') != tag,
        "if-modified-since": lambda value: changed > _moment(value),
        "if-unmodified-since": lambda value: changed <= _moment(value),
    }
    for name, holds in tests.items():
        value = request.headers.get(f"{SOURCE}-{name}")
        if value is not None and not holds(value):
            raise precondition_failed()


def _moment(text: str) -> datetime:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        raise invalid_argument("CopySource condition") from None
    return moment.replace(tzinfo=moment.tzinfo or UTC)
