"""An object's bytes, headers or description, by whom asks: everybody, a caller, or who has a signed URL."""

from __future__ import annotations

from minato.storage.object_access import caller_object, public_object, signed_object
from minato.storage.object_reply import head_reply, info_reply, object_reply
from minato.storage.objects import Readable
from minato.storage.reply import Reply
from minato.storage.request import Request
from minato.storage.schemas import TOKEN_QUERY
from minato.storage.services import Services


async def get_object(services: Services, request: Request) -> Reply:
    """`GET /object/:bucket/*`, `/object/authenticated/:bucket/*`."""
    return await object_reply(services, request, await caller_object(services, request))


async def head_object(services: Services, request: Request) -> Reply:
    """`HEAD` of the same paths."""
    return head_reply(services, request, await caller_object(services, request))


async def info_object(services: Services, request: Request) -> Reply:
    """`GET /object/info/:bucket/*`, `/object/info/authenticated/:bucket/*`."""
    return info_reply(services, request, await caller_object(services, request))


async def get_public_object(services: Services, request: Request) -> Reply:
    """`GET /object/public/:bucket/*`: no token, public buckets only."""
    return await object_reply(services, request, await public_object(services, request))


async def head_public_object(services: Services, request: Request) -> Reply:
    """`HEAD /object/public/:bucket/*`."""
    return head_reply(services, request, await public_object(services, request))


async def info_public_object(services: Services, request: Request) -> Reply:
    """`GET /object/info/public/:bucket/*`."""
    return info_reply(services, request, await public_object(services, request))


async def get_signed_object(services: Services, request: Request) -> Reply:
    """`GET /object/sign/:bucket/*?token=`: whoever has the URL may read until it expires."""
    return await object_reply(services, request, await _opened(services, request))


async def head_signed_object(services: Services, request: Request) -> Reply:
    """`HEAD /object/sign/:bucket/*?token=`."""
    return head_reply(services, request, await _opened(services, request))


async def _opened(services: Services, request: Request) -> Readable:
    """The object the token opens, until the token ends."""
    token = request.checked_query(TOKEN_QUERY)["token"]
    claims = services.signer.verify_download(token, request.bucket, request.key)
    return await signed_object(services, request, int(claims.get("exp", 0)))
