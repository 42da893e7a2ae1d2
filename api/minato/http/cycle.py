"""One request and its answer over HTTP/1.1, written to the client in as few pieces as the application gives.

Uvicorn's cycle writes the head and the body of an answer by themselves: two system calls and two packets. Here the head
waits for the first piece of the body, which the application sends right behind it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import HEADER_RE, STATUS_LINE, RequestResponseCycle

from minato.http.asgi import JSON, ASGIApp, Header, Message, Receive, Scope, Send, send_response

LENGTH, ENCODING, CONNECTION = b"content-length: ", b"transfer-encoding: ", b"connection: "
FRAMING = frozenset({LENGTH, ENCODING, CONNECTION})
END = b"\r\n"
# No value holds one of these; a tab is none of them.
CONTROLS = bytes({*range(32), 127} - {9})
MOST_NAMES = 500
CUT_OFF = b'{"message":"The server ended before the answer was there"}'
COME_BACK: tuple[Header, ...] = (JSON, (b"retry-after", b"1"), (b"connection", b"close"))
# More than this is not copied only to be sent in one piece.
JOINED_BYTES = 64 * 1024


class HeaderNames:
    """Names of headers as they are written; the `known` are looked up, for a server uses a few dozen of them."""

    def __init__(self) -> None:
        self.known: dict[bytes, bytes] = {}

    def written(self, name: bytes) -> bytes:
        """`name` in lower case, with its colon. Raises RuntimeError for what is no name.

        >>> HeaderNames().written(b"Content-Type")
        b'content-type: '
        """
        if HEADER_RE.search(name):
            raise RuntimeError("Invalid HTTP header name.")
        known = name.lower() + b": "
        if len(self.known) < MOST_NAMES:
            self.known[name] = known
        return known


class Cycle(RequestResponseCycle):
    """A cycle whose head leaves with the first piece of the body. `names` are the server's."""

    def __init__(self, names: HeaderNames, *given: Any) -> None:
        super().__init__(*given)
        self._names = names
        self._head = b""

    async def run_asgi(self, app: ASGIApp) -> None:  # type: ignore[override]
        """Have the request answered; what the server's end leaves no more time for is no error of the application."""
        await super().run_asgi(partial(self._until_cut_off, app))

    async def _until_cut_off(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not task.cancelling():
                raise
            if not self.response_started:
                await send_response(send, 503, COME_BACK, CUT_OFF)
            elif not self.response_complete:
                self.disconnected = True
                self.transport.abort()

    async def send(self, message: Message) -> None:  # type: ignore[override]
        """Take the next ASGI message of the answer. Raises RuntimeError for one that can't follow."""
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        kind = message["type"]
        if not self.response_started:
            if kind != "http.response.start":
                raise RuntimeError(f"Expected ASGI message 'http.response.start', but got '{kind}'.")
            self.response_started = True
            self.waiting_for_100_continue = False
            self._head = self._written(message["status"], message.get("headers", ()))
        elif self.response_complete:
            raise RuntimeError(f"Unexpected ASGI message '{kind}' sent, after response already completed.")
        elif kind != "http.response.body":
            raise RuntimeError(f"Expected ASGI message 'http.response.body', but got '{kind}'.")
        else:
            self._send_piece(message.get("body", b""), message.get("more_body", False))

    def _send_piece(self, body: bytes, more_body: bool) -> None:
        if self.scope["method"] == "HEAD":
            self.expected_content_length, body = 0, b""
        elif self.chunked_encoding:
            last = b"" if more_body else b"0\r\n\r\n"
            body = b"".join((b"%x\r\n" % len(body), body, b"\r\n", last)) if body else last
        elif len(body) > self.expected_content_length:
            raise RuntimeError("Response content longer than Content-Length")
        else:
            self.expected_content_length -= len(body)
        self._write(body)
        if not more_body:
            self._complete()

    def _write(self, body: bytes) -> None:
        head, self._head = self._head, b""
        if head and len(body) > JOINED_BYTES:
            self.transport.write(head)
        elif head:
            body = head + body
        self.transport.write(body)

    def _complete(self) -> None:
        if self.expected_content_length:
            raise RuntimeError("Response content shorter than Content-Length")
        self.response_complete = True
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()

    def _written(self, status: int, headers: Iterable[Header]) -> bytes:
        """The head of an answer as bytes. Raises RuntimeError for a header that can't be one."""
        lines, values, closes, names = [STATUS_LINE[status]], [], False, self._names
        for name, value in (*self.default_headers, *headers):
            written = names.known.get(name) or names.written(name)
            if written in FRAMING:
                closes |= self._framed(written, value)
            lines += (written, value, END)
            values.append(value)
        _require_sendable(b"".join(values))
        if not self.keep_alive and not closes:
            lines.append(b"connection: close\r\n")
        if self.chunked_encoding is None and self.scope["method"] != "HEAD" and status not in (204, 304):
            # Neither content-length nor transfer-encoding was given.
            self.chunked_encoding = True
            lines.append(b"transfer-encoding: chunked\r\n")
        lines.append(END)
        return b"".join(lines)

    def _framed(self, name: bytes, value: bytes) -> bool:
        """Take note of a header that says where the answer ends; whether it ends the connection."""
        if name == LENGTH and self.chunked_encoding is None:
            self.expected_content_length = int(value)
            self.chunked_encoding = False
        elif name == ENCODING and value.lower() == b"chunked":
            self.expected_content_length = 0
            self.chunked_encoding = True
        elif name == CONNECTION and b"close" in [token.strip() for token in value.lower().split(b",")]:
            self.keep_alive = False
            return True
        return False


def _require_sendable(values: bytes) -> None:
    """Refuse what would end a line, and so begin a header of its own. Raises RuntimeError."""
    if len(values.translate(None, CONTROLS)) != len(values):
        raise RuntimeError("Invalid HTTP header value.")
