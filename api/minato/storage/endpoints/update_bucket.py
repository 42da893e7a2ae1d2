"""`PUT /bucket/:id`."""

from __future__ import annotations

from typing import Any

from minato.storage.buckets import update_bucket as update_row
from minato.storage.errors import no_such_bucket
from minato.storage.limits import parse_mime_types, parse_size
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.schemas import BUCKET_LIMITS
from minato.storage.services import Services

SCHEMA = {"type": "object", "properties": BUCKET_LIMITS, "requireAny": list(BUCKET_LIMITS)}


async def update_bucket(services: Services, request: Request) -> Reply:
    """Change what is given; null clears a limit, what is absent stays."""
    body = await request.json(SCHEMA)
    values: dict[str, Any] = {}
    if "public" in body:
        values["public"] = body["public"]
    if "file_size_limit" in body:
        values["file_size_limit"] = parse_size(body["file_size_limit"], services.settings.file_size_limit)
    if "allowed_mime_types" in body:
        values["allowed_mime_types"] = parse_mime_types(body["allowed_mime_types"])
    async with services.transactions.as_caller(request) as connection:
        if not await update_row(connection, request.bucket, values):
            raise no_such_bucket()
    return json_reply({"message": "Successfully updated"})
