"""What a developer's server listens with: `/b/<id>/…` goes to that branch, all else to main.

A browser may also ask for `http://<id>.localhost`, where the web app is that knows of no prefix: its page has that
branch for a backend, and keeps what it keeps apart from the pages of others.
"""

from __future__ import annotations

from collections.abc import Awaitable
from functools import cached_property

import orjson

from minato.dev.guard import Guard
from minato.front_door import names_its_host
from minato.host.branch import SHARED
from minato.host.branches import Branches
from minato.host.errors import BranchError
from minato.host.names import LOCALHOST, named_by
from minato.http.asgi import JSON, ASGIApp, Header, Message, Receive, Scope, Send, header_map, send_response
from minato.main import Application

BRANCHES = "/b/"
OURS = (BRANCHES, "/_dev/v1/branches", "/_dev/v1/snapshots")
POLICY_VIOLATION, GONE = 1008, 1012
NAMES = LOCALHOST.encode()


class Front:
    """The ASGI app of a process with branches. `guard` has the calls that make and drop them."""

    def __init__(self, main: Application, branches: Branches, guard: Guard, jwt_secret: str) -> None:
        self.branches = branches
        self._main = main
        self._gate = branches.sources.gate
        self._guard = guard
        self._secret = jwt_secret

    @cached_property
    def _control(self) -> ASGIApp:
        """Made with the first call: a start need not wait for it."""
        from minato.host.control import Control

        return Control(self.branches, self._secret).app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "lifespan":
            return self._live(scope, receive, send)
        named = self._named(scope)
        if named is not None:
            return self._serve_branch(scope, receive, send, named)
        if not scope["path"].startswith(OURS):
            return self._wait(scope, receive, send) if self._gate.is_shut else self._main(scope, receive, send)
        if scope["path"].startswith(BRANCHES):
            id_ = scope["path"].split("/", 3)[2]
            return self._serve_branch(scope, receive, send, id_, BRANCHES + id_)
        if scope["type"] != "http":
            return _close(receive, send, POLICY_VIOLATION)
        return self._command(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.branches.mend()
        await self._main(scope, receive, self._clearing(send))

    async def _wait(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._gate.passed()
        await self._main(scope, receive, send)

    def _clearing(self, send: Send) -> Send:
        """Begin with what a crash left, once main has started."""

        async def sending(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                self.branches.begin()
            await send(message)

        return sending

    def _named(self, scope: Scope) -> str | None:
        """The branch whose name the Host is, be it gone; main is asked by any other name."""
        for name, value in scope["headers"]:
            if name == b"host":
                id_ = named_by(value.decode("latin-1")) if NAMES in value else ""
                return id_ if id_ and self.branches.was_there(id_) else None
        return None

    async def _serve_branch(self, scope: Scope, receive: Receive, send: Send, id_: str, prefix: str = "") -> None:
        await self.branches.arrived(id_)
        branch = self.branches.find(id_) if scope["raw_path"].startswith(prefix.encode()) else None
        try:
            if branch is None:
                self.branches.require(id_)
                raise BranchError(404, "branch_not_found", "A branch's name is written as it is, without escapes.")
            scope["root_path"] = prefix
            await branch.serve(scope, receive, send, self.branches.now())
        except BranchError as error:
            await _refuse(scope, receive, send, error)

    async def _command(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._guard.refusal(scope) if names_its_host(scope) else None
        if not names_its_host(scope):
            await send_response(send, 400, [JSON], orjson.dumps({"message": "A request names its host exactly once"}))
        elif refused is not None:
            body = {"code": refused.code, "message": refused.message}
            await send_response(send, 403, [JSON], orjson.dumps(body))
        else:
            await self._control(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send, error: BranchError) -> None:
    """Say why there is no such branch, also to a page: it asks by a preflight first."""
    if scope["type"] != "http":
        await _close(receive, send, GONE)
    elif scope["method"] == "OPTIONS":
        await send_response(send, 204, _preflight(scope))
    else:
        await send_response(send, error.status, [JSON, SHARED], orjson.dumps(error.as_json()))


def _preflight(scope: Scope) -> list[Header]:
    wanted = header_map(scope).get("access-control-request-headers", "*")
    methods = b"GET, HEAD, POST, PUT, PATCH, DELETE"
    return [
        SHARED,
        (b"access-control-allow-methods", methods),
        (b"access-control-allow-headers", wanted.encode("latin-1")),
    ]


async def _close(receive: Receive, send: Send, code: int) -> None:
    await receive()
    await send({"type": "websocket.close", "code": code})
