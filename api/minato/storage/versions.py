"""Keeps a row and its file in agreement, whatever moment the server dies at.

The new file is durable before the row names it; the row switches in one commit; the old file goes after the commit.
So a row never names a file that is not there, and a crash leaves at most a file that no row names, for the sweep.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError

from minato.database.wire.session import ConnectionLost, StatementError
from minato.storage.backend.base import file_path
from minato.storage.errors import file_missing
from minato.storage.objects import StoredObject
from minato.storage.services import Services


@asynccontextmanager
async def new_version(services: Services, bucket: str) -> AsyncIterator[str]:
    """A version for a file about to be written; the file goes again if the block fails."""
    version = str(services.entropy.uuid4())
    try:
        yield version
    except BaseException as error:
        if not _in_doubt(error):
            await discard_files(services, bucket, [version])
        raise


def _in_doubt(error: BaseException) -> bool:
    """Whether nobody knows if the row that names the file was committed: then the sweep will see."""
    if isinstance(error, StatementError):
        return error.is_farewell
    if isinstance(error, DBAPIError):
        return error.connection_invalidated
    return isinstance(error, ConnectionLost | asyncio.CancelledError)


async def write_file(services: Services, bucket: str, version: str, chunks: AsyncIterable[bytes]) -> None:
    """Make the version's file, durable when this returns."""
    await services.files.write(file_path(bucket, version), chunks)


async def copy_file(services: Services, source: StoredObject, bucket: str, version: str) -> None:
    """Make the version's file a copy of the one `source` names."""
    try:
        await services.files.copy(source.path, file_path(bucket, version))
    except FileNotFoundError:
        raise file_missing() from None


async def discard_files(services: Services, bucket: str, versions: list[str | None]) -> None:
    """Remove files no row names any more; what can't be removed now is an orphan for the sweep, not an error."""
    if paths := [file_path(bucket, version) for version in versions if version]:
        await services.removals.now(paths)


async def discard_replaced(services: Services, bucket: str, version: str | None) -> None:
    """Have the file of the version removed that another has replaced, if there was one."""
    if version is not None:
        await services.removals.soon(file_path(bucket, version))
