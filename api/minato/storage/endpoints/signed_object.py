"""`GET, HEAD /object/sign/:bucket/*?token=`: whoever has the URL may read until it expires."""

from __future__ import annotations

from minato.storage.object_access import signed_object
from minato.storage.object_reply import head_reply, object_reply
from minato.storage.objects import ObjectRow
from minato.storage.reply import Reply
from minato.storage.request import Request
from minato.storage.schemas import TOKEN_QUERY
from minato.storage.services import Services


async def get_signed_object(services: Services, request: Request) -> Reply:
    row, expires = await _opened(services, request)
    return await object_reply(services, request, row, expires)


async def head_signed_object(services: Services, request: Request) -> Reply:
    row, expires = await _opened(services, request)
    return head_reply(services, request, row, expires)


async def _opened(services: Services, request: Request) -> tuple[ObjectRow, int]:
    """The object the token opens, and when the token ends."""
    token = request.checked_query(TOKEN_QUERY)["token"]
    claims = services.signer.verify_download(token, request.bucket, request.key)
    return await signed_object(services, request), int(claims.get("exp", 0))
