"""What is refused before a request is looked at: one without a Host of its own, and strangers at `/_dev`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from minato.dev.guard import MAILBOX, TOKEN_NEEDED, Guard, is_page, is_providers_page
from minato.dev.sign_in import page_headers, sign_in_page
from minato.http.asgi import JSON, Header, Receive, Scope, Send, header_map


@dataclass(frozen=True)
class Refusal:
    """An answer instead of the one asked for."""

    status: int
    headers: Sequence[Header]
    body: bytes

    @classmethod
    def saying(cls, status: int, said: Mapping[str, str]) -> Refusal:
        """A refusal that a program reads."""
        return cls(status, [JSON], orjson.dumps(said))

    async def to_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The same to whoever asks for a websocket; a server that can't say it closes, which clients see as 403."""
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = [*self.headers, (b"content-length", str(len(self.body)).encode())]
        await send({"type": "websocket.http.response.start", "status": self.status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": self.body})


NO_HOST = Refusal.saying(400, {"message": "A request names its host exactly once"})


class FrontDoor:
    """Who may come in. In development `guard` has the developer's pages, and the counters unless a token guards them;
    outside there is none."""

    def __init__(self, guard: Guard | None, metrics_have_token: bool) -> None:
        self._guard = guard
        self._page = None if metrics_have_token else "/metrics"

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why the request, unread and unchanged, may not come in; None when it may."""
        if not names_its_host(scope):
            return NO_HOST
        if self._guard is None or not self._is_guarded(scope["path"]):
            return None
        refused = self._guard.refusal(scope)
        if refused is TOKEN_NEEDED and _opens_page(scope):
            return Refusal(401, page_headers(), sign_in_page())
        return Refusal.saying(403, {"code": refused.code, "message": refused.message}) if refused is not None else None

    def _is_guarded(self, path: str) -> bool:
        return path == self._page or path.startswith("/_dev")


def _opens_page(scope: Scope) -> bool:
    """Whether a browser asks for a person, who can be asked for the token in its place."""
    accepts_page = "text/html" in header_map(scope).get("accept", "")
    path: str = scope["path"]
    is_opened = is_page(path) or path.startswith(f"{MAILBOX}/") or is_providers_page(scope)
    return accepts_page and scope.get("method") == "GET" and is_opened


def names_its_host(scope: Scope) -> bool:
    """Whether the request has a Host, and one alone."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if not hosts:
        return scope.get("http_version") == "1.0"
    return len(hosts) == 1 and hosts[0] != b""
