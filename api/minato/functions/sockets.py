"""A websocket between a client and a function, which accepts it with `Deno.upgradeWebSocket`."""

from __future__ import annotations

import asyncio

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.frames import Close
from websockets.http11 import Response
from websockets.typing import Subprotocol

from minato.background import ended
from minato.functions.headers import answer_headers, request_headers
from minato.functions.proxy import NoAnswer, Served
from minato.http.asgi import Header, Receive, Scope, Send

_LARGEST_MESSAGE = 16 * 1024 * 1024
# Codes that close a socket and are never sent.
_UNSENT = {1005: 1000, 1006: 1011, 1015: 1011}
_BROKEN_OFF = Close(1006, "")
# How uvicorn tells of a connection that is lost; a client that closes with no code has a reason, if an empty one.
_LOST = (1005, 1006)


async def relay(scope: Scope, receive: Receive, send: Send, child: Served) -> None:
    """Until one side closes. Raises `NoAnswer` as long as the client was told nothing."""
    try:
        upstream = await _open(scope, child)
    except InvalidStatus as refused:
        response = refused.response
        await refuse(scope, send, response.status_code, _headers(response), bytes(response.body))
        return
    except (OSError, InvalidHandshake) as error:
        raise NoAnswer from error
    await send({"type": "websocket.accept", "subprotocol": upstream.subprotocol, "headers": _of_answer(upstream)})
    tasks = (
        asyncio.create_task(_to_client(upstream, send), name="function socket out"),
        asyncio.create_task(_to_function(receive, upstream), name="function socket in"),
    )
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await ended(*tasks)
        await upstream.close()


async def refuse(scope: Scope, send: Send, status: int, headers: list[Header], body: bytes) -> None:
    """An answer instead of a socket, where the server can send one."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})


async def _open(scope: Scope, child: Served) -> ClientConnection:
    headers = [header for header in request_headers(scope, child.passing) if not _is_of_handshake(header[0])]
    host = next(value for name, value in request_headers(scope, child.passing) if name == b"host").decode()
    query: bytes = scope["query_string"]
    target = (scope["raw_path"] + (b"?" + query if query else b"")).decode("latin-1")
    return await connect(
        f"ws://{host}{target}",
        host="127.0.0.1",
        port=child.port,
        proxy=None,
        compression=None,
        user_agent_header=None,
        max_size=_LARGEST_MESSAGE,
        ping_interval=None,
        subprotocols=[Subprotocol(name) for name in scope.get("subprotocols", [])] or None,
        additional_headers=[(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers],
    )


def _of_answer(upstream: ClientConnection) -> list[Header]:
    assert upstream.response is not None
    return [header for header in _headers(upstream.response) if not _is_of_handshake(header[0])]


def _headers(response: Response) -> list[Header]:
    return answer_headers((name.encode(), value.encode("latin-1")) for name, value in response.headers.raw_items())


def _is_of_handshake(name: bytes) -> bool:
    return name == b"host" or name.startswith(b"sec-websocket-")


async def _to_client(upstream: ClientConnection, send: Send) -> None:
    try:
        while True:
            message = await upstream.recv()
            kind = "text" if isinstance(message, str) else "bytes"
            await send({"type": "websocket.send", kind: message})
    except ConnectionClosed as error:
        # What it said, or what we said of a message that was too large.
        closing = error.rcvd or error.sent or _BROKEN_OFF
        code = _UNSENT.get(closing.code, closing.code)
        await send({"type": "websocket.close", "code": code, "reason": closing.reason})


async def _to_function(receive: Receive, upstream: ClientConnection) -> None:
    try:
        while (message := await receive())["type"] == "websocket.receive":
            text = message.get("text")
            await upstream.send(text if text is not None else message["bytes"])
    except ConnectionClosed:
        return
    if "reason" not in message and message.get("code") in _LOST:
        # Its client is gone without a word, and so are we.
        upstream.transport.abort()
        return
    code = message.get("code") or 1005
    await upstream.close(_UNSENT.get(code, code), message.get("reason") or "")
