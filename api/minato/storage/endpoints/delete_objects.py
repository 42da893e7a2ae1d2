"""`DELETE /object/:bucket` with a list of names."""

from __future__ import annotations

from minato.storage.objects import delete_objects as delete_rows
from minato.storage.objects import render_object
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.versions import discard_files

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
