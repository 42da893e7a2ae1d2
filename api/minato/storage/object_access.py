"""Which object a reader gets: everybody what lies in public buckets, a caller what policies show, else a refusal."""

from __future__ import annotations

from minato.storage.errors import no_such_bucket, no_such_key
from minato.storage.names import require_key
from minato.storage.object_commands import find, find_in_bucket, read_object
from minato.storage.objects import ObjectRow
from minato.storage.request import Request
from minato.storage.services import Services
from minato.tokens.caller import SERVICE_ROLE


async def public_object(services: Services, request: Request) -> ObjectRow:
    """The object, if its bucket is public."""
    require_key(request.key)
    found = await _look_up(services, request)
    if found is None or not found["bucket_public"]:
        raise no_such_bucket()
    if found["id"] is None:
        raise no_such_key()
    return found


async def caller_object(services: Services, request: Request) -> ObjectRow:
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


async def visible_object(services: Services, request: Request) -> ObjectRow:
    """The object, if the caller's policies show it."""
    command = find(request.bucket, request.key, request.known_caller.role)
    found = read_object(await services.transactions.run_as_caller(request, command))
    if found is None:
        raise no_such_key()
    return found


async def signed_object(services: Services, request: Request) -> ObjectRow:
    """The object, whoever asks: a signed URL was checked before."""
    found = await _look_up(services, request)
    if found is None or found["id"] is None:
        raise no_such_key()
    return found


async def _look_up(services: Services, request: Request) -> ObjectRow | None:
    """The object and `bucket_public`; `id` is None where the bucket has no such object. None: no bucket."""
    rows = await services.transactions.read(find_in_bucket(request.bucket, request.key, SERVICE_ROLE))
    if not rows:
        return None
    return {"id": None, **(read_object(rows) or {}), "bucket_public": rows[0][0] == b"true"}
