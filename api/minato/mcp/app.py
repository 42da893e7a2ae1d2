"""Where assistants come in: `/mcp` and `/b/<id>/mcp`, through the doors of `/_dev`. All else is the server's own."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from functools import cached_property
from typing import TYPE_CHECKING, Final

import orjson

from minato.front_door import names_its_host
from minato.gateway import guard_of
from minato.host.databases import name_in
from minato.host.front import Front
from minato.http.asgi import JSON, Header, Receive, Scope, Send, send_response
from minato.main import Application

if TYPE_CHECKING:
    from minato.mcp.place import Bench
    from minato.mcp.server import McpServer

PATH: Final = re.compile(r"(?:/b/([^/]+))?/mcp/?")
_POST_ALONE: Final[Header] = (b"allow", b"POST")


class Assistants:
    """The ASGI app around a developer's server. `bench` is what the commands do for the tools."""

    def __init__(self, front: Front, main: Application, bench: Bench) -> None:
        self._front = front
        self._main = main.backend
        self._bench = bench
        guard = guard_of(main.backend)
        assert guard is not None, "assistants are a developer's"
        self._guard = guard

    @cached_property
    def server(self) -> McpServer:
        """Made at the first request: a start need not wait for it."""
        from minato.mcp.place import Place
        from minato.mcp.server import McpServer

        place = Place(self._front, self._main, self._bench, name_in(self._main.database.address.admin))
        return McpServer(place, self._front.branches)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        found = PATH.fullmatch(scope["path"]) if scope["type"] == "http" and "/mcp" in scope["path"] else None
        return self._front(scope, receive, send) if found is None else self._answer(scope, receive, send, found[1])

    async def _answer(self, scope: Scope, receive: Receive, send: Send, branch: str | None) -> None:
        refused = self._guard.refusal(scope) if names_its_host(scope) else None
        if not names_its_host(scope):
            await _refuse(send, 400, {"message": "A request names its host exactly once"})
        elif refused is not None:
            await _refuse(send, 403, {"code": refused.code, "message": refused.message})
        elif scope["method"] != "POST":
            # There is no stream to listen to, and no session to end.
            await send_response(send, 405, [_POST_ALONE])
        else:
            await self.server.answer(scope, receive, send, branch)


async def _refuse(send: Send, status: int, body: dict[str, str]) -> None:
    await send_response(send, status, [JSON], orjson.dumps(body))
