"""`POST /object/move`."""

from __future__ import annotations

from minato.storage.errors import no_such_key
from minato.storage.moved_content import require_fitting_copy
from minato.storage.names import require_key
from minato.storage.objects import StoredObject, Values, find_object, update_object
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.schemas import SOURCE_AND_TARGET, SOURCE_AND_TARGET_REQUIRED
from minato.storage.services import Services
from minato.storage.transactions import undo
from minato.storage.uploading import owner_values
from minato.storage.versions import copy_file, discard_files, new_version

SCHEMA = {"type": "object", "required": SOURCE_AND_TARGET_REQUIRED, "properties": SOURCE_AND_TARGET}
MOVED = {"message": "Successfully moved"}


async def move_object(services: Services, request: Request) -> Reply:
    """Rename an object the caller sees and may update, also into another bucket."""
    body = await request.json(SCHEMA)
    source = (body["bucketId"], body["sourceKey"])
    target = (body.get("destinationBucket") or body["bucketId"], body["destinationKey"])
    require_key(target[1])
    values = {"bucket_id": target[0], "name": target[1], **owner_values(request.known_caller.subject)}
    found = await _probe(services, request, source, values)
    if source == target:
        return json_reply(MOVED)
    if source[0] != target[0]:
        await require_fitting_copy(services, found, target, found.file_metadata)
    async with new_version(services, target[0]) as version:
        await copy_file(services, found, target[0], version)
        async with services.transactions.as_service(request, lock="/".join(source)) as connection:
            before = await find_object(connection, *source, lock=True)
            if before is None or before.version != found.version:
                raise no_such_key()
            await update_object(connection, *source, {**values, "version": version})
    await discard_files(services, source[0], [found.version])
    return json_reply(MOVED)


async def _probe(services: Services, request: Request, source: tuple[str, str], values: Values) -> StoredObject:
    """The object, if the caller's policies let it see and rename it."""
    await services.transactions.require_user(request)
    async with services.transactions.as_caller(request) as connection:
        found = await find_object(connection, *source)
        if found is None:
            raise no_such_key()
        if await update_object(connection, *source, {**values, "version": "1"}) is None:
            raise no_such_key()
        await undo(connection)
    return found
