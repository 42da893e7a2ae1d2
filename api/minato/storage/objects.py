"""Queries on storage.objects. Whose rights they run with is the connection's affair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, exists, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.storage.backend.base import file_path
from minato.storage.reply import iso_time
from minato.storage.tables import objects

UPSERT_KEEPS = ("bucket_id", "name", "id", "created_at")
# What is written to a row: column → value. Columns that are not named keep what they have.
Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class StoredObject:
    """A row of storage.objects."""

    id: str
    bucket_id: str
    name: str
    owner: str | None
    created_at: datetime | None
    updated_at: datetime | None
    last_accessed_at: datetime | None
    metadata: object
    version: str | None
    owner_id: str | None
    user_metadata: object

    @property
    def path(self) -> str:
        """Where its bytes lie."""
        return file_path(self.bucket_id, self.version or "")

    @property
    def file_metadata(self) -> Mapping[str, object]:
        """`metadata`, which an upload fills; empty where somebody wrote no JSON object into it."""
        return self.metadata if isinstance(self.metadata, dict) else {}

    @property
    def size(self) -> int:
        """Bytes of the object."""
        size = self.file_metadata.get("size")
        return size if isinstance(size, int) else 0

    @property
    def changed(self) -> datetime:
        """When it was last written to."""
        assert self.updated_at is not None, "an object's row has a time of its last change"
        return self.updated_at

    @property
    def etag(self) -> str | None:
        """The quoted tag of its bytes."""
        tag = self.file_metadata.get("eTag")
        return tag if isinstance(tag, str) else None


@dataclass(frozen=True, slots=True)
class Readable:
    """An object that may be read.

    `shared`: it lies in a public bucket, so one cache may keep it for everybody. `expires` is the end of the signed
    URL, in seconds since 1970.
    """

    row: StoredObject
    shared: bool = False
    expires: int | None = None


async def find_object(connection: AsyncConnection, bucket: str, key: str, lock: bool = False) -> StoredObject | None:
    """The object, if this connection sees it; `lock` keeps others from changing it until the transaction ends."""
    query = select(objects).where(objects.c.bucket_id == bucket, objects.c.name == key)
    row = (await connection.execute(query.with_for_update() if lock else query)).mappings().first()
    return StoredObject(**row) if row else None


async def find_names(connection: AsyncConnection, bucket: str, keys: Sequence[str]) -> set[str]:
    """Which of `keys` this connection sees."""
    query = select(objects.c.name).where(objects.c.bucket_id == bucket, objects.c.name.in_(keys))
    return set((await connection.execute(query)).scalars())


async def has_objects(connection: AsyncConnection, bucket: str) -> bool:
    return bool(await connection.scalar(select(exists().where(objects.c.bucket_id == bucket))))


async def upsert_object(connection: AsyncConnection, values: Values) -> StoredObject:
    """Insert or replace; id and created_at survive. The row afterwards."""
    changed = {name: value for name, value in values.items() if name not in UPSERT_KEEPS}
    statement = (
        upsert(objects)
        .values(**values)
        .on_conflict_do_update(index_elements=[objects.c.name, objects.c.bucket_id], set_=changed)
        .returning(objects)
    )
    return StoredObject(**(await connection.execute(statement)).mappings().one())


async def update_object(connection: AsyncConnection, bucket: str, key: str, values: Values) -> StoredObject | None:
    """The row afterwards; None when there is none to update."""
    statement = (
        update(objects).where(objects.c.bucket_id == bucket, objects.c.name == key).values(**values).returning(objects)
    )
    row = (await connection.execute(statement)).mappings().first()
    return StoredObject(**row) if row else None


async def delete_objects(
    connection: AsyncConnection, bucket: str, keys: Sequence[str], version: str | None = None
) -> list[StoredObject]:
    """The rows that were deleted, those of one version where it is given."""
    statement = delete(objects).where(objects.c.bucket_id == bucket, objects.c.name.in_(keys))
    if version is not None:
        statement = statement.where(objects.c.version == version)
    return [StoredObject(**row) for row in (await connection.execute(statement.returning(objects))).mappings()]


def render_object(row: StoredObject) -> dict[str, object]:
    """A whole object as JSON, as copy and delete answer."""
    return {
        "name": row.name,
        "bucket_id": row.bucket_id,
        "owner": row.owner or "",
        "owner_id": row.owner_id or "",
        "version": row.version or "",
        "id": row.id,
        "updated_at": iso_time(row.updated_at),
        "created_at": iso_time(row.created_at),
        "last_accessed_at": iso_time(row.last_accessed_at),
        "metadata": row.metadata,
        "user_metadata": row.user_metadata,
    }
