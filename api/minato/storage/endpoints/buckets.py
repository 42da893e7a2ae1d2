"""`/bucket`: buckets created, shown, listed, changed, emptied and deleted."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from minato.storage import buckets as rows
from minato.storage.errors import StorageError, already_exists, invalid_bucket_name, invalid_request, no_such_bucket
from minato.storage.limits import parse_mime_types, parse_size
from minato.storage.names import require_bucket_name
from minato.storage.objects import delete_objects, has_objects
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request, as_uuid
from minato.storage.services import Services
from minato.storage.tables import objects
from minato.storage.validation import BUCKET_LIMITS, ORDER, Schema
from minato.storage.versions import discard_files

CREATED: Schema = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "id": {"type": "string"},
        "type": {"type": "string", "enum": ["STANDARD", "ANALYTICS"]},
        **BUCKET_LIMITS,
    },
}
LISTED: Schema = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer", "minimum": 1},
        "offset": {"type": "integer", "minimum": 0},
        "sortColumn": {"type": "string", "enum": ["id", "name", "created_at", "updated_at"]},
        "sortOrder": ORDER,
        "search": {"type": "string"},
    },
}
CHANGED: Schema = {"type": "object", "properties": BUCKET_LIMITS, "requireAny": list(BUCKET_LIMITS)}
NO_ANALYTICS = "The feature analytics buckets is not enabled for this resource"
NOT_EMPTY = "The bucket you tried to delete is not empty"
PENDING_UPLOAD = "The bucket could not be updated because it is referenced by a pending multipart upload."
BATCH = 1000
# The table refuses longer ones, in a trigger.
LONGEST_NAME = 100
QUEUED = "Empty bucket has been queued. Completion may take up to an hour."
TOO_MANY = "Unable to empty the bucket because it contains too many objects"


@dataclass(frozen=True, slots=True)
class NewBucket:
    """A bucket that is asked for."""

    id: str
    name: str
    public: bool = False
    file_size_limit: int | str | None = None
    allowed_mime_types: list[str] | None = None


async def create_bucket(services: Services, request: Request) -> Reply:
    """`POST /bucket`: a new bucket of the caller's, if its policies allow."""
    body = await request.json(CREATED)
    if body.get("type") == "ANALYTICS":
        raise StorageError(409, "FeatureNotEnabled", NO_ANALYTICS)
    limits = {name: body[name] for name in BUCKET_LIMITS if name in body}
    await make_bucket(services, request, NewBucket(body.get("id") or body["name"], body["name"], **limits))
    return json_reply({"name": body["name"]})


async def make_bucket(services: Services, request: Request, wanted: NewBucket) -> None:
    """The bucket, if the caller's policies allow. Raises StorageError."""
    require_bucket_name(wanted.id)
    if len(wanted.name) > LONGEST_NAME:
        raise invalid_bucket_name()
    owner = request.known_caller.subject
    values = {
        "id": wanted.id,
        "name": wanted.name,
        "owner": as_uuid(owner),
        "owner_id": owner,
        "public": wanted.public,
        "file_size_limit": parse_size(wanted.file_size_limit, services.settings.file_size_limit),
        "allowed_mime_types": parse_mime_types(wanted.allowed_mime_types),
    }
    try:
        async with services.transactions.as_caller(request) as connection:
            await rows.insert_bucket(connection, values)
    except IntegrityError as error:
        if getattr(error.orig, "sqlstate", None) == "23505":
            raise already_exists("BucketAlreadyExists") from None
        raise


async def get_bucket(services: Services, request: Request) -> Reply:
    """`GET /bucket/:id`: one bucket, if the caller's policies show it."""
    return json_reply(rows.render_bucket(await visible_bucket(services, request), with_type=False))


async def visible_bucket(services: Services, request: Request) -> rows.Bucket:
    """The bucket, if the caller's policies show it. Raises NoSuchBucket."""
    async with services.transactions.as_caller(request) as connection:
        found = await rows.find_bucket(connection, request.bucket)
    if found is None:
        raise no_such_bucket()
    return found


async def list_buckets(services: Services, request: Request) -> Reply:
    """`GET /bucket`: the buckets the caller's policies show."""
    query = request.checked_query(LISTED)
    page = rows.BucketPage(
        query.get("search", ""),
        query.get("sortColumn", ""),
        query.get("sortOrder", "asc"),
        query.get("limit"),
        query.get("offset"),
    )
    async with services.transactions.as_caller(request) as connection:
        found = await rows.list_buckets(connection, page)
    return json_reply([rows.render_bucket(row, with_type=True) for row in found])


async def update_bucket(services: Services, request: Request) -> Reply:
    """`PUT /bucket/:id`: change what is given; null clears a limit, what is absent stays."""
    body = await request.json(CHANGED)
    values: dict[str, object] = {}
    if "public" in body:
        values["public"] = body["public"]
    if "file_size_limit" in body:
        values["file_size_limit"] = parse_size(body["file_size_limit"], services.settings.file_size_limit)
    if "allowed_mime_types" in body:
        values["allowed_mime_types"] = parse_mime_types(body["allowed_mime_types"])
    async with services.transactions.as_caller(request) as connection:
        if not await rows.update_bucket(connection, request.bucket, values):
            raise no_such_bucket()
    return json_reply({"message": "Successfully updated"})


async def delete_bucket(services: Services, request: Request) -> Reply:
    """`DELETE /bucket/:id`: delete an empty bucket, if the caller's policies allow."""
    await request.json()
    await remove_bucket(services, request)
    return json_reply({"message": "Successfully deleted"})


async def remove_bucket(services: Services, request: Request) -> None:
    """Delete the empty bucket. Raises StorageError."""
    await rows.require_bucket(services.transactions, request.bucket)
    async with services.transactions.look_up() as connection:
        if await has_objects(connection, request.bucket):
            raise StorageError(409, "ResourceNotEmpty", NOT_EMPTY)
    try:
        async with services.transactions.as_caller(request) as connection:
            if not await rows.delete_bucket(connection, request.bucket):
                raise no_such_bucket()
    except IntegrityError:
        raise StorageError(409, "ResourceReferenced", PENDING_UPLOAD) from None


async def empty_bucket(services: Services, request: Request) -> Reply:
    """`POST /bucket/:id/empty`: delete every object the caller may; done when this answers, whatever the message says.

    As in the release the command line tool pins, which the client suites run against; newer ones let service_role
    alone.
    """
    await request.json()
    await visible_bucket(services, request)
    await _require_few(services, request.bucket)
    after: str | None = ""
    while after is not None:
        after = await _delete_batch(services, request, after)
    return json_reply({"message": QUEUED})


async def _require_few(services: Services, bucket: str) -> None:
    async with services.transactions.look_up() as connection:
        count = await connection.scalar(select(func.count()).where(objects.c.bucket_id == bucket)) or 0
    if count > services.settings.empty_bucket_max:
        raise invalid_request(TOO_MANY, meant=409)


async def _delete_batch(services: Services, request: Request, after: str) -> str | None:
    """Delete what may be of the names behind `after`; the last name looked at, None at the end."""
    name = objects.c.name.collate("C")
    some = select(objects.c.name).where(objects.c.bucket_id == request.bucket, name > after).order_by(name).limit(BATCH)
    async with services.transactions.as_caller(request) as connection:
        names = [found for found in (await connection.execute(some)).scalars() if found is not None]
        gone = await delete_objects(connection, request.bucket, names)
    await discard_files(services, request.bucket, [row.version for row in gone])
    return names[-1] if names else None
