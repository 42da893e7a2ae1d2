"""Objects moved, copied and deleted: `POST /object/move`, `/object/copy`, and DELETE of one path or a list of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from minato.storage import objects as rows
from minato.storage.buckets import look_up_bucket
from minato.storage.content import require_honest_type
from minato.storage.errors import access_denied, file_missing, no_such_key, too_large
from minato.storage.limits import require_mime_type
from minato.storage.names import is_empty_folder, require_key
from minato.storage.object_access import of_current, seen_object
from minato.storage.objects import Readable, StoredObject, Values, find_object, render_object, update_object
from minato.storage.reply import Reply, iso_time, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.transactions import undo
from minato.storage.upload_content import DEFAULT_TYPE, HEAD
from minato.storage.uploading import owner_values, probe, size_limit, switch_row
from minato.storage.validation import SOURCE_AND_TARGET, SOURCE_AND_TARGET_REQUIRED, Schema
from minato.storage.versions import copy_file, discard_files, discard_replaced, new_version

MOVE = {"type": "object", "required": SOURCE_AND_TARGET_REQUIRED, "properties": SOURCE_AND_TARGET}
MOVED = {"message": "Successfully moved"}
COPY = {
    "type": "object",
    "required": SOURCE_AND_TARGET_REQUIRED,
    "properties": {
        **SOURCE_AND_TARGET,
        "metadata": {
            "type": "object",
            "properties": {"cacheControl": {"type": "string"}, "mimetype": {"type": "string"}},
        },
        "copyMetadata": {"type": "boolean"},
    },
}
NAMES: Schema = {
    "type": "object",
    "required": ["prefixes"],
    "properties": {"prefixes": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
}


async def move_object(services: Services, request: Request) -> Reply:
    """Rename an object the caller sees and may update, also into another bucket."""
    body = await request.json(MOVE)
    source = (body["bucketId"], body["sourceKey"])
    target = (body.get("destinationBucket") or body["bucketId"], body["destinationKey"])
    require_key(target[1])
    values = {"bucket_id": target[0], "name": target[1], **owner_values(request.known_caller.subject)}

    async def moved(found: Readable) -> Reply:
        if source != target:
            await _move(services, request, found.row, values)
        return json_reply(MOVED)

    return await of_current(partial(_probe, services, request, source, values), moved)


async def _move(services: Services, request: Request, found: StoredObject, values: Values) -> None:
    """Have the object `found` lie where `values` say. Raises `FileMissing` when it is another by now, or gone."""
    source, target = (found.bucket_id, found.name), (str(values["bucket_id"]), str(values["name"]))
    if source[0] != target[0]:
        await require_fitting_copy(services, found, target, found.file_metadata)
    async with new_version(services, target[0]) as version:
        await copy_file(services, found, target[0], version)
        async with services.transactions.as_service(request, lock="/".join(source)) as connection:
            before = await find_object(connection, *source, lock=True)
            if before is None or before.version != found.version:
                raise file_missing()
            await update_object(connection, *source, {**values, "version": version})
    await discard_files(services, source[0], [found.version])


async def _probe(services: Services, request: Request, source: tuple[str, str], values: Values) -> Readable:
    """The object, if the caller's policies let it see and rename it."""
    await services.transactions.require_user(request)
    async with services.transactions.as_caller(request) as connection:
        found = await find_object(connection, *source)
        if found is None:
            raise no_such_key()
        if await update_object(connection, *source, {**values, "version": "1"}) is None:
            raise no_such_key()
        await undo(connection)
    return Readable(found)


@dataclass(frozen=True, slots=True)
class CopiedMetadata:
    """What the copy's row says of its file, and what the user says of it."""

    of_file: Mapping[str, object]
    of_user: object


async def copy_object(services: Services, request: Request) -> Reply:
    """Copy an object the caller sees to where the caller may upload."""
    body = await request.json(COPY)
    target = replace(request, bucket=body.get("destinationBucket") or body["bucketId"], key=body["destinationKey"])
    require_key(target.key)
    source = replace(request, bucket=body["bucketId"], key=body["sourceKey"])
    given = None if body.get("copyMetadata", True) else body.get("metadata") or {}

    async def copied(found: Readable) -> Reply:
        metadata = _metadata(services, request, given, found.row)
        row = await place_copy(services, target, found.row, metadata, request.upserts)
        return json_reply({"Id": row.id, "Key": f"{target.bucket}/{target.key}", **render_object(row)})

    return await of_current(partial(seen_object, services, source), copied)


async def place_copy(
    services: Services, target: Request, found: StoredObject, metadata: CopiedMetadata, upsert: bool
) -> StoredObject:
    """Copy the object `found` to the target's bucket and key, if the caller may upload there; the new row."""
    await require_fitting_copy(services, found, (target.bucket, target.key), metadata.of_file)
    values = {
        **owner_values(target.known_caller.subject),
        "metadata": metadata.of_file,
        "user_metadata": metadata.of_user,
    }
    place = {"bucket_id": target.bucket, "name": target.key}
    await probe(services, target, upsert, {**values, **place, "version": "1"})
    async with new_version(services, target.bucket) as version:
        await copy_file(services, found, target.bucket, version)
        row, replaced = await switch_row(services, target, {**values, "version": version}, upsert)
    await discard_replaced(services, target.bucket, replaced)
    return row


def _metadata(
    services: Services, request: Request, given: Mapping[str, str] | None, found: StoredObject
) -> CopiedMetadata:
    """Those of `found`, or with `given` those and the user's of the request."""
    metadata = {**found.file_metadata, "lastModified": iso_time(services.clock.now())}
    user_metadata = found.user_metadata
    if given is not None:
        metadata |= {name: given[name] for name in ("cacheControl", "mimetype") if given.get(name)}
        user_metadata = request.sent_metadata
    return CopiedMetadata(metadata, user_metadata)


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


async def require_fitting_copy(
    services: Services, found: StoredObject, place: tuple[str, str], metadata: Mapping[str, object]
) -> None:
    """Raise unless the bucket takes the object `found` under these metadata; one that is not there refuses later."""
    if not services.settings.check_every_way_in:
        return
    limits = await look_up_bucket(services.transactions, place[0])
    if limits is None:
        return
    mime_type = str(metadata.get("mimetype") or DEFAULT_TYPE)
    if found.size or not is_empty_folder(place[1]):
        require_mime_type(mime_type, limits.allowed_mime_types)
    if found.bucket_id != place[0]:
        if found.size > size_limit(services, place[1], limits):
            raise too_large()
    if limits.allowed_mime_types and services.settings.check_content:
        require_honest_type(mime_type, await _head(services, found))


async def _head(services: Services, found: StoredObject) -> bytes:
    size = min(found.size, HEAD)
    if not size:
        return b""
    try:
        return b"".join([chunk async for chunk in await services.files.read(found.path, 0, size)])
    except FileNotFoundError:
        raise file_missing() from None
