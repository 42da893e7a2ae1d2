"""Every route of the room, readable as a table: what leads where, who may knock, what policies may know it by."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from urllib.parse import unquote

from minato.storage.endpoints.buckets import (
    create_bucket,
    delete_bucket,
    empty_bucket,
    get_bucket,
    list_buckets,
    update_bucket,
)
from minato.storage.endpoints.download_object import (
    get_object,
    get_public_object,
    get_signed_object,
    head_object,
    head_public_object,
    head_signed_object,
    info_object,
    info_public_object,
    purge_cache,
    render_authenticated_image,
    render_public_image,
    render_signed_image,
    sign_url,
    sign_urls,
)
from minato.storage.endpoints.list_objects import list_objects, list_objects_v2
from minato.storage.endpoints.manage_objects import copy_object, delete_object, delete_objects, move_object
from minato.storage.endpoints.resumable_upload import (
    append_resumable,
    create_resumable,
    delete_resumable,
    describe_resumable,
    head_resumable,
)
from minato.storage.endpoints.service_status import get_health, get_status, get_version
from minato.storage.endpoints.upload_object import (
    create_object,
    sign_upload_url,
    update_object,
    upload_signed_object,
)
from minato.storage.reply import Reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.vectors import endpoints as vectors

Endpoint = Callable[[Services, Request], Awaitable[Reply]]
# First segment → what is not there.
NOT_IMPLEMENTED = {
    "s3": "The S3 protocol",
    "iceberg": "Analytics buckets",
}
BUCKET = ":bucket"
REST = "*"


class Access(Enum):
    """What a route asks of the Authorization header."""

    NONE = auto()
    """Not looked at."""
    OPTIONAL = auto()
    """A missing or bad token makes the caller unauthenticated."""
    TOKEN = auto()
    """Must be there and good. One that is not there is called malformed: the local gateway always sends a header."""


@dataclass(frozen=True)
class Route:
    """`pattern` is literal segments, then `:bucket`, then `*` (the rest: the object's key) or one more literal."""

    method: str
    pattern: str
    endpoint: Endpoint
    access: Access
    operation: str = ""


NONE, OPTIONAL, TOKEN = Access.NONE, Access.OPTIONAL, Access.TOKEN

ROUTES = (
    Route("GET", "status", get_status, NONE),
    Route("GET", "version", get_version, NONE),
    Route("GET", "health", get_health, TOKEN),
    Route("GET", "bucket", list_buckets, TOKEN, "storage.bucket.list"),
    Route("POST", "bucket", create_bucket, TOKEN, "storage.bucket.create"),
    Route("GET", "bucket/:bucket", get_bucket, TOKEN, "storage.bucket.get"),
    Route("PUT", "bucket/:bucket", update_bucket, TOKEN, "storage.bucket.update"),
    Route("DELETE", "bucket/:bucket", delete_bucket, TOKEN, "storage.bucket.delete"),
    Route("POST", "bucket/:bucket/empty", empty_bucket, TOKEN, "storage.bucket.empty"),
    Route("GET", "object/public/:bucket/*", get_public_object, NONE, "storage.object.get_public"),
    Route("HEAD", "object/public/:bucket/*", head_public_object, NONE, "storage.object.info_public"),
    Route("GET", "object/info/public/:bucket/*", info_public_object, NONE, "storage.object.info_public"),
    Route("GET", "object/:bucket/*", get_object, OPTIONAL, "storage.object.get_authenticated"),
    Route("HEAD", "object/:bucket/*", head_object, OPTIONAL, "object.head_authenticated_info"),
    Route("GET", "object/authenticated/:bucket/*", get_object, TOKEN, "storage.object.get_authenticated"),
    Route("HEAD", "object/authenticated/:bucket/*", head_object, TOKEN, "object.head_authenticated_info"),
    Route("GET", "object/info/:bucket/*", info_object, OPTIONAL, "object.get_authenticated_info"),
    Route("GET", "object/info/authenticated/:bucket/*", info_object, TOKEN, "object.get_authenticated_info"),
    Route("POST", "object/:bucket/*", create_object, TOKEN, "storage.object.upload"),
    Route("PUT", "object/:bucket/*", update_object, TOKEN, "storage.object.upload_update"),
    Route("DELETE", "object/:bucket/*", delete_object, TOKEN, "storage.object.delete"),
    Route("DELETE", "object/:bucket", delete_objects, TOKEN, "storage.object.delete_many"),
    Route("POST", "object/list/:bucket", list_objects, TOKEN, "storage.object.list"),
    Route("POST", "object/list-v2/:bucket", list_objects_v2, TOKEN, "storage.object.list_v2"),
    Route("POST", "object/move", move_object, TOKEN, "storage.object.move"),
    Route("POST", "object/copy", copy_object, TOKEN, "storage.object.copy"),
    Route("POST", "object/sign/:bucket/*", sign_url, TOKEN, "storage.object.sign"),
    Route("POST", "object/sign/:bucket", sign_urls, TOKEN, "storage.object.sign_many"),
    Route("GET", "object/sign/:bucket/*", get_signed_object, NONE, "storage.object.get_signed"),
    Route("HEAD", "object/sign/:bucket/*", head_signed_object, NONE, "storage.object.get_signed"),
    Route("POST", "object/upload/sign/:bucket/*", sign_upload_url, TOKEN, "storage.object.sign_upload_url"),
    Route("PUT", "object/upload/sign/:bucket/*", upload_signed_object, NONE, "storage.object.upload_signed"),
    Route(
        "GET",
        "render/image/authenticated/:bucket/*",
        render_authenticated_image,
        TOKEN,
        "storage.render.image_authenticated",
    ),
    Route("GET", "render/image/public/:bucket/*", render_public_image, NONE, "storage.render.image_public"),
    Route("GET", "render/image/sign/:bucket/*", render_signed_image, NONE, "storage.render.image_sign"),
    Route("DELETE", "cdn", purge_cache, TOKEN, "storage.cdn.purge_tenant_cache"),
    Route("DELETE", "cdn/:bucket", purge_cache, TOKEN, "storage.cdn.purge_bucket_cache"),
    Route("DELETE", "cdn/:bucket/*", purge_cache, TOKEN, "storage.cdn.purge_object_cache"),
    # Here `:bucket` is the upload's id.
    Route("OPTIONS", "upload/resumable", describe_resumable, NONE, "storage.tus.options"),
    Route("POST", "upload/resumable", create_resumable, TOKEN, "storage.tus.upload.create"),
    Route("HEAD", "upload/resumable/:bucket", head_resumable, TOKEN, "storage.tus.upload.get"),
    Route("PATCH", "upload/resumable/:bucket", append_resumable, TOKEN, "storage.tus.upload.part"),
    Route("DELETE", "upload/resumable/:bucket", delete_resumable, TOKEN, "storage.tus.upload.delete"),
    Route("OPTIONS", "upload/resumable/sign", describe_resumable, NONE, "storage.tus.options"),
    Route("POST", "upload/resumable/sign", create_resumable, NONE, "storage.tus.upload.create_signed"),
    Route("HEAD", "upload/resumable/sign/:bucket", head_resumable, NONE, "storage.tus.upload.get_signed"),
    Route("PATCH", "upload/resumable/sign/:bucket", append_resumable, NONE, "storage.tus.upload.part_signed"),
    Route("DELETE", "upload/resumable/sign/:bucket", delete_resumable, NONE, "storage.tus.upload.delete_signed"),
)
# Without those of vectors where they are switched off.
VECTORS = "vector"
VECTOR_ROUTES = (
    Route("POST", "vector/CreateVectorBucket", vectors.create_bucket, TOKEN, "storage.vector.bucket.create"),
    Route("POST", "vector/GetVectorBucket", vectors.get_bucket, TOKEN, "storage.vector.bucket.get"),
    Route("POST", "vector/ListVectorBuckets", vectors.list_buckets, TOKEN, "storage.vector.bucket.list"),
    Route("POST", "vector/DeleteVectorBucket", vectors.delete_bucket, TOKEN, "storage.vector.bucket.delete"),
    Route("POST", "vector/CreateIndex", vectors.create_index, TOKEN, "storage.vector.index.create"),
    Route("POST", "vector/GetIndex", vectors.get_index, TOKEN, "storage.vector.index.get"),
    Route("POST", "vector/ListIndexes", vectors.list_indexes, TOKEN, "storage.vector.index.list"),
    Route("POST", "vector/DeleteIndex", vectors.delete_index, TOKEN, "storage.vector.index.delete"),
    Route("POST", "vector/PutVectors", vectors.put_vectors, TOKEN, "storage.vector.vectors.put"),
    Route("POST", "vector/GetVectors", vectors.get_vectors, TOKEN, "storage.vector.vectors.get"),
    Route("POST", "vector/ListVectors", vectors.list_vectors, TOKEN, "storage.vector.vectors.list"),
    Route("POST", "vector/QueryVectors", vectors.query_vectors, TOKEN, "storage.vector.vectors.query"),
    Route("POST", "vector/DeleteVectors", vectors.delete_vectors, TOKEN, "storage.vector.vectors.delete"),
)


class Router:
    """More literal segments win over fewer, so `object/info/b/k` is no object of a bucket called `info`."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes: dict[tuple[str, str, tuple[str, ...]], Route] = {}
        self._longest = 0
        for route in routes:
            literals, shape = _split(route.pattern)
            self._routes[route.method, "/".join(literals), shape] = route
            self._longest = max(self._longest, len(literals))

    def find(self, method: str, raw_path: str) -> tuple[Route, str, str] | None:
        """The route with the bucket and the key in the path; None when nothing leads there."""
        segments = raw_path.lstrip("/").split("/")
        for count in range(min(self._longest, len(segments)), 0, -1):
            rest = segments[count:]
            route = self._routes.get((method, "/".join(segments[:count]), _shape(rest)))
            if route is None and len(rest) == 2:
                route = self._routes.get((method, "/".join(segments[:count]), (BUCKET, rest[1])))
            if route is not None:
                key = "/".join(rest[1:]) if route.pattern.endswith(REST) else ""
                return route, unquote(rest[0]) if rest else "", unquote(key)
        return None


def _split(pattern: str) -> tuple[list[str], tuple[str, ...]]:
    segments = pattern.split("/")
    place = segments.index(BUCKET) if BUCKET in segments else len(segments)
    return segments[:place], tuple(segments[place:])


def _shape(rest: Sequence[str]) -> tuple[str, ...]:
    """What follows the literals: nothing, a bucket, a bucket and a key."""
    if not rest:
        return ()
    return (BUCKET,) if len(rest) == 1 else (BUCKET, REST)
