"""Queries on storage.buckets. Whose rights they run with is the connection's affair."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import RowMapping, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.database.wire.session import Command
from minato.storage.errors import no_such_bucket
from minato.storage.reply import iso_time
from minato.storage.tables import buckets
from minato.storage.transactions import Transactions
from minato.tokens.caller import SERVICE_ROLE

SHOWN = [column for column in buckets.columns if column.name != "owner_id"]
FIND_BUCKET = "select row_to_json(b) from storage.buckets b where b.id = $1"


async def find_bucket(connection: AsyncConnection, bucket: str) -> RowMapping | None:
    """The bucket, if this connection sees it."""
    found = await connection.execute(select(*SHOWN).where(buckets.c.id == bucket))
    return found.mappings().first()


async def require_bucket(transactions: Transactions, bucket: str) -> Mapping[str, Any]:
    """The bucket, whoever asks; times are text. Raises NoSuchBucket."""
    found = await look_up_bucket(transactions, bucket)
    if found is None:
        raise no_such_bucket()
    return found


async def look_up_bucket(transactions: Transactions, bucket: str) -> Mapping[str, Any] | None:
    """The same; None when there is none."""
    rows = await transactions.read(Command(FIND_BUCKET, [bucket], SERVICE_ROLE))
    if not rows:
        return None
    found: dict[str, Any] = json.loads(rows[0][0] or b"")
    return found


async def list_buckets(connection: AsyncConnection, wanted: Mapping[str, Any]) -> list[RowMapping]:
    """The visible buckets; `wanted` may hold search, sortColumn, sortOrder, limit, offset."""
    query = select(*SHOWN)
    if wanted.get("search"):
        query = query.where(func.strpos(func.lower(buckets.c.name), func.lower(wanted["search"])) > 0)
    if "sortColumn" in wanted:
        column = buckets.c[wanted["sortColumn"]]
        query = query.order_by(column.desc() if wanted.get("sortOrder") == "desc" else column.asc())
    found = await connection.execute(query.limit(wanted.get("limit")).offset(wanted.get("offset")))
    return list(found.mappings())


async def insert_bucket(connection: AsyncConnection, values: Mapping[str, Any]) -> None:
    """Insert without reading back: creating needs no right to see."""
    await connection.execute(insert(buckets).values(**values))


async def update_bucket(connection: AsyncConnection, bucket: str, values: Mapping[str, Any]) -> bool:
    """Whether there was one to update."""
    statement = update(buckets).where(buckets.c.id == bucket).values(**values).returning(buckets.c.id)
    return (await connection.execute(statement)).first() is not None


async def delete_bucket(connection: AsyncConnection, bucket: str) -> bool:
    """Whether there was one to delete."""
    statement = delete(buckets).where(buckets.c.id == bucket).returning(buckets.c.id)
    return (await connection.execute(statement)).first() is not None


def render_bucket(row: RowMapping, with_type: bool) -> dict[str, Any]:
    """A bucket as JSON; one alone is shown without its type."""
    shown = {
        "id": row["id"],
        "name": row["name"],
        "owner": row["owner"] or "",
        "public": bool(row["public"]),
        "type": row["type"],
        "file_size_limit": row["file_size_limit"],
        "allowed_mime_types": row["allowed_mime_types"],
        "created_at": iso_time(row["created_at"]) or "",
        "updated_at": iso_time(row["updated_at"]) or "",
    }
    return shown if with_type else {name: value for name, value in shown.items() if name != "type"}
