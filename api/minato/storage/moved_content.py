"""What is copied or moved is held to the same rules as what is uploaded: those of the bucket it comes into."""

from __future__ import annotations

from collections.abc import Mapping

from minato.storage.buckets import look_up_bucket
from minato.storage.content import require_honest_type
from minato.storage.errors import file_missing, too_large
from minato.storage.limits import require_mime_type
from minato.storage.names import is_empty_folder
from minato.storage.objects import StoredObject
from minato.storage.services import Services
from minato.storage.upload_content import DEFAULT_TYPE, HEAD
from minato.storage.uploading import size_limit


async def require_fitting_copy(
    services: Services, found: StoredObject, place: tuple[str, str], metadata: Mapping[str, object]
) -> None:
    """Raise unless the bucket takes the object `found` under these metadata; one that is not there refuses later."""
    if not services.settings.check_every_way_in:
        return
    limits = await look_up_bucket(services.transactions, place[0])
    if limits is None:
        return
    mime_type = str(metadata.get("mimetype") or DEFAULT_TYPE)
    if found.size or not is_empty_folder(place[1]):
        require_mime_type(mime_type, limits.allowed_mime_types)
    if found.bucket_id != place[0]:
        if found.size > size_limit(services, place[1], limits):
            raise too_large()
    if limits.allowed_mime_types and services.settings.check_content:
        require_honest_type(mime_type, await _head(services, found))


async def _head(services: Services, found: StoredObject) -> bytes:
    size = min(found.size, HEAD)
    if not size:
        return b""
    try:
        return b"".join([chunk async for chunk in await services.files.read(found.path, 0, size)])
    except FileNotFoundError:
        raise file_missing() from None
