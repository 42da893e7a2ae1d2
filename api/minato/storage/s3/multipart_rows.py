"""Queries on multipart uploads under way and their parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import RowMapping, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.storage.s3.errors import no_such_upload
from minato.storage.tables import multipart_parts as parts
from minato.storage.tables import multipart_uploads as uploads


async def insert_upload(connection: AsyncConnection, values: Mapping[str, Any]) -> None:
    # `upload_signature` guards the size against writers that are not the service; here only the service may write.
    await connection.execute(insert(uploads).values(upload_signature="", **values))


async def require_upload(
    connection: AsyncConnection, upload: str, bucket: str, key: str, lock: bool = False
) -> RowMapping:
    """The upload of this object. Raises NoSuchUpload."""
    query = select(uploads).where(uploads.c.id == upload, uploads.c.bucket_id == bucket, uploads.c.key == key)
    found = (await connection.execute(query.with_for_update() if lock else query)).mappings().first()
    if found is None:
        raise no_such_upload()
    return found


async def list_uploads(
    connection: AsyncConnection, bucket: str, prefix: str, after: tuple[str, str], limit: int
) -> list[RowMapping]:
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
    return list((await connection.execute(query.order_by(uploads.c.key, uploads.c.id).limit(limit))).mappings())


async def list_parts(connection: AsyncConnection, upload: str, after: int, limit: int) -> list[RowMapping]:
    """By number, behind `after`."""
    query = select(parts).where(parts.c.upload_id == upload, parts.c.part_number > after)
    return list((await connection.execute(query.order_by(parts.c.part_number).limit(limit))).mappings())


async def replace_part(connection: AsyncConnection, values: Mapping[str, Any]) -> list[str | None]:
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


async def delete_upload(connection: AsyncConnection, upload: str) -> list[str | None]:
    """Forget the upload; the versions of its parts. Raises NoSuchUpload when another was faster."""
    gone = await connection.execute(delete(parts).where(parts.c.upload_id == upload).returning(parts.c.version))
    versions = list(gone.scalars())
    found = await connection.execute(delete(uploads).where(uploads.c.id == upload).returning(uploads.c.id))
    if found.first() is None:
        raise no_such_upload()
    return versions
