"""`PUT /object/upload/sign/:bucket/*?token=`: the token says in whose name, and whether an object may be replaced."""

from __future__ import annotations

from api.storage.reply import Reply, json_reply
from api.storage.request import Request
from api.storage.schemas import TOKEN_QUERY
from api.storage.services import Services
from api.storage.uploading import upload_as_service


async def upload_signed_object(services: Services, request: Request) -> Reply:
    """Store the body; good as often as it is used until the token expires."""
    token = request.checked_query(TOKEN_QUERY)["token"]
    claims = services.signer.verify_upload(token, request.bucket, request.key)
    owner = claims.get("owner")
    await upload_as_service(services, request, owner if isinstance(owner, str) else None, claims.get("upsert") is True)
    return json_reply({"Key": f"{request.bucket}/{request.key}"})
