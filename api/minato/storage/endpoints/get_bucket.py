"""`GET /bucket/:id`."""

from __future__ import annotations

from minato.storage.buckets import find_bucket, render_bucket
from minato.storage.errors import no_such_bucket
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services


async def get_bucket(services: Services, request: Request) -> Reply:
    """One bucket, if the caller's policies show it."""
    async with services.transactions.as_caller(request) as connection:
        found = await find_bucket(connection, request.bucket)
    if found is None:
        raise no_such_bucket()
    return json_reply(render_bucket(found, with_type=False))
