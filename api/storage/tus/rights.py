"""Who may write an upload, asked anew by every request: the caller's policies, or a signed token."""

from __future__ import annotations

from dataclasses import dataclass, replace

from api.storage.request import Request, parse_user_metadata
from api.storage.services import Services
from api.storage.tus.headers import TusError
from api.storage.tus.upload_id import UploadId
from api.storage.uploading import probe, probe_values

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
    if request.caller is None:
        return signed_writer(services, request, upload_id)
    upsert, owner = request.upserts, request.caller.subject
    target = replace(request, bucket=upload_id.bucket, key=upload_id.key)
    values = probe_values(target, owner, metadata.get("contentType"), length)
    values["user_metadata"] = user_metadata(metadata)
    await probe(services, target, upsert, values)
    return Writer(owner, upsert)


def signed_writer(services: Services, request: Request, upload_id: UploadId) -> Writer:
    """The writer a token names: it was asked when the token was signed."""
    token = request.headers.get(SIGNATURE)
    if not token:
        raise TusError(400, "Missing x-signature header")
    claims = services.signer.verify_upload(token, upload_id.bucket, upload_id.key)
    owner = claims.get("owner")
    return Writer(owner if isinstance(owner, str) else None, claims.get("upsert") is True)


def user_metadata(metadata: dict[str, str]) -> dict[str, object] | None:
    """The user's own metadata, JSON in a JSON-less header; None when absent or unreadable."""
    return parse_user_metadata(metadata["metadata"].encode()) if metadata.get("metadata") else None
