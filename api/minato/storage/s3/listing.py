"""ListObjects in both versions: names below a prefix, grouped by a delimiter, a page at a time."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from sqlalchemy import Uuid, column, func, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.storage.buckets import require_bucket
from minato.storage.list_cursor import Cursor, parse_cursor
from minato.storage.listing import Item, NamePage
from minato.storage.listing import list_objects as list_names
from minato.storage.reply import Reply, iso_time
from minato.storage.s3_wire.errors import invalid_argument
from minato.storage.s3_wire.payload import S3Request, read_count
from minato.storage.s3_wire.xml import XML, render_xml
from minato.storage.services import Services
from minato.storage.tables import TIME

MOST = 1000


async def list_objects_v2(services: Services, request: S3Request) -> Reply:
    query = request.query
    token = query.get("continuation-token")
    place = parse_cursor(token).after if token else ""
    items, more = await _page(services, request, query.get("start-after", ""), place)
    encode = url_encoder(request)
    result = {
        **_head(request, encode),
        "ContinuationToken": token,
        "NextContinuationToken": Cursor(items[-1]["name"]).encode() if more else None,
        "StartAfter": encode(query["start-after"]) if "start-after" in query else None,
        "KeyCount": len(items),
        "IsTruncated": more,
        **_items(items, encode),
    }
    return Reply(200, [XML], render_xml("ListBucketResult", result))


async def list_objects(services: Services, request: S3Request) -> Reply:
    """The old listing: pages are continued by name."""
    marker = request.query.get("marker", "")
    items, more = await _page(services, request, "", marker)
    encode = url_encoder(request)
    result = {
        **_head(request, encode),
        "Marker": encode(marker),
        # Without a delimiter the last key tells it already.
        "NextMarker": encode(items[-1]["name"]) if more and request.query.get("delimiter") else None,
        "IsTruncated": more,
        **_items(items, encode),
    }
    return Reply(200, [XML], render_xml("ListBucketResult", result))


def url_encoder(request: S3Request) -> Callable[[str], str]:
    """How names are written: XML can't say every character, so clients ask for percent signs."""
    wanted = request.query.get("encoding-type")
    if wanted not in (None, "url"):
        raise invalid_argument("encoding-type")
    return (lambda text: quote(text, "/~")) if wanted else str


async def _page(services: Services, request: S3Request, start: str, token: str) -> tuple[list[Item], bool]:
    """Objects and groups (their id is None) behind any name `start`, or behind `token`, the last of a page.

    Also whether more follow.
    """
    await require_bucket(services.transactions, request.bucket)
    limit = _limit(request)
    prefix, delimiter = request.query.get("prefix", ""), request.query.get("delimiter", "")
    async with services.transactions.as_caller(request) as connection:
        if delimiter:
            found = await _grouped(connection, request, start, token)
        else:
            found = await list_names(connection, request.bucket, NamePage(prefix, Cursor(token or start), limit + 1))
    return found[:limit], len(found) > limit


async def _grouped(connection: AsyncConnection, request: S3Request, start: str, token: str) -> list[Item]:
    prefix, delimiter = request.query.get("prefix", ""), request.query["delimiter"]
    listed = func.storage.list_objects_with_delimiter(
        request.bucket, prefix, delimiter, _limit(request) + 1, start, token
    ).table_valued(
        column("name"), column("id", Uuid(as_uuid=False)), column("metadata", JSONB), column("updated_at", TIME)
    )
    found = [dict(row) for row in (await connection.execute(select(listed))).mappings()]
    for item in found:
        item["updated_at"] = iso_time(item["updated_at"])
        if item["id"] is None:
            item["name"] += delimiter
    return found


def _limit(request: S3Request) -> int:
    return read_count(request, "max-keys", MOST) or MOST


def _head(request: S3Request, encode: Callable[[str], str]) -> Item:
    delimiter = request.query.get("delimiter")
    return {
        "Name": request.bucket,
        "Prefix": encode(request.query.get("prefix", "")),
        "Delimiter": encode(delimiter) if delimiter else None,
        "MaxKeys": _limit(request),
        "EncodingType": request.query.get("encoding-type"),
    }


def _items(items: list[Item], encode: Callable[[str], str]) -> Item:
    return {
        "Contents": [_object(item, encode) for item in items if item["id"] is not None],
        "CommonPrefixes": [{"Prefix": encode(item["name"])} for item in items if item["id"] is None],
    }


def _object(item: Item, encode: Callable[[str], str]) -> Item:
    metadata = item["metadata"] or {}
    return {
        "Key": encode(item["name"]),
        "LastModified": item["updated_at"],
        "ETag": metadata.get("eTag"),
        "Size": metadata.get("size", 0),
        "StorageClass": "STANDARD",
    }
