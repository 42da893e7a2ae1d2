"""`GET, HEAD /object/public/:bucket/*`, `GET /object/info/public/:bucket/*`: no token, public buckets only."""

from __future__ import annotations

from minato.storage.object_access import public_object
from minato.storage.object_reply import head_reply, info_reply, object_reply
from minato.storage.reply import Reply
from minato.storage.request import Request
from minato.storage.services import Services


async def get_public_object(services: Services, request: Request) -> Reply:
    return await object_reply(services, request, await public_object(services, request))


async def head_public_object(services: Services, request: Request) -> Reply:
    return head_reply(services, request, await public_object(services, request))


async def info_public_object(services: Services, request: Request) -> Reply:
    return info_reply(services, request, await public_object(services, request))
