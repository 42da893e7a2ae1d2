"""`POST /object/sign/:bucket/*` signs one URL, `POST /object/sign/:bucket` many."""

from __future__ import annotations

from minato.storage.imaging.transformation import TRANSFORM, Transformation
from minato.storage.names import require_key
from minato.storage.object_access import visible_object
from minato.storage.objects import find_names
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.schemas import EXPIRES_IN
from minato.storage.services import Services

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
