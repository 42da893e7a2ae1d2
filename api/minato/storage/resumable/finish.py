"""The end of a resumable upload: the file takes its place, then the row names it.

It may run again after a crash at any point, because the object's version is the upload's own.
"""

from __future__ import annotations

from dataclasses import replace

from minato.storage.buckets import require_bucket
from minato.storage.errors import StorageError
from minato.storage.limits import require_mime_type
from minato.storage.names import is_empty_folder
from minato.storage.objects import Values, find_object
from minato.storage.request import Request
from minato.storage.resumable.rights import user_metadata
from minato.storage.services import Services
from minato.storage.tus.headers import read_metadata
from minato.storage.tus.upload_folder import Upload
from minato.storage.upload_content import DEFAULT_TYPE, Measured
from minato.storage.uploading import file_metadata, owner_values, size_limit, switch_row
from minato.storage.versions import discard_files, discard_replaced, write_file


async def finish(services: Services, request: Request, upload: Upload) -> None:
    """Make the object. Raises StorageError, among them KeyAlreadyExists when another came first."""
    target = replace(request, bucket=upload.bucket, key=upload.key)
    if not await _is_object(services, upload):
        try:
            await _place(services, target, upload)
        except StorageError:
            await discard_files(services, upload.bucket, [upload.version])
            services.uploads.remove(upload)
            raise
    upload.finished = True
    services.uploads.save(upload)


async def _place(services: Services, request: Request, upload: Upload) -> None:
    limits = await require_bucket(services.transactions, upload.bucket)
    metadata = read_metadata(upload.metadata)
    mime_type = metadata.get("contentType") or DEFAULT_TYPE
    if services.settings.check_every_way_in and not is_empty_folder(upload.key):
        require_mime_type(mime_type, limits.allowed_mime_types)
    restricted = bool(limits.allowed_mime_types) and services.settings.check_content
    largest = size_limit(services, upload.key, limits)
    measured = Measured(services.uploads.read(upload), largest, mime_type if restricted else None)
    await write_file(services, upload.bucket, upload.version, measured)
    values = _row(upload, metadata, file_metadata(services, measured, mime_type, _cache_control(metadata)))
    _, replaced = await switch_row(services, request, values, upload.upsert)
    await discard_replaced(services, upload.bucket, replaced)


def _row(upload: Upload, metadata: dict[str, str], of_file: Values) -> Values:
    values = {**owner_values(upload.owner), "version": upload.version, "metadata": of_file}
    own = user_metadata(metadata)
    return values if own is None else {**values, "user_metadata": own}


def _cache_control(metadata: dict[str, str]) -> str:
    seconds = metadata.get("cacheControl", "")
    return f"max-age={seconds}" if seconds.removeprefix("-").isdecimal() else "no-cache"


async def _is_object(services: Services, upload: Upload) -> bool:
    async with services.transactions.look_up() as connection:
        row = await find_object(connection, upload.bucket, upload.key)
    return row is not None and row.version == upload.version
