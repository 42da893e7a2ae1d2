"""Both listings: v1 by offset, relative to a folder; v2 by cursor, over whole names. SQL lists, as the caller."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnClause, ColumnElement, RowMapping, Uuid, column, func, literal, select, tuple_
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.json_text import JsonObject
from minato.storage.list_cursor import Cursor
from minato.storage.reply import iso_time
from minato.storage.tables import TIME, objects

TIMES = ("updated_at", "created_at", "last_accessed_at")
LISTED = ("name", "id", *TIMES)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What is listed, as JSON: times are text already.
Item = JsonObject


@dataclass(frozen=True, slots=True)
class FolderPage:
    """Which files and folders below `prefix`, always a folder, are asked for, and in which order."""

    prefix: str
    limit: int
    offset: int
    search: str
    column: str
    order: str


@dataclass(frozen=True, slots=True)
class NamePage:
    """Which names that begin with `prefix` are asked for: so many behind the cursor."""

    prefix: str
    cursor: Cursor
    limit: int


async def list_folder(connection: AsyncConnection, bucket: str, wanted: FolderPage) -> list[Item]:
    """The files and folders of the page."""
    prefix = wanted.prefix if not wanted.prefix or wanted.prefix.endswith("/") else f"{wanted.prefix}/"
    depth = prefix.count("/") + 1
    listed = func.storage.search(
        prefix, bucket, wanted.limit, depth, wanted.offset, wanted.search, wanted.column, wanted.order
    ).table_valued(column("name"), *_described())
    found = await connection.execute(select(listed))
    return [_render(row, (*LISTED, "metadata")) for row in found.mappings()]


async def list_objects(connection: AsyncConnection, bucket: str, wanted: NamePage) -> list[Item]:
    """The objects of the page."""
    cursor = wanted.cursor
    name = objects.c.name.collate("C")
    place: list[ColumnElement[Any]] = [name]
    behind: list[ColumnElement[Any]] = [literal(cursor.after)]
    if cursor.column != "name":
        place.insert(0, func.coalesce(func.date_trunc("milliseconds", objects.c[cursor.column]), literal(EPOCH, TIME)))
        behind.insert(0, literal(_moment(cursor.after_time), TIME))
    descending = cursor.order == "desc"
    query = select(objects).where(objects.c.bucket_id == bucket, func.starts_with(objects.c.name, wanted.prefix))
    if cursor.after:
        here, there = tuple_(*place), tuple_(*behind)
        query = query.where(here < there if descending else here > there)
    query = query.order_by(*(by.desc() if descending else by.asc() for by in place)).limit(wanted.limit)
    found = await connection.execute(query)
    return [_render(row, ("id", "name", "metadata", *TIMES)) for row in found.mappings()]


async def list_level(connection: AsyncConnection, bucket: str, wanted: NamePage) -> list[Item]:
    """The objects and folders of the page, right below its prefix; a folder's id is null, its name ends in `/`."""
    cursor = wanted.cursor
    listed = func.storage.search_v2(
        wanted.prefix, bucket, wanted.limit, 1, cursor.after, cursor.order, cursor.column, cursor.after_time or ""
    ).table_valued(column("key"), column("name"), *_described())
    found = [
        _render(row, ("key", *LISTED, "metadata")) for row in (await connection.execute(select(listed))).mappings()
    ]
    for item in found:
        if item["id"] is None:
            item["name"] = f"{item['name']}/"
    return found


def _moment(text: str | None) -> datetime:
    return datetime.fromisoformat(text) if text else EPOCH


def _described() -> list[ColumnClause[Any]]:
    return [column("id", Uuid(as_uuid=False)), *(column(name, TIME) for name in TIMES), column("metadata", JSONB)]


def _render(row: RowMapping, names: tuple[str, ...]) -> Item:
    return {name: iso_time(row[name]) if name in TIMES else row[name] for name in names}
