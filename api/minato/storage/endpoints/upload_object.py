"""`POST /object/:bucket/*` creates, `PUT /object/:bucket/*` creates or replaces."""

from __future__ import annotations

from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.uploading import upload


async def create_object(services: Services, request: Request) -> Reply:
    """Store a new object; with `x-upsert: true` an existing one is replaced."""
    return await _upload(services, request, request.upserts)


async def update_object(services: Services, request: Request) -> Reply:
    """Store an object, replacing the one that is there."""
    return await _upload(services, request, upsert=True)


async def _upload(services: Services, request: Request, upsert: bool) -> Reply:
    row = await upload(services, request, upsert)
    return json_reply({"Id": row["id"], "Key": f"{request.bucket}/{request.key}"})
