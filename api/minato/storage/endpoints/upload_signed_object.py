"""`PUT /object/upload/sign/:bucket/*?token=`: the token says in whose name, and whether an object may be replaced."""

from __future__ import annotations

from dataclasses import replace

from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.schemas import TOKEN_QUERY
from minato.storage.services import Services
from minato.storage.uploading import upload


async def upload_signed_object(services: Services, request: Request) -> Reply:
    """Store the body, if the signer still may; good as often as it is used until the token expires."""
    token = request.checked_query(TOKEN_QUERY)["token"]
    signer, upsert = services.signer.verify_upload(token, request.bucket, request.key)
    await upload(services, replace(request, caller=signer), upsert)
    return json_reply({"Key": f"{request.bucket}/{request.key}"})
