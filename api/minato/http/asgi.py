"""ASGI by hand: reading a body within a limit, sending an answer in one piece.

A framework's route costs more than the whole work of a small request, so the hot paths use these.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any

from minato.http.errors import BodyTooLarge, ClientLeft

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

# The extension of our server that ends the connection at once.
ABORT = "minato.abort"
JSON: Header = (b"content-type", b"application/json; charset=utf-8")


def abort_connection(scope: Scope) -> None:
    """Let the client see its connection reset, where the server is ours."""
    extension = scope.get("extensions", {}).get(ABORT)
    if extension is not None:
        extension["now"]()


async def read_body(receive: Receive, limit: int, take: Callable[[int], None] | None = None) -> bytes:
    """The whole request body. Raises BodyTooLarge over `limit` bytes, ClientLeft when it ended too early.

    `take` hears of the bytes that are kept while the rest is waited for, and may raise.
    """
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientLeft
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise BodyTooLarge
        is_last = not message.get("more_body", False)
        if take is not None and (chunks or not is_last):
            take(len(chunk))
        chunks.append(chunk)
        if is_last:
            break
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


async def send_response(send: Send, status: int, headers: Iterable[Header] = (), body: bytes = b"") -> None:
    """One whole answer, with its Content-Length; 204 and 304 have neither body nor length."""
    bodiless = status in (204, 304)
    sent = list(headers)
    if not bodiless:
        sent.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": sent})
    await send({"type": "http.response.body", "body": b"" if bodiless else body})


def adding(added: Sequence[Header], send: Send) -> Send:
    """A `send` whose answers carry `added`; a header that the answer sets by itself stays as it is."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            present = {name.lower() for name, _ in headers}
            message["headers"] = headers + [header for header in added if header[0] not in present]
        await send(message)

    return sending


def header_map(scope: Scope) -> dict[str, str]:
    """The request headers by lower-case name; of a repeated one the last stays. HTTP reads them as Latin-1."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def client_address(scope: Scope) -> str:
    """Where the request comes from; empty for a socket without addresses."""
    client = scope.get("client")
    return str(client[0]) if client else ""
