"""`POST /object/upload/sign/:bucket/*`: a URL that uploads in the caller's name."""

from __future__ import annotations

from minato.storage.names import require_key
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.uploading import probe, probe_values


async def sign_upload_url(services: Services, request: Request) -> Reply:
    """Signed if the caller could upload now; policies see what an upload's would see of the headers."""
    mime_type = request.headers.get("content-type")
    await request.json()
    require_key(request.key)
    signer = request.known_caller
    await probe(services, request, request.upserts, probe_values(request, signer.subject, mime_type, None))
    token = services.signer.sign_upload(
        request.bucket, request.key, signer, request.upserts, services.settings.signed_upload_url_expiration
    )
    return json_reply({"url": f"/object/upload/sign/{request.bucket}/{request.key}?token={token}", "token": token})
