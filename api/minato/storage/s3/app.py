"""Answers one request below `/s3`: what is asked, who signed it, the operation."""

from __future__ import annotations

from urllib.parse import unquote

from minato.http.asgi import Receive, Scope
from minato.storage.errors import not_implemented
from minato.storage.reply import Reply
from minato.storage.request import Request
from minato.storage.s3.caller import authenticate
from minato.storage.s3.payload import S3Request
from minato.storage.s3.routes import find_operation
from minato.storage.services import Services

ROOT = "/s3"


def is_s3(raw_path: str) -> bool:
    """Whether the path below the room's prefix is S3's."""
    return raw_path == ROOT or raw_path.startswith(f"{ROOT}/")


async def answer_s3(services: Services, scope: Scope, receive: Receive, raw_path: str) -> Reply:
    """The reply. Raises StorageError, also 501 for an operation that is not offered."""
    bucket, _, key = raw_path.removeprefix(ROOT).removeprefix("/").partition("/")
    request = Request(scope, receive, "storage.s3", unquote(bucket), unquote(key))
    # Who it is comes first: what is offered is nobody else's affair.
    caller, proof = authenticate(services.s3, services.keys, services.clock, request, raw_path)
    found = find_operation(request.method, request.bucket, request.key, request.query, request.headers)
    if found is None:
        raise not_implemented("This S3 operation")
    operation = f"storage.s3.{found.operation}"
    known = S3Request(scope, receive, operation, request.bucket, request.key, caller, proof=proof)
    return await found.endpoint(services, known)
