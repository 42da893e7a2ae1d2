"""`GET /render/image/{authenticated,public,sign}/:bucket/*`: an object that is a picture, made to measure.

What was made is kept, until `DELETE /cdn` asks to forget it.
"""

from __future__ import annotations

from minato.storage.content import content_policy
from minato.storage.errors import access_denied, file_missing, invalid_request
from minato.storage.imaging.cache import PictureKey
from minato.storage.imaging.transformation import TRANSFORM, Transformation
from minato.storage.names import require_key
from minato.storage.object_access import public_object, signed_object, visible_object
from minato.storage.object_reply import not_modified, object_headers
from minato.storage.objects import Readable
from minato.storage.reply import Reply, encode_headers, json_reply
from minato.storage.request import Request
from minato.storage.schemas import TOKEN_QUERY
from minato.storage.services import Services
from minato.storage.validation import Schema
from minato.tokens.caller import SERVICE_ROLE

PURGE: Schema = {"type": "object", "properties": {"transformations": {"type": "boolean"}}}


async def render_authenticated_image(services: Services, request: Request) -> Reply:
    wanted = Transformation.read(request.checked_query(TRANSFORM))
    require_key(request.key)
    return await _reply(services, request, Readable(await visible_object(services, request)), wanted)


async def render_public_image(services: Services, request: Request) -> Reply:
    wanted = Transformation.read(request.checked_query(TRANSFORM))
    return await _reply(services, request, await public_object(services, request), wanted)


async def render_signed_image(services: Services, request: Request) -> Reply:
    """The token alone says what is done to the picture."""
    token = request.checked_query(TOKEN_QUERY)["token"]
    claims = services.signer.verify_download(token, request.bucket, request.key)
    wanted = Transformation.from_claim(str(claims.get("transformations") or ""))
    found = await signed_object(services, request, int(claims.get("exp", 0)))
    return await _reply(services, request, found, wanted)


async def _reply(services: Services, request: Request, found: Readable, wanted: Transformation) -> Reply:
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
