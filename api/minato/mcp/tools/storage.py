"""Buckets."""

from __future__ import annotations

from typing import Final

from minato.json_text import JsonObject
from minato.mcp.place import Place
from minato.mcp.tool import Input, Tool

_TOLD: Final = ("id", "name", "owner", "created_at", "updated_at", "public", "file_size_limit", "allowed_mime_types")


async def list_storage_buckets(place: Place, given: Input) -> object:
    found = await place.told("GET", "/storage/v1/bucket")
    return {"buckets": [_bucket(each) for each in found]}


def _bucket(told: JsonObject | str) -> dict[str, object]:
    assert isinstance(told, dict)
    return {name: told.get(name) for name in _TOLD}


TOOLS: Final = (
    Tool("list_storage_buckets", "List storage buckets", "Lists the buckets.", Input, list_storage_buckets),
)
