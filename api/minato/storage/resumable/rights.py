"""Who may write an upload, asked anew by every request: the caller's policies, or a signed token."""

from __future__ import annotations

from dataclasses import dataclass, replace

from minato.storage.request import Request, parse_user_metadata
from minato.storage.services import Services
from minato.storage.tus.headers import TusError
from minato.storage.tus.uploads import UploadId
from minato.storage.upload_content import DEFAULT_TYPE
from minato.storage.uploading import probe, probe_values
from minato.tokens.caller import Caller

SIGNATURE = "x-signature"


@dataclass(frozen=True)
class Writer:
    """In whose name, and whether what is there may be replaced."""

    owner: str | None
    upsert: bool


async def require_writer(
    services: Services, request: Request, upload_id: UploadId, metadata: dict[str, str], length: int | None
) -> Writer:
    """The writer of this upload. Raises TusError or StorageError."""
    caller, upsert = find_writer(services, request, upload_id)
    target = replace(request, bucket=upload_id.bucket, key=upload_id.key, caller=caller)
    values = probe_values(target, caller.subject, judged_type(services, metadata), length)
    await probe(services, target, upsert, {**values, "user_metadata": user_metadata(metadata)})
    return Writer(caller.subject, upsert)


def find_writer(services: Services, request: Request, upload_id: UploadId) -> tuple[Caller, bool]:
    """Who writes and whether it may replace, as a token says; policies were not asked."""
    if request.caller is not None:
        return request.caller, request.upserts
    token = request.headers.get(SIGNATURE)
    if not token:
        raise TusError(400, "Missing x-signature header")
    return services.signer.verify_upload(token, upload_id.bucket, upload_id.key)


def judged_type(services: Services, metadata: dict[str, str]) -> str | None:
    """The type that policies and the bucket judge: the one that will be stored, also where none was given."""
    return metadata.get("contentType") or (DEFAULT_TYPE if services.settings.check_every_way_in else None)


def user_metadata(metadata: dict[str, str]) -> dict[str, object] | None:
    """The user's own metadata, JSON in a JSON-less header; None when absent or unreadable."""
    return parse_user_metadata(metadata["metadata"].encode()) if metadata.get("metadata") else None
