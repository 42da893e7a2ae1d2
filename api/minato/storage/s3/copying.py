"""CopyObject: a source the caller sees, to where the caller may upload."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote

from minato.storage.buckets import require_bucket
from minato.storage.endpoints.copy_object import place_copy
from minato.storage.errors import invalid_bucket_name
from minato.storage.names import require_key
from minato.storage.object_access import visible_object
from minato.storage.objects import ObjectRow
from minato.storage.reply import Reply, iso_time
from minato.storage.request import as_uuid
from minato.storage.s3.errors import invalid_argument, missing_parameter, precondition_failed
from minato.storage.s3.payload import S3Request, amz_metadata
from minato.storage.s3.xml import XML, render_xml
from minato.storage.services import Services

SOURCE = "x-amz-copy-source"


async def copy_object(services: Services, request: S3Request) -> Reply:
    """Replace whatever is there."""
    require_key(request.key)
    await require_bucket(services.transactions, request.bucket)
    found = await copy_source(services, request)
    values = _values(services, request, found)
    row = await place_copy(services, request, found, values, upsert=True)
    result = {"LastModified": row["metadata"]["lastModified"], "ETag": row["metadata"].get("eTag")}
    return Reply(200, [XML], render_xml("CopyObjectResult", result))


async def copy_source(services: Services, request: S3Request) -> ObjectRow:
    """The object that `x-amz-copy-source` names, if the caller sees it and the conditions hold."""
    bucket, _, key = unquote(request.headers[SOURCE]).partition("?")[0].removeprefix("/").partition("/")
    if not bucket:
        raise invalid_bucket_name()
    if not key:
        raise missing_parameter("CopySource")
    found = await visible_object(services, replace(request, bucket=bucket, key=key))
    _require_conditions(request, found)
    return found


def _values(services: Services, request: S3Request, found: ObjectRow) -> dict[str, Any]:
    directive = request.headers.get("x-amz-metadata-directive", "COPY")
    if directive not in ("COPY", "REPLACE"):
        raise invalid_argument("MetadataDirective")
    metadata = {**(found["metadata"] or {}), "lastModified": iso_time(services.clock.now())}
    user_metadata = found["user_metadata"]
    if directive == "REPLACE":
        given = (("content-type", "mimetype"), ("cache-control", "cacheControl"))
        metadata |= {name: request.headers[header] for header, name in given if request.headers.get(header)}
        user_metadata = amz_metadata(request)
    owner = request.known_caller.subject
    owned = {} if owner is None else {"owner": as_uuid(owner), "owner_id": owner}
    place = {"bucket_id": request.bucket, "name": request.key}
    return {**owned, **place, "metadata": metadata, "user_metadata": user_metadata}


def _require_conditions(request: S3Request, found: ObjectRow) -> None:
    tag = str((found["metadata"] or {}).get("eTag", "")).strip('"')
    changed = found["updated_at"].replace(microsecond=0)
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
    except ValueError:
        raise invalid_argument("CopySource condition") from None
    return moment.replace(tzinfo=moment.tzinfo or UTC)
