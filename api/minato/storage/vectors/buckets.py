"""Queries on storage.buckets_vectors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.storage.transactions import LOCK
from minato.storage.vectors.errors import bucket_not_empty, conflict, not_found, too_many_buckets
from minato.storage.vectors.requests import NamePage

COUNT_LOCK = "vector buckets"
INSERT = "insert into storage.buckets_vectors (id) values ($1)"
FIND = "select id, created_at from storage.buckets_vectors where id = $1"
LIST = """
select id, created_at from storage.buckets_vectors
where starts_with(id, $1) and id collate "C" > $2 order by id collate "C" limit $3
"""
COUNT = "select count(*) from storage.buckets_vectors"
HAS_INDEXES = "select exists (select from storage.vector_indexes where bucket_id = $1)"
DELETE = "delete from storage.buckets_vectors where id = $1"


@dataclass(frozen=True, slots=True)
class VectorBucket:
    """A row of storage.buckets_vectors."""

    name: str
    created_at: datetime


async def lock_bucket(connection: AsyncConnection, bucket: str) -> None:
    """Until the transaction ends nobody else makes or deletes an index of the bucket, or the bucket itself."""
    await connection.execute(LOCK, {"name": f"vector bucket {bucket}"})


async def insert_bucket(connection: AsyncConnection, bucket: str, most: int) -> None:
    """A new bucket, where there are fewer than `most`. Raises ConflictException and S3VectorMaxBucketsExceeded."""
    await connection.execute(LOCK, {"name": COUNT_LOCK})
    count = (await connection.exec_driver_sql(COUNT)).scalar_one()
    if count >= most:
        if await find_bucket(connection, bucket) is not None:
            raise conflict("vector bucket", bucket)
        raise too_many_buckets(most)
    try:
        await connection.exec_driver_sql(INSERT, (bucket,))
    except IntegrityError:
        raise conflict("vector bucket", bucket) from None


async def find_bucket(connection: AsyncConnection, bucket: str) -> VectorBucket | None:
    """The bucket; None when there is none."""
    row = (await connection.exec_driver_sql(FIND, (bucket,))).one_or_none()
    return VectorBucket(row.id, row.created_at) if row is not None else None


async def require_bucket(connection: AsyncConnection, bucket: str) -> VectorBucket:
    """The bucket. Raises NotFoundException."""
    found = await find_bucket(connection, bucket)
    if found is None:
        raise not_found(bucket)
    return found


async def list_buckets(connection: AsyncConnection, page: NamePage) -> list[VectorBucket]:
    """The buckets of a page by name, and one more where there is one."""
    rows = await connection.exec_driver_sql(LIST, (page.prefix, page.after, page.limit + 1))
    return [VectorBucket(row.id, row.created_at) for row in rows]


async def delete_bucket(connection: AsyncConnection, bucket: str) -> None:
    """Delete the bucket, if it is there. Raises VectorBucketNotEmpty."""
    await lock_bucket(connection, bucket)
    if (await connection.exec_driver_sql(HAS_INDEXES, (bucket,))).scalar():
        raise bucket_not_empty(bucket)
    await connection.exec_driver_sql(DELETE, (bucket,))
