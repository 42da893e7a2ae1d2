"""What is copied or moved is held to the same rules as what is uploaded: those of the bucket it comes into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from minato.storage.backend.base import file_path
from minato.storage.buckets import look_up_bucket
from minato.storage.content import require_honest_type
from minato.storage.errors import file_missing, too_large
from minato.storage.limits import require_mime_type
from minato.storage.names import is_empty_folder
from minato.storage.object_reply import object_size
from minato.storage.objects import ObjectRow
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.upload_content import DEFAULT_TYPE, HEAD
from minato.storage.uploading import size_limit


async def require_fitting_copy(
    services: Services, request: Request, found: ObjectRow, place: tuple[str, str], metadata: Mapping[str, Any] | None
) -> None:
    """Raise unless the bucket takes the object `found` under these metadata; one that is not there refuses later."""
    bucket = await look_up_bucket(services.transactions, place[0]) if services.settings.check_every_way_in else None
    if bucket is None:
        return
    mime_type = str((metadata or {}).get("mimetype") or DEFAULT_TYPE)
    if object_size(found) or not is_empty_folder(place[1]):
        require_mime_type(mime_type, bucket["allowed_mime_types"])
    if found["bucket_id"] != place[0]:
        target = replace(request, bucket=place[0], key=place[1])
        if object_size(found) > size_limit(services, target, bucket):
            raise too_large()
    if bucket["allowed_mime_types"] and services.settings.check_content:
        require_honest_type(mime_type, await _head(services, found))


async def _head(services: Services, found: ObjectRow) -> bytes:
    path, size = file_path(found["bucket_id"], found["version"] or ""), min(object_size(found), HEAD)
    if not size:
        return b""
    try:
        return b"".join([chunk async for chunk in await services.files.read(path, 0, size)])
    except FileNotFoundError:
        raise file_missing() from None
