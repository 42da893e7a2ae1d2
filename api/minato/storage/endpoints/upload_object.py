"""Uploads in one request: by a caller, or by whoever has a URL that a caller signed."""

from __future__ import annotations

from dataclasses import replace

from minato.storage.names import require_key
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.uploading import probe, probe_values, upload
from minato.storage.validation import TOKEN_QUERY


async def create_object(services: Services, request: Request) -> Reply:
    """`POST /object/:bucket/*`: store a new object; with `x-upsert: true` an existing one is replaced."""
    return await _upload(services, request, request.upserts)


async def update_object(services: Services, request: Request) -> Reply:
    """`PUT /object/:bucket/*`: store an object, replacing the one that is there."""
    return await _upload(services, request, upsert=True)


async def _upload(services: Services, request: Request, upsert: bool) -> Reply:
    row = await upload(services, request, upsert)
    return json_reply({"Id": row.id, "Key": f"{request.bucket}/{request.key}"})


async def sign_upload_url(services: Services, request: Request) -> Reply:
    """`POST /object/upload/sign/:bucket/*`: a URL that uploads in the caller's name.

    Signed if the caller could upload now; policies see what an upload's would see of the headers.
    """
    mime_type = request.headers.get("content-type")
    await request.json()
    require_key(request.key)
    signer = request.known_caller
    await probe(services, request, request.upserts, probe_values(request, signer.subject, mime_type, None))
    token = services.signer.sign_upload(
        request.bucket, request.key, signer, request.upserts, services.settings.signed_upload_url_expiration
    )
    return json_reply({"url": f"/object/upload/sign/{request.bucket}/{request.key}?token={token}", "token": token})


async def upload_signed_object(services: Services, request: Request) -> Reply:
    """`PUT /object/upload/sign/:bucket/*?token=`: store the body, if the signer still may.

    The token says in whose name, and whether an object may be replaced; it is good as often as it is used until it
    expires.
    """
    token = request.checked_query(TOKEN_QUERY)["token"]
    signer, upsert = services.signer.verify_upload(token, request.bucket, request.key)
    await upload(services, replace(request, caller=signer), upsert)
    return json_reply({"Key": f"{request.bucket}/{request.key}"})
