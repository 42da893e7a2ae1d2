"""Cross-origin answers of a data API that is served alone; behind Minato's gateway that one gives them."""

from __future__ import annotations

from minato.http.asgi import ASGIApp, Header, Message, Receive, Scope, Send, send_response
from minato.rest.schema_cache.reload import SchemaCacheKeeper

METHODS = b"GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD"
ALWAYS_ALLOWED = b"Accept, Accept-Language, Content-Language"
EXPOSED = (
    b"Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, "
    b"Transfer-Encoding, Range-Unit"
)


class Cors:
    """In front of `app`: answers preflights, lets pages read other answers."""

    def __init__(self, app: ASGIApp, keeper: SchemaCacheKeeper) -> None:
        self._app = app
        self._keeper = keeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is None:
            await self._app(scope, receive, send)
            return
        allowed = self._allowed(origin)
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers and allowed:
            await send_response(send, 200, [*allowed, *_preflight(headers.get(b"access-control-request-headers"))])
            return
        # Any other OPTIONS says itself that anybody may, whatever the list.
        is_options = scope["method"] == "OPTIONS"
        await self._app(scope, receive, send if is_options else _allowing(send, allowed))

    def _allowed(self, origin: bytes) -> list[Header]:
        """What tells the page that it may read; nothing for an origin that is not listed."""
        listed = [name.strip() for name in self._keeper.settings.server_cors_allowed_origins.split(",") if name.strip()]
        if not listed:
            return [(b"access-control-allow-origin", b"*")]
        if origin.decode("latin-1") not in listed:
            return []
        return [(b"access-control-allow-origin", origin), (b"access-control-allow-credentials", b"true")]


def _preflight(asked: bytes | None) -> list[Header]:
    wanted = [b"Authorization", *(name.strip() for name in (asked or b"").split(b",") if name.strip())]
    return [
        (b"access-control-allow-methods", METHODS),
        (b"access-control-allow-headers", b", ".join([*wanted, ALWAYS_ALLOWED])),
        (b"access-control-max-age", b"86400"),
    ]


def _allowing(send: Send, allowed: list[Header]) -> Send:
    added = [*allowed, (b"access-control-expose-headers", EXPOSED)] if allowed else []

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *added]
        await send(message)

    return sending
