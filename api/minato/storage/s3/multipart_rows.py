"""Queries on multipart uploads under way and their parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, func, insert, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.storage.s3_wire.errors import no_such_upload
from minato.storage.tables import multipart_parts as parts
from minato.storage.tables import multipart_uploads as uploads

# One that is just being written to is left for the next time.
TAKE_OLD = text("""
with old as materialized (
    select id from storage.s3_multipart_uploads where created_at < :before
    order by created_at limit :most for update skip locked
), gone as (
    delete from storage.s3_multipart_uploads_parts where upload_id in (select id from old)
    returning upload_id, bucket_id, version
), ended as (
    delete from storage.s3_multipart_uploads where id in (select id from old)
)
select old.id, gone.bucket_id, gone.version from old left join gone on gone.upload_id = old.id
""")


@dataclass(frozen=True, slots=True)
class MultipartUpload:
    """A row of storage.s3_multipart_uploads; `metadata` are those of the object it will be."""

    id: str
    in_progress_size: int
    upload_signature: str
    bucket_id: str
    key: str
    version: str
    owner_id: str | None
    created_at: datetime
    user_metadata: dict[str, object] | None
    metadata: dict[str, str]


@dataclass(frozen=True, slots=True)
class Part:
    """A row of storage.s3_multipart_uploads_parts."""

    upload_id: str
    size: int
    part_number: int
    bucket_id: str
    key: str
    etag: str
    owner_id: str | None
    version: str
    created_at: datetime


class OldPart(NamedTuple):
    """A part of an upload that is forgotten; without bucket and version where the upload had none."""

    upload: str
    bucket: str | None
    version: str | None


async def insert_upload(connection: AsyncConnection, values: Mapping[str, object]) -> None:
    # `upload_signature` guards the size against writers that are not the service; here only the service may write.
    await connection.execute(insert(uploads).values(upload_signature="", **values))


async def require_upload(
    connection: AsyncConnection, upload: str, place: tuple[str, str], lock: bool = False
) -> MultipartUpload:
    """The upload of the object at `place`, bucket and key. Raises NoSuchUpload."""
    bucket, key = place
    query = select(uploads).where(uploads.c.id == upload, uploads.c.bucket_id == bucket, uploads.c.key == key)
    row = (await connection.execute(query.with_for_update() if lock else query)).mappings().first()
    if row is None:
        raise no_such_upload()
    return MultipartUpload(**row)


async def list_uploads(
    connection: AsyncConnection, bucket: str, prefix: str, after: tuple[str, str], limit: int
) -> list[MultipartUpload]:
    """By key, then id, behind `after`; an empty id stands for all of its key."""
    key, upload = after
    behind = (
        uploads.c.key > key
        if not upload
        else or_(uploads.c.key > key, (uploads.c.key == key) & (uploads.c.id > upload))
    )
    query = select(uploads).where(uploads.c.bucket_id == bucket, func.starts_with(uploads.c.key, prefix))
    if key:
        query = query.where(behind)
    found = await connection.execute(query.order_by(uploads.c.key, uploads.c.id).limit(limit))
    return [MultipartUpload(**row) for row in found.mappings()]


async def list_parts(connection: AsyncConnection, upload: str, after: int, limit: int) -> list[Part]:
    """By number, behind `after`."""
    query = select(parts).where(parts.c.upload_id == upload, parts.c.part_number > after)
    found = await connection.execute(query.order_by(parts.c.part_number).limit(limit))
    return [Part(**row) for row in found.mappings()]


async def replace_part(connection: AsyncConnection, values: Mapping[str, object]) -> list[str | None]:
    """Record a part that is stored; the versions of what had its number before."""
    same = (parts.c.upload_id == values["upload_id"]) & (parts.c.part_number == values["part_number"])
    gone = await connection.execute(delete(parts).where(same).returning(parts.c.version))
    versions = list(gone.scalars())
    await connection.execute(insert(parts).values(**values))
    size = select(func.sum(parts.c.size)).where(parts.c.upload_id == values["upload_id"]).scalar_subquery()
    await connection.execute(update(uploads).where(uploads.c.id == values["upload_id"]).values(in_progress_size=size))
    return versions


async def other_parts_size(connection: AsyncConnection, upload: str, number: int) -> int:
    """Bytes of all parts but this."""
    query = select(func.sum(parts.c.size)).where(parts.c.upload_id == upload, parts.c.part_number != number)
    return int(await connection.scalar(query) or 0)


async def take_old_uploads(connection: AsyncConnection, before: datetime, most: int) -> list[OldPart]:
    """Forget uploads that were begun before this moment: their parts."""
    return [OldPart(*row) for row in await connection.execute(TAKE_OLD, {"before": before, "most": most})]


async def delete_upload(connection: AsyncConnection, upload: str) -> list[str | None]:
    """Forget the upload; the versions of its parts. Raises NoSuchUpload when another was faster."""
    gone = await connection.execute(delete(parts).where(parts.c.upload_id == upload).returning(parts.c.version))
    versions = list(gone.scalars())
    found = await connection.execute(delete(uploads).where(uploads.c.id == upload).returning(uploads.c.id))
    if found.first() is None:
        raise no_such_upload()
    return versions
