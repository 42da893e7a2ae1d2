"""What no route answers: below closed paths, who comes without a token learns nothing about what there is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from minato.auth.authentication import require_admin, require_known_user, require_user
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError

TEXT = {"content-type": "text/plain; charset=utf-8"}
# What the reference asks for before it looks for a route.
CLOSED: Mapping[str, Callable[[Call], Awaitable[object]]] = {
    "/admin": require_admin,
    "/user": require_user,
    "/factors": require_known_user,
}
OFF = "/scim/v2"


def is_closed(path: str) -> bool:
    """Whether `path` is one of the closed or off, or below it."""
    return any(path == start or path.startswith(f"{start}/") for start in (*CLOSED, OFF))


async def not_found(call: Call) -> Answer:
    await _require_let_in(call)
    return Answer(b"404 page not found\n", 404, TEXT)


async def not_allowed(call: Call) -> Answer:
    await _require_let_in(call)
    return Answer(status=405)


async def _require_let_in(call: Call) -> None:
    path = call.request.scope["path"]
    if path.startswith(OFF):
        raise AuthError(404, "feature_disabled", "SCIM server is disabled")
    for start, require in CLOSED.items():
        if path == start or path.startswith(f"{start}/"):
            await require(call)
