"""The end of a resumable upload: the file takes its place, then the row names it.

It may run again after a crash at any point, and twice at once, because the object's version is the upload's own: what
one of two has done is not undone by the other's refusal.
"""

from __future__ import annotations

from dataclasses import replace

from minato.storage import object_commands
from minato.storage.buckets import require_bucket
from minato.storage.errors import StorageError
from minato.storage.limits import require_mime_type
from minato.storage.names import is_empty_folder
from minato.storage.objects import Values
from minato.storage.request import Request
from minato.storage.resumable.rights import user_metadata
from minato.storage.services import Services
from minato.storage.tus.headers import TusError, read_metadata
from minato.storage.tus.uploads import Upload
from minato.storage.upload_content import DEFAULT_TYPE, Measured
from minato.storage.uploading import file_metadata, owner_values, size_limit, switch_row
from minato.storage.versions import discard_files, discard_replaced, write_file
from minato.tokens.caller import SERVICE_ROLE


async def finish(services: Services, request: Request, upload: Upload) -> None:
    """Make the object, unless it is there. Raises StorageError, among them KeyAlreadyExists when another came first;
    TusError when the upload is gone, or being finished elsewhere."""
    async with services.uploads.finishing(upload.id):
        known = await services.uploads.find(upload.id, 0)
        if not known.finished and not await _is_object(services, upload):
            await _make(services, replace(request, bucket=upload.bucket, key=upload.key), upload)
        upload.finished = True
        if not known.finished:
            await services.uploads.save(upload)


async def _make(services: Services, request: Request, upload: Upload) -> None:
    try:
        await _place(services, request, upload)
    except (StorageError, TusError, FileNotFoundError) as refusal:
        # It may be there nevertheless, by another who finished it meanwhile: then its bytes may be gone, too.
        if await _is_object(services, upload):
            return
        if isinstance(refusal, StorageError):
            await discard_files(services, upload.bucket, [upload.version])
            await services.uploads.remove(upload)
        raise


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
    if replaced != upload.version:
        await discard_replaced(services, upload.bucket, replaced)


def _row(upload: Upload, metadata: dict[str, str], of_file: Values) -> Values:
    values = {**owner_values(upload.owner), "version": upload.version, "metadata": of_file}
    own = user_metadata(metadata)
    return values if own is None else {**values, "user_metadata": own}


def _cache_control(metadata: dict[str, str]) -> str:
    seconds = metadata.get("cacheControl", "")
    return f"max-age={seconds}" if seconds.removeprefix("-").isdecimal() else "no-cache"


async def _is_object(services: Services, upload: Upload) -> bool:
    rows = await services.transactions.read(object_commands.find(upload.bucket, upload.key, SERVICE_ROLE))
    row = object_commands.read_object(rows)
    return row is not None and row.version == upload.version
