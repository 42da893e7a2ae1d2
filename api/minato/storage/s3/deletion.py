"""DeleteObject and DeleteObjects: what is not there counts as deleted, what may not be deleted does not."""

from __future__ import annotations

from minato.storage.buckets import require_bucket
from minato.storage.errors import access_denied
from minato.storage.objects import delete_objects as delete_rows
from minato.storage.objects import find_names
from minato.storage.reply import Reply
from minato.storage.s3_wire.errors import malformed_xml
from minato.storage.s3_wire.payload import S3Request, xml_payload
from minato.storage.s3_wire.xml import XML, render_xml
from minato.storage.services import Services
from minato.storage.versions import discard_files

MOST = 1000


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
