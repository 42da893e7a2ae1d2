"""Uvicorn's protocols for HTTP and websockets, with an eye on who is connected: uvicorn itself waits for ever."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import termios
from contextlib import suppress
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from minato.config.connections import ConnectionSettings
from minato.http.connections import Connections, Duty, Pace, Standing

FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 20\r\n"
    b"retry-after: 1\r\nconnection: close\r\n\r\nToo many connections"
)
ELSEWHERE = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 10\r\n"
    b"retry-after: 0\r\nconnection: close\r\n\r\nRestarting"
)


class GuardedConfig(uvicorn.Config):
    """How every server of ours is served; `connections` are those of the one server that uses it."""

    def __init__(self, app: Any, settings: ConnectionSettings, trusted: list[str] | None = None, **more: Any) -> None:
        self.connections = Connections(settings, trusted or ())
        # Whoever is connected may end what was begun, and is asked to come back to another process.
        self.retiring = False
        super().__init__(
            app,
            http=HttpConnection,
            timeout_keep_alive=settings.keep_alive_timeout,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            # Whose X-Forwarded-* counts is the gateway's to say; uvicorn would believe every loopback peer.
            proxy_headers=False,
            ws_per_message_deflate=False,
            **{"ws": SocketConnection, **more},
        )


class HttpConnection(HttpToolsProtocol):
    """A `Connection` that speaks HTTP."""

    pace: Pace | None = None
    body_bytes = 0
    config: GuardedConfig

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, or say that there is no room."""
        super().connection_made(transport)
        send_at_once(transport)
        if not self.config.connections.admit(self):
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.connections.leave(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """From here on another protocol has the connection."""
        self.config.connections.leave(self)
        if self.config.retiring:
            # The process that takes this place is the one to speak to for long.
            self.transport.write(ELSEWHERE)
            self.transport.close()
            return
        super().handle_websocket_upgrade()

    def on_body(self, body: bytes) -> None:
        self.body_bytes += len(body)
        super().on_body(body)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        if self.config.retiring and self.cycle is not None:
            self.cycle.keep_alive = False

    def shutdown(self) -> None:
        """End the connection; a process that retires lets it, so that no request meets a closed one: what has not begun
        to be answered is answered with `connection: close`, and who is silent has the time that anybody has."""
        if not self.config.retiring:
            super().shutdown()
        elif self.cycle is not None and not self.cycle.response_started:
            self.cycle.keep_alive = False

    @property
    def is_idle(self) -> bool:
        answered = self.cycle is None or self.cycle.response_complete
        return answered and not self.transport.get_write_buffer_size()

    def standing(self) -> Standing | None:
        """An answer that waits comes first: nothing else goes on before it is taken."""
        if self.transport.get_write_buffer_size():
            return Standing(Duty.TAKE_ANSWER, None, -untaken(self.transport))
        if self.is_idle:
            waits = self.timeout_keep_alive_task is not None
            return None if waits else Standing(Duty.SEND_HEADERS, self.cycle, 0)
        if self.cycle.more_body and not (self.flow.read_paused or self.cycle.waiting_for_100_continue):
            return Standing(Duty.SEND_BODY, self.cycle, self.body_bytes)
        return None

    def abort(self) -> None:
        self.transport.abort()


class SocketConnection(WebSocketsSansIOProtocol):
    """A `Connection` that became a websocket. Whether its client is still there, uvicorn's pings find out."""

    pace: Pace | None = None
    is_idle = False
    config: GuardedConfig

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It takes the place of the HTTP connection it was."""
        super().connection_made(transport)
        self.config.connections.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.connections.leave(self)
        super().connection_lost(exc)

    def standing(self) -> Standing | None:
        if self.transport.get_write_buffer_size():
            return Standing(Duty.TAKE_FRAMES, None, -untaken(self.transport))
        return None

    def abort(self) -> None:
        self.transport.abort()


def send_at_once(transport: asyncio.Transport) -> None:
    """Without Nagle's wait: a head and its body are two writes, and who waits for the first to be acknowledged before
    the second leaves waits for a client that acknowledges after 40 ms. asyncio sees to it itself only where the
    listening socket was made with the protocol's number, which `socket.create_server` leaves out.
    """
    with suppress(OSError, AttributeError):
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def untaken(transport: asyncio.Transport) -> int:
    """Bytes that the client has not taken yet: ours, and the kernel's, which come to megabytes and move in leaps."""
    waiting = transport.get_write_buffer_size()
    try:
        kernel = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
    except (OSError, AttributeError, ValueError):
        return waiting
    return waiting + int(struct.unpack("i", kernel)[0])
