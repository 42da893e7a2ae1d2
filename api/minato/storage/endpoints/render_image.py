"""`GET /render/image/{authenticated,public,sign}/:bucket/*`: an object that is a picture, made to measure."""

from __future__ import annotations

from minato.storage.backend.base import file_path
from minato.storage.content import content_policy
from minato.storage.errors import file_missing, invalid_request
from minato.storage.imaging.cache import PictureKey
from minato.storage.imaging.transformation import TRANSFORM, Transformation
from minato.storage.names import require_key
from minato.storage.object_access import public_object, signed_object, visible_object
from minato.storage.object_reply import not_modified, object_headers, object_size
from minato.storage.objects import ObjectRow
from minato.storage.reply import Reply, encode_headers
from minato.storage.request import Request
from minato.storage.schemas import TOKEN_QUERY
from minato.storage.services import Services


async def render_authenticated_image(services: Services, request: Request) -> Reply:
    wanted = Transformation.read(request.checked_query(TRANSFORM))
    require_key(request.key)
    return await _reply(services, request, await visible_object(services, request), wanted)


async def render_public_image(services: Services, request: Request) -> Reply:
    wanted = Transformation.read(request.checked_query(TRANSFORM))
    return await _reply(services, request, await public_object(services, request), wanted)


async def render_signed_image(services: Services, request: Request) -> Reply:
    """The token alone says what is done to the picture."""
    token = request.checked_query(TOKEN_QUERY)["token"]
    claims = services.signer.verify_download(token, request.bucket, request.key)
    wanted = Transformation.from_claim(str(claims.get("transformations") or ""))
    row = await signed_object(services, request)
    return await _reply(services, request, row, wanted, int(claims.get("exp", 0)))


async def _reply(
    services: Services, request: Request, row: ObjectRow, wanted: Transformation, expires: int | None = None
) -> Reply:
    if (unchanged := not_modified(services, request, row, expires)) is not None:
        return unchanged
    path, size = file_path(row["bucket_id"], row["version"] or ""), object_size(row)
    if not size:
        raise invalid_request("The source image is invalid or unsupported for rendering")
    negotiated = "" if wanted.format else _negotiated(request.headers.get("accept", ""))
    key = PictureKey(row["bucket_id"], row["name"], row["version"] or "", wanted, negotiated)
    picture = services.pictures.find(key)
    if picture is None:
        try:
            picture = await services.images.render(
                size, lambda: services.files.read(path, 0, size), wanted, negotiated, request.share
            )
        except FileNotFoundError:
            raise file_missing() from None
        services.pictures.keep(key, picture)
    headers = object_headers(services, request, row, expires)
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
