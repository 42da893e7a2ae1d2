"""Objects listed: a folder's files and folders by offset, or names by prefix and by cursor."""

from __future__ import annotations

from minato.storage import listing
from minato.storage.list_cursor import Cursor, parse_cursor
from minato.storage.listing import FolderPage, Item
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.validation import ORDER, Schema

FOLDER: Schema = {
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
            "properties": {
                "column": {"type": "string", "enum": ["name", "updated_at", "created_at", "last_accessed_at"]},
                "order": ORDER,
            },
        },
    },
}
PAGE: Schema = {
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
BY_NAME = {"column": "name"}
# Both are added to by PostgreSQL, as an integer.
LARGEST_NUMBER = (2**31 - 1) // 2
MAX_PAGE = 1000


async def list_objects(services: Services, request: Request) -> Reply:
    """`POST /object/list/:bucket`: what the caller's policies show; an unknown bucket has nothing."""
    body = await request.json(FOLDER)
    sort = body.get("sortBy") or BY_NAME
    wanted = FolderPage(
        prefix=body["prefix"],
        limit=min(body.get("limit", 100), LARGEST_NUMBER),
        offset=min(body.get("offset", 0), LARGEST_NUMBER),
        search=body.get("search", ""),
        column=sort["column"],
        order=sort.get("order", "asc"),
    )
    async with services.transactions.as_caller(request) as connection:
        return json_reply(await listing.list_folder(connection, request.bucket, wanted))


async def list_objects_v2(services: Services, request: Request) -> Reply:
    """`POST /object/list-v2/:bucket`: one page of what the caller's policies show, and where the next begins."""
    body = await request.json(PAGE)
    if body.get("cursor"):
        # A cursor knows the order of the pages before; only the first page's is asked for.
        cursor = parse_cursor(body["cursor"])
    else:
        sort = body.get("sortBy") or BY_NAME
        cursor = Cursor(order=sort.get("order", "asc"), column=sort["column"])
    limit = min(body.get("limit", MAX_PAGE), MAX_PAGE)
    select = listing.list_level if body.get("with_delimiter") else listing.list_objects
    async with services.transactions.as_caller(request) as connection:
        # One more than the page tells whether there is another.
        found = await select(connection, request.bucket, listing.NamePage(body.get("prefix", ""), cursor, limit + 1))
    return json_reply(_page(found[:limit], len(found) > limit, cursor))


def _page(items: list[Item], has_next: bool, cursor: Cursor) -> dict[str, object]:
    following: dict[str, object] = {}
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
