"""`POST /object/copy`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from minato.storage.moved_content import require_fitting_copy
from minato.storage.names import require_key
from minato.storage.object_access import visible_object
from minato.storage.objects import ObjectRow, render_object
from minato.storage.reply import Reply, iso_time, json_reply
from minato.storage.request import Request, as_uuid
from minato.storage.schemas import SOURCE_AND_TARGET, SOURCE_AND_TARGET_REQUIRED
from minato.storage.services import Services
from minato.storage.uploading import probe, switch_row
from minato.storage.versions import copy_file, discard_files, new_version

SCHEMA = {
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


async def copy_object(services: Services, request: Request) -> Reply:
    """Copy an object the caller sees to where the caller may upload."""
    body = await request.json(SCHEMA)
    bucket, key = body.get("destinationBucket") or body["bucketId"], body["destinationKey"]
    require_key(key)
    found = await visible_object(services, replace(request, bucket=body["bucketId"], key=body["sourceKey"]))
    values = _values(services, request, body, found) | {"bucket_id": bucket, "name": key}
    row = await place_copy(services, request, found, values, request.upserts)
    return json_reply({"Id": row["id"], "Key": f"{bucket}/{key}", **render_object(row)})


async def place_copy(
    services: Services, request: Request, found: ObjectRow, values: dict[str, Any], upsert: bool
) -> ObjectRow:
    """Copy the object `found` to what `values` describe, if the caller may upload there; the new row."""
    bucket = values["bucket_id"]
    await require_fitting_copy(services, request, found, (bucket, values["name"]), values["metadata"])
    await probe(services, request, upsert, {**values, "version": "1"})
    async with new_version(services, bucket) as version:
        await copy_file(services, found, bucket, version)
        row, replaced = await switch_row(services, request, {**values, "version": version}, upsert)
    await discard_files(services, bucket, [replaced])
    return row


def _values(services: Services, request: Request, body: dict[str, Any], found: ObjectRow) -> dict[str, Any]:
    owner = request.known_caller.subject
    metadata = {**(found["metadata"] or {}), "lastModified": iso_time(services.clock.now())}
    user_metadata = found["user_metadata"]
    if not body.get("copyMetadata", True):
        given = body.get("metadata") or {}
        metadata |= {name: given[name] for name in ("cacheControl", "mimetype") if given.get(name)}
        user_metadata = request.sent_metadata
    owned = {} if owner is None else {"owner": as_uuid(owner), "owner_id": owner}
    return {**owned, "metadata": metadata, "user_metadata": user_metadata}
