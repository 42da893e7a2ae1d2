"""What no route answers: below closed paths, who comes without a token learns nothing about what there is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from minato.auth.request.context import ReadTransaction
from minato.auth.request.response import Response
from minato.auth.sessions.authentication import require_admin, require_known_user, require_user
from minato.auth.wire.errors import AuthError

TEXT = {"content-type": "text/plain; charset=utf-8"}
# What the reference asks for before it looks for a route.
CLOSED: Mapping[str, Callable[[ReadTransaction], Awaitable[object]]] = {
    "/admin": require_admin,
    "/user": require_user,
    "/factors": require_known_user,
}
OFF = "/scim/v2"


def is_closed(path: str) -> bool:
    """Whether `path` is one of the closed or off, or below it."""
    return any(path == start or path.startswith(f"{start}/") for start in (*CLOSED, OFF))


async def not_found(tx: ReadTransaction) -> Response:
    await _require_let_in(tx)
    return Response(b"404 page not found\n", 404, TEXT)


async def not_allowed(tx: ReadTransaction) -> Response:
    await _require_let_in(tx)
    return Response(status=405)


async def _require_let_in(tx: ReadTransaction) -> None:
    path = tx.http.scope["path"]
    if path.startswith(OFF):
        raise AuthError(404, "feature_disabled", "SCIM server is disabled")
    for start, require in CLOSED.items():
        if path == start or path.startswith(f"{start}/"):
            await require(tx)
