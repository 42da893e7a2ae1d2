"""Which object a reader gets: everybody what lies in public buckets, a caller what policies show, else a refusal."""

from __future__ import annotations

from sqlalchemy import RowMapping

from api.storage.errors import no_such_bucket, no_such_key
from api.storage.names import require_key
from api.storage.objects import find_in_bucket, find_object
from api.storage.request import Request
from api.storage.services import Services


async def public_object(services: Services, request: Request) -> RowMapping:
    """The object, if its bucket is public."""
    require_key(request.key)
    found = await _look_up(services, request)
    if found is None or not found["bucket_public"]:
        raise no_such_bucket()
    if found["id"] is None:
        raise no_such_key()
    return found


async def caller_object(services: Services, request: Request) -> RowMapping:
    """The object in a public bucket, or what the caller's policies show of a private one."""
    require_key(request.key)
    found = await _look_up(services, request)
    if found is not None and found["bucket_public"]:
        if found["id"] is None:
            raise no_such_key()
        return found
    if request.caller is None:
        raise no_such_bucket()
    return await visible_object(services, request)


async def visible_object(services: Services, request: Request) -> RowMapping:
    """The object, if the caller's policies show it."""
    async with services.transactions.as_caller(request) as connection:
        found = await find_object(connection, request.bucket, request.key)
    if found is None:
        raise no_such_key()
    return found


async def signed_object(services: Services, request: Request) -> RowMapping:
    """The object, whoever asks: a signed URL was checked before."""
    found = await _look_up(services, request)
    if found is None or found["id"] is None:
        raise no_such_key()
    return found


async def _look_up(services: Services, request: Request) -> RowMapping | None:
    async with services.transactions.look_up() as connection:
        return await find_in_bucket(connection, request.bucket, request.key)
