"""`POST /object/copy`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from minato.storage.moved_content import require_fitting_copy
from minato.storage.names import require_key
from minato.storage.object_access import visible_object
from minato.storage.objects import StoredObject, render_object
from minato.storage.reply import Reply, iso_time, json_reply
from minato.storage.request import Request
from minato.storage.schemas import SOURCE_AND_TARGET, SOURCE_AND_TARGET_REQUIRED
from minato.storage.services import Services
from minato.storage.uploading import owner_values, probe, switch_row
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


@dataclass(frozen=True, slots=True)
class CopiedMetadata:
    """What the copy's row says of its file, and what the user says of it."""

    of_file: Mapping[str, object]
    of_user: object


async def copy_object(services: Services, request: Request) -> Reply:
    """Copy an object the caller sees to where the caller may upload."""
    body = await request.json(SCHEMA)
    target = replace(request, bucket=body.get("destinationBucket") or body["bucketId"], key=body["destinationKey"])
    require_key(target.key)
    found = await visible_object(services, replace(request, bucket=body["bucketId"], key=body["sourceKey"]))
    given = None if body.get("copyMetadata", True) else body.get("metadata") or {}
    row = await place_copy(services, target, found, _metadata(services, request, given, found), request.upserts)
    return json_reply({"Id": row.id, "Key": f"{target.bucket}/{target.key}", **render_object(row)})


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
    await discard_files(services, target.bucket, [replaced])
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
