"""`GET /bucket/:id`."""

from __future__ import annotations

from api.storage.buckets import find_bucket, render_bucket
from api.storage.errors import no_such_bucket
from api.storage.reply import Reply, json_reply
from api.storage.request import Request
from api.storage.services import Services


async def get_bucket(services: Services, request: Request) -> Reply:
    """One bucket, if the caller's policies show it."""
    async with services.transactions.as_caller(request) as connection:
        found = await find_bucket(connection, request.bucket)
    if found is None:
        raise no_such_bucket()
    return json_reply(render_bucket(found, with_type=False))
