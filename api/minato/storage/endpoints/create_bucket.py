"""`POST /bucket`."""

from __future__ import annotations

from typing import Any

from sqlalchemy.exc import IntegrityError

from minato.storage.buckets import insert_bucket
from minato.storage.errors import StorageError, already_exists
from minato.storage.limits import parse_mime_types, parse_size
from minato.storage.names import require_bucket_name
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request, as_uuid
from minato.storage.schemas import BUCKET_LIMITS
from minato.storage.services import Services

SCHEMA = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "id": {"type": "string"},
        "type": {"type": "string", "enum": ["STANDARD", "ANALYTICS"]},
        **BUCKET_LIMITS,
    },
}


async def create_bucket(services: Services, request: Request) -> Reply:
    """A new bucket of the caller's, if its policies allow."""
    body = await request.json(SCHEMA)
    if body.get("type") == "ANALYTICS":
        raise StorageError(409, "FeatureNotEnabled", "The feature analytics buckets is not enabled for this resource")
    await make_bucket(services, request, body)
    return json_reply({"name": body["name"]})


async def make_bucket(services: Services, request: Request, body: dict[str, Any]) -> None:
    """The bucket that `body` describes, if the caller's policies allow."""
    bucket = body.get("id") or body["name"]
    require_bucket_name(bucket)
    owner = request.known_caller.subject
    values = {
        "id": bucket,
        "name": body["name"],
        "owner": as_uuid(owner),
        "owner_id": owner,
        "public": body.get("public", False),
        "file_size_limit": parse_size(body.get("file_size_limit"), services.settings.file_size_limit),
        "allowed_mime_types": parse_mime_types(body.get("allowed_mime_types")),
    }
    try:
        async with services.transactions.as_caller(request) as connection:
            await insert_bucket(connection, values)
    except IntegrityError as error:
        if getattr(error.orig, "sqlstate", None) == "23505":
            raise already_exists("BucketAlreadyExists") from None
        raise
