"""Reading an object: its bytes, headers or description, a picture of it made to measure, and URLs signed for it.

Who asks is everybody, a caller, or who has a signed URL. Pictures that were made are kept, until `DELETE /cdn` asks to
forget them.
"""

from __future__ import annotations

from functools import partial

from minato.storage.content import content_policy
from minato.storage.errors import access_denied, file_missing, invalid_request
from minato.storage.imaging.cache import PictureKey
from minato.storage.imaging.transformation import TRANSFORM, Transformation
from minato.storage.names import require_key
from minato.storage.object_access import (
    caller_object,
    of_current,
    public_object,
    seen_object,
    signed_object,
    visible_object,
)
from minato.storage.object_reply import head_reply, info_reply, not_modified, object_headers, object_reply
from minato.storage.objects import Readable, find_names
from minato.storage.reply import Reply, encode_headers, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.storage.validation import EXPIRES_IN, TOKEN_QUERY, Schema
from minato.tokens.caller import SERVICE_ROLE

PURGE: Schema = {"type": "object", "properties": {"transformations": {"type": "boolean"}}}
ONE = {
    "type": "object",
    "required": ["expiresIn"],
    "properties": {"expiresIn": EXPIRES_IN, "transform": TRANSFORM},
}
MANY = {
    "type": "object",
    "required": ["expiresIn", "paths"],
    "properties": {
        "expiresIn": EXPIRES_IN,
        "paths": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 1000},
    },
}
NOT_SEEN = "Either the object does not exist or you do not have access to it"


async def get_object(services: Services, request: Request) -> Reply:
    """`GET /object/:bucket/*`, `/object/authenticated/:bucket/*`."""
    return await of_current(partial(caller_object, services, request), partial(object_reply, services, request))


async def head_object(services: Services, request: Request) -> Reply:
    """`HEAD` of the same paths."""
    return head_reply(services, request, await caller_object(services, request))


async def info_object(services: Services, request: Request) -> Reply:
    """`GET /object/info/:bucket/*`, `/object/info/authenticated/:bucket/*`."""
    return info_reply(services, request, await caller_object(services, request))


async def get_public_object(services: Services, request: Request) -> Reply:
    """`GET /object/public/:bucket/*`: no token, public buckets only."""
    return await of_current(partial(public_object, services, request), partial(object_reply, services, request))


async def head_public_object(services: Services, request: Request) -> Reply:
    """`HEAD /object/public/:bucket/*`."""
    return head_reply(services, request, await public_object(services, request))


async def info_public_object(services: Services, request: Request) -> Reply:
    """`GET /object/info/public/:bucket/*`."""
    return info_reply(services, request, await public_object(services, request))


async def get_signed_object(services: Services, request: Request) -> Reply:
    """`GET /object/sign/:bucket/*?token=`: whoever has the URL may read until it expires."""
    return await of_current(partial(_opened, services, request), partial(object_reply, services, request))


async def head_signed_object(services: Services, request: Request) -> Reply:
    """`HEAD /object/sign/:bucket/*?token=`."""
    return head_reply(services, request, await _opened(services, request))


async def _opened(services: Services, request: Request) -> Readable:
    """The object the token opens, until the token ends."""
    token = request.checked_query(TOKEN_QUERY)["token"]
    claims = services.signer.verify_download(token, request.bucket, request.key)
    return await signed_object(services, request, int(claims.get("exp", 0)))


async def render_authenticated_image(services: Services, request: Request) -> Reply:
    wanted = Transformation.read(request.checked_query(TRANSFORM))
    require_key(request.key)
    return await of_current(partial(seen_object, services, request), partial(_reply, services, request, wanted))


async def render_public_image(services: Services, request: Request) -> Reply:
    wanted = Transformation.read(request.checked_query(TRANSFORM))
    return await of_current(partial(public_object, services, request), partial(_reply, services, request, wanted))


async def render_signed_image(services: Services, request: Request) -> Reply:
    """The token alone says what is done to the picture."""
    token = request.checked_query(TOKEN_QUERY)["token"]
    claims = services.signer.verify_download(token, request.bucket, request.key)
    wanted = Transformation.from_claim(str(claims.get("transformations") or ""))
    find = partial(signed_object, services, request, int(claims.get("exp", 0)))
    return await of_current(find, partial(_reply, services, request, wanted))


async def _reply(services: Services, request: Request, wanted: Transformation, found: Readable) -> Reply:
    if (unchanged := not_modified(services, request, found)) is not None:
        return unchanged
    row = found.row
    if not row.size:
        raise invalid_request("The source image is invalid or unsupported for rendering")
    negotiated = "" if wanted.format else _negotiated(request.headers.get("accept", ""))
    key = PictureKey(row.bucket_id, row.name, row.version or "", wanted, negotiated)
    picture = services.pictures.find(key)
    if picture is None:
        try:
            picture = await services.images.render(
                row.size, lambda: services.files.read(row.path, 0, row.size), wanted, negotiated, request.share
            )
        except FileNotFoundError:
            raise file_missing() from None
        services.pictures.keep(key, picture)
    headers = object_headers(services, request, found)
    headers |= {
        "accept-ranges": None,
        "content-type": picture.mime_type,
        "content-length": None,
        "content-security-policy": content_policy(picture.mime_type),
        "x-transformations": wanted.header,
        # The same URL gives WebP to those who take it.
        "vary": ", ".join(filter(None, (headers["vary"], "Accept"))),
    }
    return Reply(200, encode_headers(headers), picture.content)


def _negotiated(accept: str) -> str:
    """The format to write when none is asked for: WebP costs a tenth of the time of AVIF."""
    return "webp" if "image/webp" in accept else "avif" if "image/avif" in accept else ""


async def purge_cache(services: Services, request: Request) -> Reply:
    """`DELETE /cdn[/:bucket[/*]]`: forget the pictures made of an object, of a bucket, of all.

    For the service alone, whether there is anything to forget or not. Originals are kept nowhere but in the backend, so
    `transformations=true` and its absence mean the same here.
    """
    if request.known_caller.role != SERVICE_ROLE:
        raise access_denied("Access denied: Invalid role", status=403)
    request.checked_query(PURGE)
    services.pictures.purge(request.bucket or None, request.key or None)
    return json_reply({"message": "success"})


async def sign_url(services: Services, request: Request) -> Reply:
    """A URL for an object the caller sees."""
    body = await request.json(ONE)
    require_key(request.key)
    await visible_object(services, request)
    wanted = Transformation.read(body.get("transform") or {})
    return json_reply({"signedURL": _signed(services, request.bucket, request.key, body["expiresIn"], wanted.claim)})


async def sign_urls(services: Services, request: Request) -> Reply:
    """A URL or an error for each path, in the order asked."""
    body = await request.json(MANY)
    async with services.transactions.as_caller(request) as connection:
        seen = await find_names(connection, request.bucket, body["paths"])

    def signed(path: str) -> dict[str, object]:
        if path not in seen:
            return {"error": NOT_SEEN, "path": path, "signedURL": None}
        return {
            "error": None,
            "path": path,
            "signedURL": _signed(services, request.bucket, path, body["expiresIn"]),
        }

    return json_reply([signed(path) for path in body["paths"]])


def _signed(services: Services, bucket: str, key: str, expires_in: int, transformations: str = "") -> str:
    token = services.signer.sign_download(bucket, key, expires_in, transformations)
    return f"/{'render/image' if transformations else 'object'}/sign/{bucket}/{key}?token={token}"
