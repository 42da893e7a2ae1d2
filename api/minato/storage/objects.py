"""Queries on storage.objects. Whose rights they run with is the connection's affair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping, delete, exists, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.storage.reply import iso_time
from minato.storage.tables import objects

# A row as SQLAlchemy or as PostgreSQL's JSON brings it: column → value.
ObjectRow = Mapping[Any, Any]
UPSERT_KEEPS = ("bucket_id", "name", "id", "created_at")


async def find_object(connection: AsyncConnection, bucket: str, key: str, lock: bool = False) -> RowMapping | None:
    """The object, if this connection sees it; `lock` keeps others from changing it until the transaction ends."""
    query = select(objects).where(objects.c.bucket_id == bucket, objects.c.name == key)
    found = await connection.execute(query.with_for_update() if lock else query)
    return found.mappings().first()


async def find_names(connection: AsyncConnection, bucket: str, keys: Sequence[str]) -> set[str]:
    """Which of `keys` this connection sees."""
    query = select(objects.c.name).where(objects.c.bucket_id == bucket, objects.c.name.in_(keys))
    return set((await connection.execute(query)).scalars())


async def has_objects(connection: AsyncConnection, bucket: str) -> bool:
    return bool(await connection.scalar(select(exists().where(objects.c.bucket_id == bucket))))


async def upsert_object(connection: AsyncConnection, values: Mapping[str, Any]) -> RowMapping:
    """Insert or replace; id and created_at survive. The row afterwards."""
    changed = {name: value for name, value in values.items() if name not in UPSERT_KEEPS}
    statement = (
        upsert(objects)
        .values(**values)
        .on_conflict_do_update(index_elements=[objects.c.name, objects.c.bucket_id], set_=changed)
        .returning(objects)
    )
    row: RowMapping = (await connection.execute(statement)).mappings().one()
    return row


async def update_object(
    connection: AsyncConnection, bucket: str, key: str, values: Mapping[str, Any]
) -> RowMapping | None:
    """The row afterwards; None when there is none to update."""
    statement = (
        update(objects).where(objects.c.bucket_id == bucket, objects.c.name == key).values(**values).returning(objects)
    )
    row: RowMapping | None = (await connection.execute(statement)).mappings().first()
    return row


async def delete_objects(connection: AsyncConnection, bucket: str, keys: Sequence[str]) -> list[RowMapping]:
    """The rows that were deleted."""
    statement = delete(objects).where(objects.c.bucket_id == bucket, objects.c.name.in_(keys)).returning(objects)
    return list((await connection.execute(statement)).mappings())


def render_object(row: ObjectRow) -> dict[str, Any]:
    """A whole object as JSON, as copy and delete answer."""
    return {
        "name": row["name"],
        "bucket_id": row["bucket_id"],
        "owner": row["owner"] or "",
        "owner_id": row["owner_id"] or "",
        "version": row["version"] or "",
        "id": row["id"],
        "updated_at": iso_time(row["updated_at"]),
        "created_at": iso_time(row["created_at"]),
        "last_accessed_at": iso_time(row["last_accessed_at"]),
        "metadata": row["metadata"],
        "user_metadata": row["user_metadata"],
    }
