"""`DELETE /object/:bucket/*`."""

from __future__ import annotations

from minato.storage.errors import access_denied, no_such_key
from minato.storage.objects import delete_objects, find_object
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.versions import discard_files


async def delete_object(services: Services, request: Request) -> Reply:
    """Delete one object; whether it exists is no secret, whether it may be deleted is the policies' affair."""
    await request.json()
    async with services.transactions.look_up() as connection:
        if await find_object(connection, request.bucket, request.key) is None:
            raise no_such_key()
    async with services.transactions.as_caller(request) as connection:
        gone = await delete_objects(connection, request.bucket, [request.key])
    if not gone:
        raise access_denied("Access denied")
    await discard_files(services, request.bucket, [row["version"] for row in gone])
    return json_reply({"message": "Successfully deleted"})
