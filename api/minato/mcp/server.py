"""The Model Context Protocol over HTTP: one POST, one answer, nothing kept between two of them.

`/mcp` is main's, with branches by `project_id`; `/b/<id>/mcp` is bound to that branch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qs

import orjson

from minato.host.branches import Branches
from minato.host.errors import BranchError
from minato.http.asgi import JSON, Header, Receive, Scope, Send, header_map, read_body, send_response
from minato.http.errors import BodyTooLarge
from minato.json_text import JsonObject
from minato.mcp import rpc
from minato.mcp.place import Place, ToolError
from minato.mcp.rpc import Request, RpcError
from minato.mcp.tool import Input, Tool, as_text
from minato.mcp.tools import BOUND, DEFAULT, FEATURES

LARGEST_BODY: Final = 4 * 1024 * 1024
_UNSEEN: Final[Header] = (b"cache-control", b"no-store")


@dataclass(frozen=True)
class Scoped:
    """What the address allows: which tools, whether they may write; `bound`: on one branch alone."""

    tools: Mapping[str, Tool[Input]]
    read_only: bool
    bound: bool

    def listed(self) -> list[JsonObject]:
        return [each.described(read_only=self.read_only, bound=self.bound) for each in self.tools.values()]


class McpServer:
    """Answers what came through the doors."""

    def __init__(self, main: Place, branches: Branches) -> None:
        self._main = main
        self._branches = branches

    async def answer(self, scope: Scope, receive: Receive, send: Send, branch: str | None) -> None:
        """One POST, to main's address or to that of a branch."""
        headers = header_map(scope)
        try:
            _require_media(headers)
            message = _parsed(await read_body(receive, LARGEST_BODY))
            scoped = scoped_by(scope["query_string"].decode("latin-1"), bound=branch is not None)
        except RpcError as error:
            await _json(send, error.status, error.as_json(None))
            return
        except BodyTooLarge:
            await _json(send, 413, RpcError(rpc.INVALID_REQUEST, "The body is too large").as_json(None))
            return
        if isinstance(message, list) and headers.get("mcp-protocol-version", rpc.WITH_BATCHES) == rpc.WITH_BATCHES:
            answers = [await self._one(each, headers, scoped, branch) for each in message]
            told = [answer for _, answer in answers if answer is not None]
            await (_json(send, 200, told) if told else send_response(send, 202))
            return
        status, answer = await self._one(message, headers, scoped, branch)
        await (_json(send, status, answer) if answer is not None else send_response(send, 202))

    async def _one(
        self, message: object, headers: Mapping[str, str], scoped: Scoped, branch: str | None
    ) -> tuple[int, JsonObject | None]:
        id_ = message.get("id") if isinstance(message, dict) else None
        try:
            request = rpc.request_of(message, headers)
            if request is None:
                return 202, None
            return 200, request.result(await self._done(request, scoped, branch))
        except RpcError as error:
            is_old = error.code not in (rpc.INVALID_REQUEST, rpc.HEADER_MISMATCH, rpc.UNSUPPORTED_VERSION) and (
                headers.get("mcp-protocol-version") != rpc.STATELESS
            )
            return 200 if is_old else error.status, error.as_json(id_ if isinstance(id_, str | int) else None)

    async def _done(self, request: Request, scoped: Scoped, branch: str | None) -> JsonObject:
        match request.method:
            case "initialize" if not request.is_stateless:
                return rpc.initialized(request.params)
            case "server/discover" if request.is_stateless:
                return rpc.discovered()
            case "ping":
                return {}
            case "tools/list":
                return {"tools": scoped.listed(), **(rpc.uncached() if request.is_stateless else {})}
            case "tools/call":
                return await self._called(request.params, scoped, branch)
        raise RpcError(rpc.NO_METHOD, f"Method not found: {request.method[:100]}")

    async def _called(self, params: JsonObject, scoped: Scoped, branch: str | None) -> JsonObject:
        name, arguments = params.get("name"), params.get("arguments")
        tool = scoped.tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise RpcError(rpc.INVALID_PARAMS, f"Unknown tool: {str(name)[:100]}")
        log = self._main.backend.log
        try:
            named = arguments.get("project_id") if isinstance(arguments, dict) and branch is None else branch
            given = await tool.call(await self._place(named, scoped.read_only), arguments)
        except (ToolError, BranchError) as error:
            log.info("an assistant was refused", tool=tool.name, branch=branch)
            hint = getattr(error, "hint", None)
            message = f"{error} {hint}" if hint else str(error)
            return _content({"error": {"name": "Error", "message": message}}, is_error=True)
        except Exception:
            log.exception("a tool failed", tool=tool.name)
            raise RpcError(rpc.INTERNAL_ERROR, f"{tool.name} failed; the server's log says more") from None
        log.info("an assistant called", tool=tool.name, branch=branch)
        return _content(given, is_error=False)

    async def _place(self, branch: object, read_only: bool) -> Place:
        """Raises BranchError."""
        if branch is None or branch == "main":
            return replace(self._main, read_only=read_only)
        await self._branches.arrived(name := str(branch)[:100])
        found = self._branches.require(name)
        found.used_at = self._branches.now()
        backend = found.application.backend
        return replace(self._main, backend=backend, database=found.database, branch=found.id, read_only=read_only)


def scoped_by(query: str, *, bound: bool) -> Scoped:
    """What `?read_only=true&features=database,debugging` allows, as the reference reads it. Raises RpcError.

    >>> sorted(scoped_by("features=storage", bound=False).tools)
    ['list_storage_buckets']
    """
    asked = parse_qs(query, keep_blank_values=True)
    read_only = "read_only" in asked and asked["read_only"][-1].lower() not in ("false", "0")
    named = [name.strip() for text in asked.get("features", []) for name in text.split(",") if name.strip()]
    unknown = next((name for name in named if name not in FEATURES), None)
    if unknown is not None:
        known = ", ".join(FEATURES)
        sentence = f"This platform does not support the '{unknown[:60]}' feature group. Supported groups are: {known}"
        raise RpcError(rpc.INVALID_PARAMS, sentence)
    groups = [group for group in FEATURES if group in (named or DEFAULT) and (not bound or group in BOUND)]
    tools = [tool for group in groups for tool in FEATURES[group] if tool.is_there(read_only=read_only)]
    return Scoped({tool.name: tool for tool in tools}, read_only, bound)


def _require_media(headers: Mapping[str, str]) -> None:
    """Raises RpcError for what no client of the protocol sends: a page can send a form without being asked."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RpcError(rpc.INVALID_REQUEST, "Content-Type is application/json")
    accepted = headers.get("accept", "*/*")
    if not any(kind in accepted for kind in ("application/json", "application/*", "*/*")):
        raise RpcError(rpc.INVALID_REQUEST, "The answer is application/json, which Accept leaves out")


def _parsed(body: bytes) -> object:
    try:
        return orjson.loads(body)
    except ValueError:
        raise RpcError(rpc.PARSE_ERROR, "The body is not JSON") from None


def _content(value: object, *, is_error: bool) -> JsonObject:
    return {"content": [{"type": "text", "text": as_text(value)}], "isError": is_error}


async def _json(send: Send, status: int, body: object) -> None:
    await send_response(send, status, [JSON, _UNSEEN], orjson.dumps(body))
