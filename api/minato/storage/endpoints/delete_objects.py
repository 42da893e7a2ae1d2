"""Objects deleted: one by its path, or many by a list of names."""

from __future__ import annotations

from minato.storage import objects as rows
from minato.storage.errors import access_denied, no_such_key
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.validation import Schema
from minato.storage.versions import discard_files

NAMES: Schema = {
    "type": "object",
    "required": ["prefixes"],
    "properties": {"prefixes": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
}


async def delete_object(services: Services, request: Request) -> Reply:
    """`DELETE /object/:bucket/*`; whether it exists is no secret, whether it may be deleted is the policies' affair."""
    await request.json()
    async with services.transactions.look_up() as connection:
        if await rows.find_object(connection, request.bucket, request.key) is None:
            raise no_such_key()
    if not await _delete(services, request, [request.key]):
        raise access_denied("Access denied")
    return json_reply({"message": "Successfully deleted"})


async def delete_objects(services: Services, request: Request) -> Reply:
    """`DELETE /object/:bucket`: the objects of exactly these names; the rows that went, without those that stayed."""
    body = await request.json(NAMES)
    return json_reply([rows.render_object(row) for row in await _delete(services, request, body["prefixes"])])


async def _delete(services: Services, request: Request, keys: list[str]) -> list[rows.StoredObject]:
    """What the caller's policies let go, rows and files."""
    async with services.transactions.as_caller(request) as connection:
        gone = await rows.delete_objects(connection, request.bucket, keys)
    await discard_files(services, request.bucket, [row.version for row in gone])
    return gone
