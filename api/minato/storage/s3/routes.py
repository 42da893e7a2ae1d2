"""Every S3 operation as a table: method, what the path names, and the parameters that tell operations apart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from minato.http.asgi import Receive, Scope
from minato.storage.errors import not_implemented
from minato.storage.reply import Reply
from minato.storage.request import KeptBody, Request
from minato.storage.s3.buckets import (
    create_bucket,
    delete_bucket,
    get_bucket_location,
    get_bucket_versioning,
    head_bucket,
    list_buckets,
)
from minato.storage.s3.copying import SOURCE, copy_object
from minato.storage.s3.listing import list_objects, list_objects_v2
from minato.storage.s3.multipart import abort_multipart, complete_multipart, create_multipart
from minato.storage.s3.objects import (
    delete_object,
    delete_objects,
    get_object,
    get_object_tagging,
    head_object,
    put_object,
)
from minato.storage.s3.parts import list_multipart_uploads, list_parts, upload_part, upload_part_copy
from minato.storage.s3_wire.caller import authenticate
from minato.storage.s3_wire.payload import S3Request
from minato.storage.services import Services

Endpoint = Callable[[Services, S3Request], Awaitable[Reply]]
SERVICE, BUCKET, OBJECT = range(3)
# Parameters that make a request mean something else than its method and path say; without a route of their own they
# must not fall through to it: `PUT key?acl` is no upload.
SUBRESOURCES = frozenset(
    {
        "accelerate", "acl", "analytics", "attributes", "cors", "delete", "encryption", "intelligent-tiering",
        "inventory", "legal-hold", "lifecycle", "location", "logging", "metrics", "notification", "object-lock",
        "ownershipControls", "partNumber", "policy", "policyStatus", "publicAccessBlock", "replication",
        "requestPayment", "restore", "retention", "select", "tagging", "torrent", "uploadId", "uploads", "versionId",
        "versioning", "versions", "website",
    }
)  # fmt: skip
ROOT = "/s3"


@dataclass(frozen=True)
class Operation:
    """`marks` are the subresources in the query, all of them and no other."""

    method: str
    level: int
    endpoint: Endpoint
    operation: str
    marks: frozenset[str] = frozenset()
    copies: bool = False


def _marks(*names: str) -> frozenset[str]:
    return frozenset(names)


PART = _marks("uploadId", "partNumber")
OPERATIONS = (
    Operation("GET", SERVICE, list_buckets, "bucket.list"),
    Operation("PUT", BUCKET, create_bucket, "bucket.create"),
    Operation("DELETE", BUCKET, delete_bucket, "bucket.delete"),
    Operation("HEAD", BUCKET, head_bucket, "bucket.head"),
    Operation("GET", BUCKET, list_objects, "object.list"),
    Operation("GET", BUCKET, get_bucket_location, "bucket.get_location", _marks("location")),
    Operation("GET", BUCKET, get_bucket_versioning, "bucket.get_versioning", _marks("versioning")),
    Operation("GET", BUCKET, list_multipart_uploads, "upload.list_multipart", _marks("uploads")),
    Operation("POST", BUCKET, delete_objects, "object.delete_many", _marks("delete")),
    Operation("GET", OBJECT, get_object, "object.get"),
    Operation("GET", OBJECT, get_object, "object.get", _marks("partNumber")),
    Operation("HEAD", OBJECT, head_object, "object.info"),
    Operation("HEAD", OBJECT, head_object, "object.info", _marks("partNumber")),
    Operation("GET", OBJECT, get_object_tagging, "object.get_tagging", _marks("tagging")),
    Operation("GET", OBJECT, list_parts, "upload.list_parts", _marks("uploadId")),
    Operation("PUT", OBJECT, put_object, "upload"),
    Operation("PUT", OBJECT, copy_object, "object.copy", copies=True),
    Operation("PUT", OBJECT, upload_part, "upload.part", PART),
    Operation("PUT", OBJECT, upload_part_copy, "upload.part_copy", PART, copies=True),
    Operation("POST", OBJECT, create_multipart, "upload.create_multipart", _marks("uploads")),
    Operation("POST", OBJECT, complete_multipart, "upload.complete_multipart", _marks("uploadId")),
    Operation("DELETE", OBJECT, delete_object, "object.delete"),
    Operation("DELETE", OBJECT, abort_multipart, "upload.abort_multipart", _marks("uploadId")),
)
BY_SHAPE = {(known.method, known.level, known.marks, known.copies): known for known in OPERATIONS}
LISTING_V2 = Operation("GET", BUCKET, list_objects_v2, "object.list")


def find_operation(
    method: str, bucket: str, key: str, query: Mapping[str, str], headers: Mapping[str, str]
) -> Operation | None:
    """What the request asks for; None for what is not offered."""
    level = OBJECT if key else BUCKET if bucket else SERVICE
    marks = SUBRESOURCES.intersection(query)
    found = BY_SHAPE.get((method, level, marks, method == "PUT" and level == OBJECT and SOURCE in headers))
    if found is not None and found.endpoint is list_objects and query.get("list-type") == "2":
        return LISTING_V2
    return found


def is_s3(raw_path: str) -> bool:
    """Whether the path below the room's prefix is S3's."""
    return raw_path == ROOT or raw_path.startswith(f"{ROOT}/")


async def answer_s3(services: Services, scope: Scope, receive: Receive, raw_path: str) -> Reply:
    """The reply. Raises StorageError, also 501 for an operation that is not offered."""
    bucket, _, key = raw_path.removeprefix(ROOT).removeprefix("/").partition("/")
    kept = KeptBody(services.bodies)
    request = Request(scope, receive, "storage.s3", unquote(bucket), unquote(key), kept=kept)
    # A form brings its signature in its fields: without those nobody knows who it is.
    if _is_form(request):
        raise not_implemented("An upload by form (presigned POST)")
    # Else who it is comes first: what is offered is nobody else's affair.
    caller, proof = authenticate(services.s3, services.keys, services.clock, request, raw_path)
    found = find_operation(request.method, request.bucket, request.key, request.query, request.headers)
    if found is None:
        raise not_implemented("This S3 operation")
    operation = f"storage.s3.{found.operation}"
    place = (request.bucket, request.key)
    known = S3Request(scope, receive, operation, *place, caller, proof=proof, kept=kept)
    with kept:
        return await found.endpoint(services, known)


def _is_form(request: Request) -> bool:
    """Whether it is sent to a bucket itself, with nothing asked of that: of an object it is the type to be kept."""
    is_upload = request.method == "POST" and not request.key and not SUBRESOURCES.intersection(request.query)
    return is_upload and request.headers.get("content-type", "").startswith("multipart/form-data")
