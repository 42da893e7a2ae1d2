"""`GET, HEAD /object/:bucket/*` and `/object/authenticated/:bucket/*`, `GET /object/info/:bucket/*`."""

from __future__ import annotations

from minato.storage.object_access import caller_object
from minato.storage.object_reply import head_reply, info_reply, object_reply
from minato.storage.reply import Reply
from minato.storage.request import Request
from minato.storage.services import Services


async def get_object(services: Services, request: Request) -> Reply:
    return await object_reply(services, request, await caller_object(services, request))


async def head_object(services: Services, request: Request) -> Reply:
    return head_reply(services, request, await caller_object(services, request))


async def info_object(services: Services, request: Request) -> Reply:
    return info_reply(services, request, await caller_object(services, request))
