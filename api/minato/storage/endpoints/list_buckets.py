"""`GET /bucket`."""

from __future__ import annotations

from minato.storage.buckets import list_buckets as select_buckets
from minato.storage.buckets import render_bucket
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.schemas import ORDER
from minato.storage.services import Services

SCHEMA = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer", "minimum": 1},
        "offset": {"type": "integer", "minimum": 0},
        "sortColumn": {"type": "string", "enum": ["id", "name", "created_at", "updated_at"]},
        "sortOrder": ORDER,
        "search": {"type": "string"},
    },
}


async def list_buckets(services: Services, request: Request) -> Reply:
    """The buckets the caller's policies show."""
    wanted = request.checked_query(SCHEMA)
    async with services.transactions.as_caller(request) as connection:
        found = await select_buckets(connection, wanted)
    return json_reply([render_bucket(row, with_type=True) for row in found])
