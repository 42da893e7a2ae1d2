"""Single objects over S3: put, get, head, deleted also by a list, and their tags, of which there are none.

What is not there counts as deleted, what may not be deleted does not.
"""

from __future__ import annotations

from dataclasses import replace

from minato.storage.buckets import require_bucket
from minato.storage.errors import StorageError, access_denied
from minato.storage.names import EMPTY_FOLDER, require_bucket_name
from minato.storage.object_access import visible_object
from minato.storage.object_reply import head_reply, object_reply
from minato.storage.objects import Readable, StoredObject, find_names
from minato.storage.objects import delete_objects as delete_rows
from minato.storage.reply import Reply, encode_headers
from minato.storage.s3_wire.errors import malformed_xml, precondition_failed
from minato.storage.s3_wire.payload import S3Request, amz_metadata, payload, payload_length, xml_payload
from minato.storage.s3_wire.xml import XML, render_xml
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


async def put_object(services: Services, request: S3Request) -> Reply:
    """Create or replace; with `If-None-Match: *` only create."""
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
    only_new = request.headers.get("if-none-match") == "*"
    try:
        row = await store_as_caller(services, Upload(request, limits, content, upsert=not only_new))
    except StorageError as error:
        if only_new and error.code == "KeyAlreadyExists":
            raise precondition_failed() from None
        raise
    return Reply(200, encode_headers({"etag": row.etag}))


async def get_object(services: Services, request: S3Request) -> Reply:
    """Bytes, a range of them, or 304; the client may ask for other headers than those stored."""
    row = await visible_object(services, request)
    _require_match(request, row)
    reply = await object_reply(services, request, Readable(row))
    wished = {header: request.query[name] for name, header in OVERRIDES.items() if name in request.query}
    return _described(reply, row, wished)


async def head_object(services: Services, request: S3Request) -> Reply:
    row = await visible_object(services, request)
    _require_match(request, row)
    return _described(head_reply(services, request, Readable(row)), row, {})


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
        if isinstance(value, str)
        and _sayable(value)
        and name.replace("-", "").replace("_", "").isalnum()
        and name.isascii()
    }
    missing = len(given) - len(said)
    return {**said, "x-amz-missing-meta": str(missing) if missing else None}


def _sayable(value: str) -> bool:
    return value.isascii() and value.isprintable()


def _require_match(request: S3Request, row: StoredObject) -> None:
    wanted = request.headers.get("if-match")
    if wanted is not None and wanted.strip('"') != (row.etag or "").strip('"'):
        raise precondition_failed()


async def delete_object(services: Services, request: S3Request) -> Reply:
    """204. Raises AccessDenied when the object stays."""
    await require_bucket(services.transactions, request.bucket)
    if await _delete(services, request, [request.key]):
        raise access_denied("Access denied")
    return Reply(204)


async def delete_objects(services: Services, request: S3Request) -> Reply:
    """What went and what stayed, in the order asked; `Quiet` leaves out what went."""
    document = await xml_payload(request)
    keys = [found for item in document.all("Object") if (found := item.find("Key")) is not None]
    if document.name != "Delete" or len(keys) > MOST:
        raise malformed_xml()
    await require_bucket(services.transactions, request.bucket)
    kept = await _delete(services, request, keys)
    quiet = document.find("Quiet") == "true"
    result = {
        "Deleted": [{"Key": key} for key in keys if key not in kept and not quiet],
        "Error": [{"Key": key, "Code": "AccessDenied", "Message": "Access Denied"} for key in keys if key in kept],
    }
    return Reply(200, [XML], render_xml("DeleteResult", result))


async def _delete(services: Services, request: S3Request, keys: list[str]) -> set[str]:
    """Delete what the caller may; the keys still there."""
    async with services.transactions.as_caller(request) as connection:
        gone = await delete_rows(connection, request.bucket, keys)
    await discard_files(services, request.bucket, [row.version for row in gone])
    left = set(keys) - {row.name for row in gone}
    if not left:
        return set()
    async with services.transactions.look_up() as connection:
        return await find_names(connection, request.bucket, list(left))
