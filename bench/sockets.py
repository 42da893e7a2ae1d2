"""Thousands of Phoenix clients in one process: websockets by hand, or a client library would be what is measured."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import struct
from collections.abc import Callable
from typing import Any

Take = Callable[[bytes], None]
"""Gets the payload of every frame that is not the reply of a join or a system message."""

HANDSHAKE_END = b"\r\n\r\n"
FINAL, TEXT, CLOSE, PING, PONG = 0x80, 0x1, 0x8, 0x9, 0xA


def masked(payload: bytes, opcode: int = TEXT) -> bytes:
    """A frame of a client. The mask is zero: it hides nothing and costs nothing."""
    size = len(payload)
    if size < 126:
        head = bytes((FINAL | opcode, 0x80 | size))
    elif size < 1 << 16:
        head = bytes((FINAL | opcode, 0x80 | 126)) + struct.pack(">H", size)
    else:
        head = bytes((FINAL | opcode, 0x80 | 127)) + struct.pack(">Q", size)
    return head + b"\0\0\0\0" + payload


class Client(asyncio.Protocol):
    """One socket that joins one topic. `ready` once the join is answered and, with row changes, once they flow."""

    def __init__(self, request: bytes, topic: str, join: dict[str, Any], take: Take) -> None:
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = loop.create_future()
        self.lost: asyncio.Future[None] = loop.create_future()
        self.closed_with: int | None = None
        self._request = request
        self._topic = topic
        self._join = join
        self._take = take
        self._wanted = b"Subscribed to PostgreSQL" if "postgres_changes" in join["config"] else b'"phx_reply"'
        self._buffer = b""
        self._is_open = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(ConnectionError("closed before it was ready"))
        if not self.lost.done():
            self.lost.set_result(None)

    def push(self, event: str, payload: Any, ref: str | None = None) -> None:
        """Send a message to the joined topic."""
        assert self._transport is not None
        self._transport.write(masked(json.dumps(["1", ref, self._topic, event, payload]).encode()))

    def beat(self) -> None:
        """Send a heartbeat, so that the server does not take us for dead."""
        assert self._transport is not None
        self._transport.write(masked(b'[null,"h","phoenix","heartbeat",{}]'))

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        position = 0
        if not self._is_open:
            end = buffer.find(HANDSHAKE_END)
            if end < 0:
                self._buffer = buffer
                return
            position = self._opened(buffer, end)
        while (frame := frame_at(buffer, position)) is not None:
            opcode, (start, end) = buffer[position] & 0xF, frame
            self._heard(opcode, buffer[start:end])
            position = end
        self._buffer = buffer[position:]

    def _opened(self, answer: bytes, end: int) -> int:
        if not answer.startswith(b"HTTP/1.1 101"):
            self.ready.set_exception(ConnectionError(answer[:60].decode(errors="replace")))
        self._is_open = True
        self.push("phx_join", self._join, "1")
        return end + len(HANDSHAKE_END)

    def _heard(self, opcode: int, payload: bytes) -> None:
        if opcode == PING:
            assert self._transport is not None
            self._transport.write(masked(payload, PONG))
        elif opcode == CLOSE:
            self.closed_with = int.from_bytes(payload[:2])
        elif self.ready.done():
            self._take(payload)
        elif self._wanted in payload:
            self.ready.set_result(None)


def frame_at(buffer: bytes, position: int) -> tuple[int, int] | None:
    """Where the payload of the server's frame at `position` starts and ends; None while it is not all there."""
    if len(buffer) < position + 2:
        return None
    size, start = buffer[position + 1], position + 2
    if size == 126:
        if len(buffer) < start + 2:
            return None
        (size,), start = struct.unpack_from(">H", buffer, start), start + 2
    elif size == 127:
        if len(buffer) < start + 8:
            return None
        (size,), start = struct.unpack_from(">Q", buffer, start), start + 8
    return (start, start + size) if len(buffer) >= start + size else None


async def connect(
    url: str, key: str, topic: str, config: dict[str, Any], take: Take, token: str | None = None
) -> Client:
    """A socket of protocol version 2.0.0 that is joining `topic`; await its `ready`."""
    host, _, port = url.removeprefix("http://").partition(":")
    nonce = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET /realtime/v1/websocket?apikey={key}&vsn=2.0.0 HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {nonce}\r\n\r\n"
    ).encode()
    join = {"config": config, **({"access_token": token} if token else {})}
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(lambda: Client(request, f"realtime:{topic}", join, take), host, int(port))
    return client
