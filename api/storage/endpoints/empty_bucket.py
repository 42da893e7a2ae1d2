"""`POST /bucket/:id/empty`, for service_role alone."""

from __future__ import annotations

from sqlalchemy import func, select

from api.storage.buckets import require_bucket
from api.storage.errors import invalid_request
from api.storage.objects import delete_objects
from api.storage.reply import Reply, json_reply
from api.storage.request import Request
from api.storage.services import Services
from api.storage.tables import objects
from api.storage.versions import discard_files

BATCH = 1000
QUEUED = "Empty bucket has been queued. Completion may take up to an hour."
TOO_MANY = "Unable to empty the bucket because it contains too many objects"


async def empty_bucket(services: Services, request: Request) -> Reply:
    """Delete every object that is there now; done when this answers, whatever the message says."""
    await request.json()
    await require_bucket(services.transactions, request.bucket)
    await _require_few(services, request.bucket)
    while await _delete_batch(services, request):
        pass
    return json_reply({"message": QUEUED})


async def _require_few(services: Services, bucket: str) -> None:
    async with services.transactions.look_up() as connection:
        count = await connection.scalar(select(func.count()).where(objects.c.bucket_id == bucket)) or 0
    if count > services.settings.empty_bucket_max:
        raise invalid_request(TOO_MANY, meant=409)


async def _delete_batch(services: Services, request: Request) -> bool:
    some = select(objects.c.name).where(objects.c.bucket_id == request.bucket).limit(BATCH)
    async with services.transactions.as_service(request) as connection:
        names = [name for name in (await connection.execute(some)).scalars() if name is not None]
        gone = await delete_objects(connection, request.bucket, names)
    await discard_files(services, request.bucket, [row["version"] for row in gone])
    return bool(gone)
