"""An object as an HTTP answer: whole, a range, not modified, only its headers, or described."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from minato.storage.backend.base import file_path
from minato.storage.content import content_disposition, content_policy, served_type
from minato.storage.errors import file_missing
from minato.storage.objects import ObjectRow
from minato.storage.ranges import parse_range
from minato.storage.reply import Reply, encode_headers, http_time, iso_time, json_reply
from minato.storage.request import Request
from minato.storage.robots import DEFAULT
from minato.storage.services import Services
from minato.storage.upload_content import DEFAULT_TYPE

Headers = dict[str, str | None]
# What a 304 repeats: a browser puts it over what it kept, of a release that knew less about safety perhaps.
NOT_MODIFIED = (
    *("etag", "last-modified", "cache-control", "expires", "vary"),
    *("content-security-policy", "x-content-type-options"),
)

# A token signed elsewhere, or by a release that knew no maximum, may end after time itself.
LAST_MOMENT = 253_402_300_799


async def object_reply(services: Services, request: Request, row: ObjectRow, expires: int | None = None) -> Reply:
    """The object's bytes, or those of a range; 304 when the client has them. `expires` is a signed URL's end."""
    if (unchanged := not_modified(services, request, row, expires)) is not None:
        return unchanged
    headers = object_headers(services, request, row, expires)
    size = object_size(row)
    part = parse_range(request.headers.get("range"), size)
    start, stop = (part.start, part.stop) if part else (0, size)
    headers |= {"content-length": str(stop - start), "content-range": part.header if part else None}
    try:
        stream = await services.files.read(file_path(row["bucket_id"], row["version"] or ""), start, stop)
    except FileNotFoundError:
        raise file_missing() from None
    return Reply(206 if part else 200, encode_headers(headers), stream=stream)


def not_modified(services: Services, request: Request, row: ObjectRow, expires: int | None) -> Reply | None:
    """The 304 for a client that has this version of the object; None for others."""
    if not _is_unmodified(request, row):
        return None
    headers = object_headers(services, request, row, expires)
    return Reply(304, encode_headers({name: headers.get(name) for name in NOT_MODIFIED}))


def head_reply(services: Services, request: Request, row: ObjectRow, expires: int | None = None) -> Reply:
    """The object's headers out of its row alone."""
    return Reply(200, encode_headers(object_headers(services, request, row, expires)))


def info_reply(services: Services, request: Request, row: ObjectRow) -> Reply:
    """What is known of the object, as JSON."""
    metadata = _metadata(row)
    shown = {
        "id": row["id"],
        "name": row["name"],
        "version": row["version"],
        "bucket_id": row["bucket_id"],
        "size": metadata.get("size"),
        "content_type": metadata.get("mimetype"),
        "cache_control": metadata.get("cacheControl"),
        "etag": metadata.get("eTag"),
        "metadata": row["user_metadata"],
        "last_modified": iso_time(row["updated_at"]),
        "created_at": iso_time(row["created_at"]),
    }
    headers = object_headers(services, request, row, None)
    return json_reply(shown, encode_headers({name: headers.get(name) for name in NOT_MODIFIED}))


def object_headers(services: Services, request: Request, row: ObjectRow, expires: int | None) -> Headers:
    """The headers of a download; a signed URL's answer may be kept as long as the URL is good."""
    metadata = _metadata(row)
    mime_type = str(metadata.get("mimetype") or DEFAULT_TYPE)
    kept = _cache_control(services, request, row)
    return {
        "accept-ranges": "bytes",
        "content-type": served_type(mime_type),
        "etag": metadata.get("eTag"),
        "x-robots-tag": str(metadata.get("xRobotsTag") or DEFAULT),
        "last-modified": http_time(_modified(row)),
        "content-length": str(object_size(row)),
        "cache-control": None if expires is not None else kept,
        "expires": None if expires is None else http_time(datetime.fromtimestamp(min(expires, LAST_MOMENT), UTC)),
        "content-disposition": content_disposition(request.query.get("download")),
        "x-content-type-options": "nosniff",
        "content-security-policy": content_policy(mime_type),
        # A cache shared by several people must not hand one's private object to another.
        "vary": None if row.get("bucket_public") else "Authorization, apikey",
    }


def object_size(row: ObjectRow) -> int:
    """Bytes of the object."""
    size = _metadata(row).get("size")
    return size if isinstance(size, int) else 0


def _cache_control(services: Services, request: Request, row: ObjectRow) -> str:
    stored = str(_metadata(row).get("cacheControl") or "no-cache")
    shared = bool(row.get("bucket_public"))
    if not shared:
        stored = _private(stored)
    if "if-none-match" not in request.headers:
        return stored
    if shared and services.settings.s_maxage:
        stored += f", s-maxage={services.settings.s_maxage}"
    return stored if _is_unmodified(request, row) else f"{stored}, stale-while-revalidate=30"


def _private(stored: str) -> str:
    """For the client alone, whatever the uploader wished: not every shared cache heeds Vary."""
    directives = [part.strip() for part in stored.split(",")]
    kept = [part for part in directives if part.partition("=")[0].lower() not in ("public", "private", "s-maxage", "")]
    return ", ".join(["private", *kept])


def _is_unmodified(request: Request, row: ObjectRow) -> bool:
    tag = request.headers.get("if-none-match")
    if tag is not None:
        return tag == _metadata(row).get("eTag")
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
        return since.replace(tzinfo=since.tzinfo or UTC) >= _modified(row).replace(microsecond=0)
    except (ValueError, OverflowError):
        return False


def _modified(row: ObjectRow) -> datetime:
    try:
        return datetime.fromisoformat(str(_metadata(row).get("lastModified")))
    except ValueError:
        updated = row["updated_at"]
        assert isinstance(updated, datetime), "an object's row has a time of its last change"
        return updated


def _metadata(row: ObjectRow) -> Mapping[str, Any]:
    metadata = row["metadata"]
    return metadata if isinstance(metadata, dict) else {}
