"""JSON-RPC 2.0 as the Model Context Protocol has it, of both its eras on one address.

Up to 2025-11-25 a client begins with `initialize`; from 2026-07-28 on each request says by itself which version it
speaks, in `_meta` and in headers that have to agree with it. Here no request knows of another in either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from minato import __version__
from minato.json_text import JsonObject

STATELESS: Final = "2026-07-28"
# Newest first: it is offered to who asks for another.
HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26")
VERSIONS: Final = (STATELESS, *HANDSHAKE)
# The last of them in which several messages may come as one.
WITH_BATCHES: Final = HANDSHAKE[-1]
VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
_STATUS: Final = {INTERNAL_ERROR: 200, NO_METHOD: 404}
_SERVER: Final = {"name": "minato", "title": "Minato", "version": __version__}
_CAPABILITIES: Final[Mapping[str, object]] = {"tools": {"listChanged": False}}
INSTRUCTIONS: Final = """
A local Supabase-compatible backend for development. Nothing here is production.

- Look with `list_tables` before you change a schema, and change it with `apply_migration`, which writes the project's
  migration file, not with `execute_sql`.
- When a request is refused or finds no rows, ask `why`: it names the policy, the row and the values.
- Try what could go wrong on a branch: `create_branch`, then give its id as `project_id`; `delete_branch` ends it.
- `get_advisors` after changes of the schema, `list_messages` for mails and codes, `set_clock` for what happens later.
""".strip()


class RpcError(Exception):
    """What is answered instead of a result."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data

    @property
    def status(self) -> int:
        """Of the HTTP answer that brings it in the stateless era."""
        return _STATUS.get(self.code, 400)

    def as_json(self, id_: object) -> JsonObject:
        data = {"data": self.data} if self.data is not None else {}
        return {"jsonrpc": "2.0", "id": id_, "error": {"code": self.code, "message": str(self), **data}}


@dataclass(frozen=True)
class Request:
    """One call. `is_stateless`: it is of the newer era."""

    id: str | int
    method: str
    params: JsonObject = field(default_factory=dict)
    is_stateless: bool = False

    def result(self, content: JsonObject) -> JsonObject:
        """The answer that brings `content`."""
        if self.is_stateless:
            content = {"resultType": "complete", **content, "_meta": {SERVER_KEY: _SERVER}}
        return {"jsonrpc": "2.0", "id": self.id, "result": content}


def request_of(message: object, headers: Mapping[str, str]) -> Request | None:
    """The request; None for what wants no answer. Raises RpcError."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, "A message is a JSON object of JSON-RPC 2.0")
    method, id_, params = message.get("method"), message.get("id"), message.get("params", {})
    if method is None and ("result" in message or "error" in message):
        return None
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "A request names its method")
    if "id" not in message:
        return None
    if isinstance(id_, bool) or not isinstance(id_, str | int):
        raise RpcError(INVALID_REQUEST, "A request's id is a string or a number")
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "The parameters are an object")
    return Request(id_, method, params, _is_stateless(method, params, headers))


def _is_stateless(method: str, params: JsonObject, headers: Mapping[str, str]) -> bool:
    """Whether it is of the newer era, and agrees with itself. Raises RpcError."""
    meta, told = params.get("_meta"), headers.get("mcp-protocol-version")
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if version is None and method != "server/discover" and told != STATELESS:
        if told is not None and told not in HANDSHAKE and method != "initialize":
            raise RpcError(INVALID_REQUEST, f"Unsupported protocol version {told[:40]}; known: {', '.join(VERSIONS)}")
        return False
    if version is None or not isinstance(meta, dict) or not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise RpcError(INVALID_PARAMS, f"params._meta lacks {VERSION_KEY} or {CAPABILITIES_KEY}")
    if told != version or headers.get("mcp-method") != method:
        raise RpcError(HEADER_MISMATCH, "MCP-Protocol-Version and Mcp-Method say what the body says")
    name = params.get("name")
    if method == "tools/call" and name is not None and headers.get("mcp-name") != name:
        raise RpcError(HEADER_MISMATCH, "Mcp-Name says what the body says")
    if version != STATELESS:
        data = {"supported": list(VERSIONS), "requested": version}
        raise RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)
    return True


def initialized(params: JsonObject) -> JsonObject:
    """The answer to `initialize`: the version that was asked for, where there is one, else our newest."""
    asked = params.get("protocolVersion")
    version = asked if asked in HANDSHAKE else HANDSHAKE[0]
    return {
        "protocolVersion": version,
        "capabilities": _CAPABILITIES,
        "serverInfo": _SERVER,
        "instructions": INSTRUCTIONS,
    }


def discovered() -> JsonObject:
    """The answer to `server/discover`."""
    told = {"supportedVersions": list(VERSIONS), "capabilities": _CAPABILITIES, "instructions": INSTRUCTIONS}
    return {**told, **uncached()}


def uncached() -> JsonObject:
    """What the newer era wants to know of a list."""
    return {"ttlMs": 0, "cacheScope": "private"}
