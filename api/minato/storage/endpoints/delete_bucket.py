"""`DELETE /bucket/:id`."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError

from minato.storage.buckets import delete_bucket as delete_row
from minato.storage.buckets import require_bucket
from minato.storage.errors import StorageError, no_such_bucket
from minato.storage.objects import has_objects
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services

NOT_EMPTY = "The bucket you tried to delete is not empty"
PENDING_UPLOAD = "The bucket could not be updated because it is referenced by a pending multipart upload."


async def delete_bucket(services: Services, request: Request) -> Reply:
    """Delete an empty bucket, if the caller's policies allow."""
    await request.json()
    await remove_bucket(services, request)
    return json_reply({"message": "Successfully deleted"})


async def remove_bucket(services: Services, request: Request) -> None:
    """Delete the empty bucket. Raises StorageError."""
    await require_bucket(services.transactions, request.bucket)
    async with services.transactions.look_up() as connection:
        if await has_objects(connection, request.bucket):
            raise StorageError(409, "ResourceNotEmpty", NOT_EMPTY)
    try:
        async with services.transactions.as_caller(request) as connection:
            if not await delete_row(connection, request.bucket):
                raise no_such_bucket()
    except IntegrityError:
        raise StorageError(409, "ResourceReferenced", PENDING_UPLOAD) from None
