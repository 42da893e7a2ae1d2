"""`DELETE /object/:bucket` with a list of names."""

from __future__ import annotations

from api.storage.objects import delete_objects as delete_rows
from api.storage.objects import render_object
from api.storage.reply import Reply, json_reply
from api.storage.request import Request
from api.storage.services import Services
from api.storage.versions import discard_files

SCHEMA = {
    "type": "object",
    "required": ["prefixes"],
    "properties": {"prefixes": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
}


async def delete_objects(services: Services, request: Request) -> Reply:
    """Delete the objects of exactly these names; the rows that went, without those that could not."""
    body = await request.json(SCHEMA)
    async with services.transactions.as_caller(request) as connection:
        gone = await delete_rows(connection, request.bucket, body["prefixes"])
    await discard_files(services, request.bucket, [row["version"] for row in gone])
    return json_reply([render_object(row) for row in gone])
