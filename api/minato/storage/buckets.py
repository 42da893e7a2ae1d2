"""Queries on storage.buckets. Whose rights they run with is the connection's affair."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.database.wire.messages import Row
from minato.database.wire.session import Command
from minato.storage.errors import no_such_bucket
from minato.storage.reply import iso_time
from minato.storage.tables import buckets
from minato.storage.transactions import Transactions
from minato.tokens.caller import SERVICE_ROLE

LIMITS = "json_build_array(b.file_size_limit, b.allowed_mime_types)"
FIND_LIMITS = f"select {LIMITS} from storage.buckets b where b.id = $1"
# Divides by zero unless there is the bucket and asks just that: nothing but an error ends a flush.
REQUIRE_LIMITS = f"select 1 / count(*) from storage.buckets b where b.id = $1 and {LIMITS}::text = $2"


@dataclass(frozen=True, slots=True)
class Bucket:
    """A row of storage.buckets."""

    id: str
    name: str
    owner: str | None
    created_at: datetime | None
    updated_at: datetime | None
    public: bool | None
    file_size_limit: int | None
    allowed_mime_types: list[str] | None
    owner_id: str | None
    type: str


@dataclass(frozen=True, slots=True)
class BucketLimits:
    """What a bucket asks of its objects; None where it asks nothing. `told` is how PostgreSQL says it."""

    file_size_limit: int | None
    allowed_mime_types: list[str] | None
    told: str = ""


@dataclass(frozen=True, slots=True)
class BucketPage:
    """Which of the visible buckets are asked for; the names are those of the query of `GET /bucket`."""

    search: str = ""
    sort_column: str = ""
    sort_order: str = "asc"
    limit: int | None = None
    offset: int | None = None


async def find_bucket(connection: AsyncConnection, bucket: str) -> Bucket | None:
    """The bucket, if this connection sees it."""
    row = (await connection.execute(select(buckets).where(buckets.c.id == bucket))).mappings().first()
    return Bucket(**row) if row else None


async def require_bucket(transactions: Transactions, bucket: str) -> BucketLimits:
    """What the bucket asks of its objects, whoever asks. Raises NoSuchBucket."""
    found = await look_up_bucket(transactions, bucket)
    if found is None:
        raise no_such_bucket()
    return found


async def look_up_bucket(transactions: Transactions, bucket: str) -> BucketLimits | None:
    """The same; None when there is none."""
    return read_limits(await transactions.read(find_limits(bucket)))


def find_limits(bucket: str) -> Command:
    """What the bucket asks of its objects, as the service; no row without the bucket."""
    return Command(FIND_LIMITS, [bucket], SERVICE_ROLE)


def require_limits(bucket: str, limits: BucketLimits) -> Command:
    """Fails unless the bucket asks just this, as the service."""
    return Command(REQUIRE_LIMITS, [bucket, limits.told], SERVICE_ROLE)


def read_limits(rows: list[Row]) -> BucketLimits | None:
    """The answer to `find_limits`."""
    if not rows:
        return None
    told = (rows[0][0] or b"").decode()
    size, types = json.loads(told)
    return BucketLimits(size, types, told)


async def list_buckets(connection: AsyncConnection, wanted: BucketPage) -> list[Bucket]:
    """The visible buckets of the page."""
    query = select(buckets)
    if wanted.search:
        query = query.where(func.strpos(func.lower(buckets.c.name), func.lower(wanted.search)) > 0)
    if wanted.sort_column:
        column = buckets.c[wanted.sort_column]
        query = query.order_by(column.desc() if wanted.sort_order == "desc" else column.asc())
    found = await connection.execute(query.limit(wanted.limit).offset(wanted.offset))
    return [Bucket(**row) for row in found.mappings()]


async def insert_bucket(connection: AsyncConnection, values: Mapping[str, object]) -> None:
    """Insert without reading back: creating needs no right to see."""
    await connection.execute(insert(buckets).values(**values))


async def update_bucket(connection: AsyncConnection, bucket: str, values: Mapping[str, object]) -> bool:
    """Whether there was one to update."""
    statement = update(buckets).where(buckets.c.id == bucket).values(**values).returning(buckets.c.id)
    return (await connection.execute(statement)).first() is not None


async def delete_bucket(connection: AsyncConnection, bucket: str) -> bool:
    """Whether there was one to delete."""
    statement = delete(buckets).where(buckets.c.id == bucket).returning(buckets.c.id)
    return (await connection.execute(statement)).first() is not None


def render_bucket(bucket: Bucket, with_type: bool) -> dict[str, object]:
    """A bucket as JSON; one alone is shown without its type."""
    shown: dict[str, object] = {
        "id": bucket.id,
        "name": bucket.name,
        "owner": bucket.owner or "",
        "public": bool(bucket.public),
        "type": bucket.type,
        "file_size_limit": bucket.file_size_limit,
        "allowed_mime_types": bucket.allowed_mime_types,
        "created_at": iso_time(bucket.created_at) or "",
        "updated_at": iso_time(bucket.updated_at) or "",
    }
    if not with_type:
        del shown["type"]
    return shown
