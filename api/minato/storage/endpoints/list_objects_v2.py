"""`POST /object/list-v2/:bucket`: names by prefix, by cursor, with or without folders."""

from __future__ import annotations

from typing import Any

from minato.storage.list_cursor import Cursor, parse_cursor
from minato.storage.listing import list_level
from minato.storage.listing import list_objects as list_names
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.schemas import ORDER
from minato.storage.services import Services

MAX_PAGE = 1000
SCHEMA = {
    "type": "object",
    "properties": {
        "prefix": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1},
        "cursor": {"type": "string"},
        "with_delimiter": {"type": "boolean"},
        "sortBy": {
            "type": "object",
            "required": ["column"],
            "properties": {
                "column": {"type": "string", "enum": ["name", "updated_at", "created_at"]},
                "order": ORDER,
            },
        },
    },
}


async def list_objects_v2(services: Services, request: Request) -> Reply:
    """One page of what the caller's policies show, and where the next begins."""
    body = await request.json(SCHEMA)
    cursor = _cursor(body)
    limit = min(body.get("limit", MAX_PAGE), MAX_PAGE)
    listing = list_level if body.get("with_delimiter") else list_names
    async with services.transactions.as_caller(request) as connection:
        # One more than the page tells whether there is another.
        found = await listing(connection, request.bucket, body.get("prefix", ""), cursor, limit + 1)
    return json_reply(_page(found[:limit], len(found) > limit, cursor))


def _cursor(body: dict[str, Any]) -> Cursor:
    """A cursor knows the order of the pages before; only the first page's is asked for."""
    if body.get("cursor"):
        return parse_cursor(body["cursor"])
    sort = body.get("sortBy") or {"column": "name"}
    return Cursor(order=sort.get("order", "asc"), column=sort["column"])


def _page(items: list[dict[str, Any]], has_next: bool, cursor: Cursor) -> dict[str, Any]:
    following: dict[str, Any] = {}
    if has_next:
        last = items[-1]
        time = None if cursor.column == "name" else last[cursor.column]
        following = {
            "nextCursor": Cursor(last["name"], cursor.order, cursor.column, time).encode(),
            "nextCursorKey": last["name"],
        }
    return {
        "hasNext": has_next,
        **following,
        "folders": [item for item in items if item["id"] is None],
        "objects": [item for item in items if item["id"] is not None],
    }
