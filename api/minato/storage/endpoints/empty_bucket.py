"""`POST /bucket/:id/empty`: what the caller's policies let it delete, everything for service_role.

As in the release the command line tool pins, which the client suites run against; newer ones let service_role alone.
"""

from __future__ import annotations

from sqlalchemy import func, select

from minato.storage.buckets import find_bucket
from minato.storage.errors import invalid_request, no_such_bucket
from minato.storage.objects import delete_objects
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.tables import objects
from minato.storage.versions import discard_files

BATCH = 1000
QUEUED = "Empty bucket has been queued. Completion may take up to an hour."
TOO_MANY = "Unable to empty the bucket because it contains too many objects"


async def empty_bucket(services: Services, request: Request) -> Reply:
    """Delete every object the caller may; done when this answers, whatever the message says."""
    await request.json()
    await _require_visible(services, request)
    await _require_few(services, request.bucket)
    after: str | None = ""
    while after is not None:
        after = await _delete_batch(services, request, after)
    return json_reply({"message": QUEUED})


async def _require_visible(services: Services, request: Request) -> None:
    async with services.transactions.as_caller(request) as connection:
        if await find_bucket(connection, request.bucket) is None:
            raise no_such_bucket()


async def _require_few(services: Services, bucket: str) -> None:
    async with services.transactions.look_up() as connection:
        count = await connection.scalar(select(func.count()).where(objects.c.bucket_id == bucket)) or 0
    if count > services.settings.empty_bucket_max:
        raise invalid_request(TOO_MANY, meant=409)


async def _delete_batch(services: Services, request: Request, after: str) -> str | None:
    """Delete what may be of the names behind `after`; the last name looked at, None at the end."""
    name = objects.c.name.collate("C")
    some = select(objects.c.name).where(objects.c.bucket_id == request.bucket, name > after).order_by(name).limit(BATCH)
    async with services.transactions.as_caller(request) as connection:
        names = [found for found in (await connection.execute(some)).scalars() if found is not None]
        gone = await delete_objects(connection, request.bucket, names)
    await discard_files(services, request.bucket, [row["version"] for row in gone])
    return names[-1] if names else None
