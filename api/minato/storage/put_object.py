"""Places a file as service_role without a request: row and bytes, in the order every upload keeps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.upload_content import Measured
from minato.storage.uploading import file_metadata, switch_row
from minato.storage.versions import discard_files, new_version, write_file

CHUNK = 1024 * 1024
CACHE_CONTROL = "max-age=3600"


async def put_object(services: Services, bucket: str, key: str, content: Path | bytes, content_type: str) -> None:
    """Create or replace an object. The bucket must exist; neither its limits nor any policy are asked."""
    measured = Measured(_chunks(content), services.settings.file_size_limit)
    async with new_version(services, bucket) as version:
        await write_file(services, bucket, version, measured)
        values = {
            "bucket_id": bucket,
            "name": key,
            "version": version,
            "metadata": file_metadata(services, measured, content_type, CACHE_CONTROL),
            "user_metadata": {},
        }
        _, replaced = await switch_row(services, _request(bucket, key), values, upsert=True)
    await discard_files(services, bucket, [replaced])


def _request(bucket: str, key: str) -> Request:
    """What the transaction's settings say of a request that never was."""
    scope = {"method": "PUT", "path": f"/object/{bucket}/{key}", "headers": [], "query_string": b""}
    return Request(scope, _nothing, "storage.object.upload", bucket, key)


async def _nothing() -> dict[str, Any]:
    return {"type": "http.disconnect"}


async def _chunks(content: Path | bytes) -> AsyncIterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
