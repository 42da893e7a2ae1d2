"""`POST /object/list/:bucket`: a folder's files and folders, by offset."""

from __future__ import annotations

from minato.storage.listing import list_folder
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.schemas import ORDER
from minato.storage.services import Services

COLUMNS = ["name", "updated_at", "created_at", "last_accessed_at"]
SCHEMA = {
    "type": "object",
    "required": ["prefix"],
    "properties": {
        "prefix": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1},
        "offset": {"type": "integer", "minimum": 0},
        "search": {"type": "string"},
        "sortBy": {
            "type": "object",
            "required": ["column"],
            "properties": {"column": {"type": "string", "enum": COLUMNS}, "order": ORDER},
        },
    },
}
LARGEST_NUMBER = 2**31 - 1


async def list_objects(services: Services, request: Request) -> Reply:
    """What the caller's policies show; an unknown bucket has nothing."""
    body = await request.json(SCHEMA)
    for name in ("limit", "offset"):
        if name in body:
            body[name] = min(body[name], LARGEST_NUMBER // 2)
    async with services.transactions.as_caller(request) as connection:
        return json_reply(await list_folder(connection, request.bucket, body))
