"""Deletes files that no row names: what a crash left between a file and its row."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta

from sqlalchemy import select, union_all

from minato.storage.backend.base import StoredFile, file_path
from minato.storage.services import Services
from minato.storage.tables import multipart_parts as parts
from minato.storage.tables import objects


async def sweep_orphans(services: Services) -> int:
    """Delete orphans; how many went. Whether this database may say what is one is `Installation.standing`'s affair."""
    await services.files.clear_partial(_oldest(services))
    swept = 0
    async for orphans in find_orphans(services):
        await services.files.delete(orphans)
        swept += len(orphans)
    if swept:
        services.log.info("orphaned files deleted", count=swept)
    return swept


async def find_orphans(services: Services) -> AsyncIterator[list[str]]:
    """Files of ours without a row, in batches, older than the configured age: younger ones may be uploads under way."""
    oldest = _oldest(services)
    async for batch in services.files.list():
        orphans = await _without_row(services, [file for file in batch if file.modified <= oldest])
        if orphans:
            yield orphans


def _oldest(services: Services) -> datetime:
    return services.clock.now() - timedelta(seconds=services.settings.orphan_age)


async def _without_row(services: Services, files: list[StoredFile]) -> list[str]:
    by_version = {file.path.rpartition("/")[2]: file.path for file in files}
    if not by_version:
        return []
    versions = list(by_version)
    query = union_all(
        select(objects.c.bucket_id, objects.c.version).where(objects.c.version.in_(versions)),
        select(parts.c.bucket_id, parts.c.version).where(parts.c.version.in_(versions)),
    )
    async with services.transactions.look_up() as connection:
        named = {file_path(bucket, version) for bucket, version in await connection.execute(query)}
    return [path for path in by_version.values() if path not in named]
