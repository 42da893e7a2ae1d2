"""An object as an HTTP answer: whole, a range, not modified, only its headers, or described."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from minato.storage.content import ROBOTS_DEFAULT, content_disposition, content_policy, served_type
from minato.storage.errors import file_missing
from minato.storage.objects import Readable, StoredObject
from minato.storage.ranges import parse_range
from minato.storage.reply import Reply, encode_headers, http_time, iso_time, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.upload_content import DEFAULT_TYPE

Headers = dict[str, str | None]
TAG = re.compile(r'(?:W/)?"([^"]*)"|([^\s,"]+)')
# What a 304 repeats: a browser puts it over what it kept, of a release that knew less about safety perhaps.
NOT_MODIFIED = (
    *("etag", "last-modified", "cache-control", "expires", "vary"),
    *("content-security-policy", "x-content-type-options"),
)

# A token signed elsewhere, or by a release that knew no maximum, may end after time itself.
LAST_MOMENT = 253_402_300_799


async def object_reply(services: Services, request: Request, found: Readable) -> Reply:
    """The object's bytes, or those of a range; 304 when the client has them."""
    if (unchanged := not_modified(services, request, found)) is not None:
        return unchanged
    headers = object_headers(services, request, found)
    part = parse_range(_wished_range(request, found.row), found.row.size)
    start, stop = (part.start, part.stop) if part else (0, found.row.size)
    headers |= {"content-length": str(stop - start), "content-range": part.header if part else None}
    try:
        stream = await services.files.read(found.row.path, start, stop)
    except FileNotFoundError:
        raise file_missing() from None
    return Reply(206 if part else 200, encode_headers(headers), stream=stream)


def _wished_range(request: Request, row: StoredObject) -> str | None:
    """The range that is asked for; none where the client has begun with bytes of another object than is there now."""
    known = request.headers.get("if-range")
    same = known is None or known.strip() in (row.etag, http_time(modified(row)))
    return request.headers.get("range") if same else None


def not_modified(services: Services, request: Request, found: Readable) -> Reply | None:
    """The 304 for a client that has this version of the object; None for others."""
    if not _is_unmodified(request, found.row):
        return None
    headers = object_headers(services, request, found)
    return Reply(304, encode_headers({name: headers.get(name) for name in NOT_MODIFIED}))


def head_reply(services: Services, request: Request, found: Readable) -> Reply:
    """The object's headers out of its row alone."""
    return Reply(200, encode_headers(object_headers(services, request, found)))


def info_reply(services: Services, request: Request, found: Readable) -> Reply:
    """What is known of the object, as JSON."""
    row, metadata = found.row, found.row.file_metadata
    shown = {
        "id": row.id,
        "name": row.name,
        "version": row.version,
        "bucket_id": row.bucket_id,
        "size": metadata.get("size"),
        "content_type": metadata.get("mimetype"),
        "cache_control": metadata.get("cacheControl"),
        "etag": metadata.get("eTag"),
        "metadata": row.user_metadata,
        "last_modified": iso_time(row.updated_at),
        "created_at": iso_time(row.created_at),
    }
    headers = object_headers(services, request, found)
    return json_reply(shown, encode_headers({name: headers.get(name) for name in NOT_MODIFIED}))


def object_headers(services: Services, request: Request, found: Readable) -> Headers:
    """The headers of a download; a signed URL's answer may be kept as long as the URL is good."""
    row, metadata, expires = found.row, found.row.file_metadata, found.expires
    mime_type = str(metadata.get("mimetype") or DEFAULT_TYPE)
    kept = _cache_control(services, request, found)
    return {
        "accept-ranges": "bytes",
        "content-type": served_type(mime_type),
        "etag": row.etag,
        "x-robots-tag": str(metadata.get("xRobotsTag") or ROBOTS_DEFAULT),
        "last-modified": http_time(modified(row)),
        "content-length": str(row.size),
        "cache-control": None if expires is not None else kept,
        "expires": None if expires is None else http_time(datetime.fromtimestamp(min(expires, LAST_MOMENT), UTC)),
        "content-disposition": content_disposition(request.query.get("download")),
        "x-content-type-options": "nosniff",
        "content-security-policy": content_policy(mime_type),
        # A cache shared by several people must not hand one's private object to another.
        "vary": None if found.shared else "Authorization, apikey",
    }


def _cache_control(services: Services, request: Request, found: Readable) -> str:
    stored = str(found.row.file_metadata.get("cacheControl") or "no-cache")
    if not found.shared:
        stored = _private(stored)
    if "if-none-match" not in request.headers:
        return stored
    if found.shared and services.settings.s_maxage:
        stored += f", s-maxage={services.settings.s_maxage}"
    return stored if _is_unmodified(request, found.row) else f"{stored}, stale-while-revalidate=30"


def _private(stored: str) -> str:
    """For the client alone, whatever the uploader wished: not every shared cache heeds Vary."""
    directives = [part.strip() for part in stored.split(",")]
    kept = [part for part in directives if part.partition("=")[0].lower() not in ("public", "private", "s-maxage", "")]
    return ", ".join(["private", *kept])


def _is_unmodified(request: Request, row: StoredObject) -> bool:
    tag = request.headers.get("if-none-match")
    if tag is not None:
        return names_tag(tag, row.etag)
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
        return since.replace(tzinfo=since.tzinfo or UTC) >= modified(row).replace(microsecond=0)
    except (ValueError, OverflowError):
        return False


def named_tags(header: str) -> frozenset[str]:
    """The tags of a list, in quotes as ours are: S3 clients may leave those out, and caches write W/ before them.

    >>> sorted(named_tags('W/"a", b'))
    ['"a"', '"b"']
    """
    return frozenset(f'"{quoted or bare}"' for quoted, bare in TAG.findall(header))


def names_tag(header: str, tag: str | None) -> bool:
    """Whether a condition names an object that has this tag; `*` names any."""
    return header.strip() == "*" or tag in named_tags(header)


def modified(row: StoredObject) -> datetime:
    """When its bytes were written, as Last-Modified tells it."""
    try:
        return datetime.fromisoformat(str(row.file_metadata.get("lastModified")))
    except ValueError:
        return row.changed
