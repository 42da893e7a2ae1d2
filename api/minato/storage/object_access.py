"""Which object a reader gets: everybody what lies in public buckets, a caller what policies show, else a refusal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from minato.storage.errors import FileMissing, no_such_bucket, no_such_key
from minato.storage.explaining import explained, object_attempt
from minato.storage.names import require_key
from minato.storage.object_commands import find, find_in_bucket, read_object
from minato.storage.objects import Readable, StoredObject
from minato.storage.reply import Reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.tokens.caller import SERVICE_ROLE

# Times in a row, before a reader is told that the file is missing.
REPLACED_AT_MOST = 3


async def of_current(find: Callable[[], Awaitable[Readable]], use: Callable[[Readable], Awaitable[Reply]]) -> Reply:
    """What `use` makes of the object that `find` finds; of the new one, where its file went because it was replaced."""
    found = await find()
    for _ in range(REPLACED_AT_MOST):
        try:
            return await use(found)
        except FileMissing:
            now = await find()
            if now.row.version == found.row.version:
                raise
            found = now
    return await use(found)


async def public_object(services: Services, request: Request) -> Readable:
    """The object, if its bucket is public."""
    require_key(request.key)
    shared, row = await _look_up(services, request)
    if not shared:
        raise no_such_bucket()
    if row is None:
        raise no_such_key()
    return Readable(row, shared=True)


async def caller_object(services: Services, request: Request) -> Readable:
    """The object in a public bucket, or what the caller's policies show of a private one."""
    require_key(request.key)
    shared, row = await _look_up(services, request)
    if shared:
        if row is None:
            raise no_such_key()
        return Readable(row, shared=True)
    if request.caller is None:
        raise no_such_bucket()
    return Readable(await visible_object(services, request))


async def seen_object(services: Services, request: Request) -> Readable:
    """The object, to be read, if the caller's policies show it."""
    return Readable(await visible_object(services, request))


async def visible_object(services: Services, request: Request) -> StoredObject:
    """The object, if the caller's policies show it."""
    command = find(request.bucket, request.key, request.known_caller.role)
    found = read_object(await services.transactions.run_as_caller(request, command))
    if found is None:
        settings = services.transactions.settings_of(request)
        attempt = object_attempt(request.bucket, request.key, request.known_caller.role, settings)
        raise await explained(services.hints, no_such_key(), attempt)
    return found


async def signed_object(services: Services, request: Request, expires: int) -> Readable:
    """The object, whoever asks: a signed URL that ends at `expires` was checked before."""
    shared, row = await _look_up(services, request)
    if row is None:
        raise no_such_key()
    return Readable(row, shared, expires)


async def _look_up(services: Services, request: Request) -> tuple[bool, StoredObject | None]:
    """Whether the bucket is there and public, and its object."""
    rows = await services.transactions.read(find_in_bucket(request.bucket, request.key, SERVICE_ROLE))
    return bool(rows) and rows[0][0] == b"true", read_object(rows)
