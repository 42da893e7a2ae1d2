"""Single objects over S3: put, get, head, deleted also by a list, and their tags, of which there are none.

What is not there counts as deleted, what may not be deleted does not.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from minato.storage.buckets import require_bucket
from minato.storage.errors import StorageError, access_denied
from minato.storage.names import EMPTY_FOLDER, require_bucket_name
from minato.storage.object_access import of_current, visible_object
from minato.storage.object_reply import head_reply, not_modified, object_reply
from minato.storage.objects import Readable, StoredObject, find_names
from minato.storage.objects import delete_objects as delete_rows
from minato.storage.reply import Reply, encode_headers
from minato.storage.s3.conditions import only_creates, replaced_tags, require_match
from minato.storage.s3_wire.errors import malformed_xml, no_such_part, precondition_failed
from minato.storage.s3_wire.payload import S3Request, amz_metadata, payload, payload_length, xml_payload
from minato.storage.s3_wire.xml import XML, Element, render_xml
from minato.storage.services import Services
from minato.storage.upload_content import DEFAULT_TYPE, UploadContent
from minato.storage.uploading import Upload, store_as_caller
from minato.storage.versions import discard_files

# Parameter of GetObject → the header it sets.
OVERRIDES = {
    "response-cache-control": "cache-control",
    "response-content-disposition": "content-disposition",
    "response-content-encoding": "content-encoding",
    "response-content-language": "content-language",
    "response-expires": "expires",
}
MOST = 1000
METADATA_NAME = re.compile("[A-Za-z0-9._-]+")
CONDITIONS = ("ETag", "LastModifiedTime", "Size")
CONDITIONAL = "A version or a condition of one object among several is not implemented"


async def put_object(services: Services, request: S3Request) -> Reply:
    """Create or replace; with `If-None-Match: *` only create, with `If-Match` only replace."""
    length = payload_length(request)
    if request.key.endswith("/") and length == 0:
        request = replace(request, key=request.key + EMPTY_FOLDER)
    require_bucket_name(request.bucket)
    limits = await require_bucket(services.transactions, request.bucket)
    content = UploadContent(
        mime_type=request.headers.get("content-type") or DEFAULT_TYPE,
        cache_control=request.headers.get("cache-control", "no-cache"),
        user_metadata=amz_metadata(request),
        length=length,
        raw=True,
        chunks=payload(request),
    )
    only_new, tags = only_creates(request), replaced_tags(request)
    try:
        row = await store_as_caller(services, Upload(request, limits, content, upsert=not only_new, tags=tags))
    except StorageError as error:
        if error.code == "KeyAlreadyExists":
            raise precondition_failed() from None
        raise
    return Reply(200, encode_headers({"etag": row.etag}))


async def get_object(services: Services, request: S3Request) -> Reply:
    """Bytes, a range of them, or 304; the client may ask for other headers than those stored."""
    return await of_current(partial(_readable, services, request), partial(_got, services, request))


async def _got(services: Services, request: S3Request, found: Readable) -> Reply:
    reply = await object_reply(services, request, found)
    wished = {header: request.query[name] for name, header in OVERRIDES.items() if name in request.query}
    return _described(reply, found.row, wished)


async def head_object(services: Services, request: S3Request) -> Reply:
    found = await _readable(services, request)
    return _described(not_modified(services, request, found) or head_reply(services, request, found), found.row, {})


async def _readable(services: Services, request: S3Request) -> Readable:
    """The object under the request's conditions. However it was uploaded, it has one part."""
    row = await visible_object(services, request)
    require_match(request, row)
    if request.query.get("partNumber", "1") != "1":
        raise no_such_part()
    return Readable(row)


async def get_object_tagging(services: Services, request: S3Request) -> Reply:
    await visible_object(services, request)
    return Reply(200, [XML], render_xml("Tagging", {"TagSet": ""}))


def _described(reply: Reply, row: StoredObject, wished: dict[str, str]) -> Reply:
    set_here = {name.encode() for name in wished}
    reply.headers = [header for header in reply.headers if header[0] not in set_here]
    reply.headers += encode_headers({**wished, **metadata_headers(row.user_metadata)})
    return reply


def metadata_headers(metadata: object) -> dict[str, str | None]:
    """`x-amz-meta-*`; what no header can say is counted in `x-amz-missing-meta`."""
    given = metadata if isinstance(metadata, dict) else {}
    said: dict[str, str | None] = {
        f"x-amz-meta-{name.lower()}": value
        for name, value in given.items()
        if isinstance(value, str) and _sayable(value) and METADATA_NAME.fullmatch(name)
    }
    missing = len(given) - len(said)
    return {**said, "x-amz-missing-meta": str(missing) if missing else None}


def _sayable(value: str) -> bool:
    return value.isascii() and value.isprintable()


async def delete_object(services: Services, request: S3Request) -> Reply:
    """204. Raises AccessDenied when the object stays, PreconditionFailed when it is not the one that was meant."""
    await require_bucket(services.transactions, request.bucket)
    meant = await _meant(services, request)
    if await _delete(services, request, [request.key], meant):
        await _meant(services, request)
        raise access_denied("Access denied")
    return Reply(204)


async def _meant(services: Services, request: S3Request) -> str | None:
    """The version that If-Match means; None without that. Raises PreconditionFailed or NoSuchKey."""
    if "if-match" not in request.headers:
        return None
    row = await visible_object(services, request)
    require_match(request, row)
    return row.version


async def delete_objects(services: Services, request: S3Request) -> Reply:
    """What went and what stayed, in the order asked; `Quiet` leaves out what went."""
    document = await xml_payload(request)
    items = [(found, item) for item in document.all("Object") if (found := item.find("Key")) is not None]
    keys = [key for key, item in items if not _asks_more(item)]
    if document.name != "Delete" or len(items) > MOST:
        raise malformed_xml()
    await require_bucket(services.transactions, request.bucket)
    kept = await _delete(services, request, keys)
    quiet = document.find("Quiet") == "true"
    result = {
        "Deleted": [{"Key": key} for key in keys if key not in kept and not quiet],
        "Error": [
            *({"Key": key, "Code": "AccessDenied", "Message": "Access Denied"} for key in keys if key in kept),
            *(
                {"Key": key, "Code": "NotImplemented", "Message": CONDITIONAL}
                for key, item in items
                if _asks_more(item)
            ),
        ],
    }
    return Reply(200, [XML], render_xml("DeleteResult", result))


def _asks_more(item: Element) -> bool:
    """Whether only a certain state of the object is to be deleted: what is there now must not go instead of it."""
    return any(item.find(name) is not None for name in CONDITIONS) or item.find("VersionId") not in (None, "", "null")


async def _delete(services: Services, request: S3Request, keys: list[str], version: str | None = None) -> set[str]:
    """Delete what the caller may; the keys still there."""
    async with services.transactions.as_caller(request) as connection:
        gone = await delete_rows(connection, request.bucket, keys, version)
    await discard_files(services, request.bucket, [row.version for row in gone])
    left = set(keys) - {row.name for row in gone}
    if not left:
        return set()
    async with services.transactions.look_up() as connection:
        return await find_names(connection, request.bucket, list(left))
