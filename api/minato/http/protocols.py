"""Uvicorn's protocols for HTTP and websockets, with an eye on who is connected: uvicorn itself waits for ever."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import termios
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

import httptools
import uvicorn
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from minato.config.connections import ConnectionSettings
from minato.http.asgi import ABORT
from minato.http.connections import Connections, Duty, Pace, Standing
from minato.http.cycle import Cycle, HeaderNames

FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 20\r\n"
    b"retry-after: 1\r\nconnection: close\r\n\r\nToo many connections"
)
TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: 24\r\nconnection: close\r\n\r\nThe headers are too long"
)
# Bytes of a head, or behind a body, from which on they are refused. They are counted as they come, with what stands
# before them in the same piece, of which asyncio reads 256 KiB at most: what fits into that always comes in.
LONGEST_HEAD = 512 * 1024


class GuardedConfig(uvicorn.Config):
    """How every server of ours is served; `connections` are those of the one server that uses it."""

    def __init__(self, app: Any, settings: ConnectionSettings, trusted: list[str] | None = None, **more: Any) -> None:
        self.connections = Connections(settings, trusted or ())
        self.header_names = HeaderNames()
        # Whoever is connected may end what was begun, and is asked to come back to another process.
        self.retiring = False
        super().__init__(
            app,
            http=HttpConnection,
            # Uvicorn would only know it by a coroutine function; an app that hands on to the next one need be none.
            interface="asgi3",
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
    # Whether nothing has come since the last answer or the beginning, and since when.
    _waits = False
    _idle_since = 0.0
    # Whether a head is being read, and how much came that is kept until it is whole.
    _reads_head = False
    _unfinished = 0
    _extensions: dict[str, dict[object, object]]

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, or say that there is no room."""
        super().connection_made(transport)
        self._extensions = {ABORT: {"now": self.abort}}
        send_at_once(transport)
        if self.config.connections.admit(self):
            self._wait_for_a_request()
        else:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.connections.leave(self)
        super().connection_lost(exc)
        self._end_timer()

    def handle_websocket_upgrade(self) -> None:
        """From here on another protocol has the connection."""
        self.config.connections.leave(self)
        self._end_timer()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Read on, unless what has no end yet is too long."""
        self._unfinished += len(data)
        super().data_received(data)
        if self._unfinished > LONGEST_HEAD and not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(TOO_LONG)
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._reads_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. What stands behind a body is none: a proxy judges, and writes, what stands before it."""
        if self._reads_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin the request, or let it wait for the answer to the one before."""
        self._reads_head, self._unfinished = False, 0
        parser, scope = self.parser, self.scope
        version = parser.get_http_version()
        scope["method"] = parser.get_method().decode("ascii")
        scope["extensions"] = self._extensions
        if version != "1.1":
            scope["http_version"] = version
        if parser.should_upgrade() and self._should_upgrade():
            return
        url = httptools.parse_url(self.url)
        path = url.path.decode("ascii")
        scope["path"] = unquote(path) if "%" in path else path
        scope["raw_path"] = url.path
        scope["query_string"] = url.query or b""
        keep_alive = version != "1.0" and parser.should_keep_alive() and not self.config.retiring
        before, self.cycle = self.cycle, self._new_cycle(keep_alive)
        if before is None or before.response_complete:
            self._start_asgi_task(self.cycle, self.app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

    def _new_cycle(self, keep_alive: bool) -> Cycle:
        return Cycle(
            self.config.header_names,
            self.scope,
            self.transport,
            self.flow,
            self.logger,
            self.access_logger,
            False,
            self.server_state.default_headers,
            asyncio.Event(),
            self.expect_100_continue,
            keep_alive,
            self.on_response_complete,
        )

    def on_response_complete(self) -> None:
        """Go on with the next request, or wait for one."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        else:
            self._wait_for_a_request()

    def _wait_for_a_request(self) -> None:
        """Clients open connections for later, so the first request has the time of any other. One timer waits for many
        of them: it looks when it ends."""
        self._waits, self._idle_since = True, self.loop.time()
        if self.timeout_keep_alive_task is None:
            self._wait_for(self.timeout_keep_alive)

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection, if it has waited for long enough."""
        self.timeout_keep_alive_task = None
        left = self._idle_since + self.timeout_keep_alive - self.loop.time()
        if self._waits and left > 0:
            self._wait_for(left)
        elif self._waits:
            super().timeout_keep_alive_handler()

    def _wait_for(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(seconds, self.timeout_keep_alive_handler)

    def _unset_keepalive_if_required(self) -> None:
        # Uvicorn would cancel its timer here, and set it again behind the answer.
        self._waits = False

    def _end_timer(self) -> None:
        if self.timeout_keep_alive_task is not None:
            self.timeout_keep_alive_task.cancel()
            self.timeout_keep_alive_task = None

    def on_body(self, body: bytes) -> None:
        self.body_bytes += len(body)
        self._unfinished = 0
        super().on_body(body)

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
            return None if self._waits else Standing(Duty.SEND_HEADERS, self.cycle, 0)
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

    def shutdown(self) -> None:
        """Close it with 1012; of a process that retires not before it is open: a refusal is an error to its client."""
        if self.handshake_complete or not self.config.retiring:
            super().shutdown()

    async def send(self, message: ASGISendEvent) -> None:
        """Send it; whoever is let in by a process that retires is asked at once to come to another."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            # Refused is done with, too: uvicorn would log an error for each that a stranger asks for.
            self.handshake_complete = True
        if self.config.retiring and message["type"] == "websocket.accept":
            super().shutdown()

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
