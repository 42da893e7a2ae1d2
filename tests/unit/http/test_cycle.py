"""What an answer costs the connection, and what may not leave by it: requests as bytes, answers on a counting stub."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from minato.config.connections import ConnectionSettings
from minato.http.asgi import Header, Receive, Scope, Send, send_response
from minato.http.protocols import GuardedConfig, HttpConnection
from uvicorn.server import ServerState

from tests.support.waiting import until

REQUEST = b"GET /cars?id=eq.1 HTTP/1.1\r\nhost: here\r\n\r\n"
PLAIN: Header = (b"Content-Type", b"text/plain")
DATE: Header = (b"date", b"today")


class Wire:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.closed = False

    def get_extra_info(self, name: str, default: object = None) -> object:
        return ("127.0.0.1", 4711) if name in ("peername", "sockname") else default

    def write(self, data: bytes) -> None:
        if data:
            self.writes.append(data)

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        """Nothing comes by itself."""

    def resume_reading(self) -> None:
        """Nothing comes by itself."""


def connected(
    app: Callable[[Scope, Receive, Send], Any], wire: Wire, keep_alive: int = 60, loop: Any = None
) -> HttpConnection:
    config = GuardedConfig(app, ConnectionSettings(keep_alive_timeout=keep_alive), lifespan="off")
    config.load()
    state = ServerState()
    state.default_headers = [DATE]
    connection = HttpConnection(config, state, {}, loop)
    connection.connection_made(wire)  # type: ignore[arg-type]
    return connection


async def answered(connection: HttpConnection, request: bytes = REQUEST) -> None:
    connection.data_received(request)
    await until(lambda: connection.cycle.response_complete or connection.transport.is_closing())


async def test_an_answer_leaves_in_one_write() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_response(send, 200, [PLAIN], b"car")

    wire = Wire()
    connection = connected(app, wire)
    await answered(connection)
    head = b"HTTP/1.1 200 OK\r\ndate: today\r\ncontent-type: text/plain\r\ncontent-length: 3\r\n\r\n"
    assert wire.writes == [head + b"car"]
    connection.connection_lost(None)


async def test_the_pieces_of_a_streamed_answer_leave_as_they_come() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [PLAIN]})
        await send({"type": "http.response.body", "body": b"car", "more_body": True})
        await send({"type": "http.response.body", "body": b"s", "more_body": True})
        await send({"type": "http.response.body"})

    wire = Wire()
    connection = connected(app, wire)
    await answered(connection)
    first, *others = wire.writes
    assert first.endswith(b"transfer-encoding: chunked\r\n\r\n3\r\ncar\r\n")
    assert others == [b"1\r\ns\r\n", b"0\r\n\r\n"]
    connection.connection_lost(None)


async def test_the_answer_to_head_is_its_head_alone() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_response(send, 200, [PLAIN], b"car")

    wire = Wire()
    connection = connected(app, wire)
    await answered(connection, REQUEST.replace(b"GET", b"HEAD"))
    assert b"".join(wire.writes).endswith(b"content-length: 3\r\n\r\n")
    connection.connection_lost(None)


@pytest.mark.parametrize(
    "header",
    [(b"x-a", b"b\r\nset-cookie: c"), (b"x-a", b"b\r\n"), (b"x-a", b"b\n"), (b"x-a", b"\x00"), (b"x a", b"b")],
)
async def test_a_header_that_would_begin_another_is_never_sent(header: Header) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_response(send, 200, [header], b"car")

    wire = Wire()
    connection = connected(app, wire)
    await answered(connection)
    assert (wire.writes, wire.closed) == ([], True)
    connection.connection_lost(None)


@pytest.mark.parametrize("request_head", [b"GET / HTTP/1.0\r\nhost: here\r\n\r\n", REQUEST])
async def test_a_connection_that_ends_says_so(request_head: bytes) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        closing = [] if scope["http_version"] == "1.0" else [(b"Connection", b"Close")]
        await send_response(send, 200, [PLAIN, *closing], b"car")

    wire = Wire()
    connection = connected(app, wire)
    await answered(connection, request_head)
    assert b"".join(wire.writes).lower().count(b"connection: close\r\n") == 1
    assert wire.closed
    connection.connection_lost(None)


async def test_many_requests_on_one_connection_set_one_timer() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_response(send, 200, [PLAIN], b"car")

    timers: list[float] = []
    connection = connected(app, Wire(), loop=Counting(timers))
    for _ in range(20):
        await answered(connection)
    assert len(timers) == 1
    connection.connection_lost(None)


async def test_a_connection_is_closed_when_it_has_waited_since_the_last_answer() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_response(send, 200, [PLAIN], b"car")

    wire = Wire()
    timers: list[float] = []
    loop = Counting(timers)
    connection = connected(app, wire, loop=loop)
    await answered(connection)
    loop.now += 59
    await answered(connection)
    loop.now += 1
    connection.timeout_keep_alive_handler()
    assert (wire.closed, timers[1:]) == (False, [59])
    loop.now += 59
    connection.timeout_keep_alive_handler()
    assert wire.closed
    connection.connection_lost(None)


async def test_a_request_under_way_is_not_cut_off_by_the_timer() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_response(send, 200, [PLAIN], b"car")

    wire = Wire()
    loop = Counting([])
    connection = connected(app, wire, loop=loop)
    await answered(connection)
    connection.data_received(REQUEST[:20])
    loop.now += 600
    connection.timeout_keep_alive_handler()
    assert not wire.closed
    connection.connection_lost(None)


class Counting:
    """An event loop whose time is moved by hand, and whose timers are only counted."""

    def __init__(self, timers: list[float]) -> None:
        self._loop = asyncio.get_running_loop()
        self._timers = timers
        self.now = 1000.0
        self.create_task = self._loop.create_task

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        self._timers.append(seconds)
        return self._loop.call_later(3600, callback)


async def test_what_the_servers_end_cuts_off_is_told_to_come_back_and_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.Event().wait()

    wire = Wire()
    connection = connected(app, wire)
    connection.data_received(REQUEST)
    await cut_off(connection)
    (answer,) = wire.writes
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nretry-after: 1\r\n" in answer
    assert b"\r\nconnection: close\r\n" in answer
    assert wire.closed
    assert not caplog.records
    connection.connection_lost(None)


async def test_an_answer_that_the_servers_end_cuts_off_breaks_off_and_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [PLAIN]})
        await send({"type": "http.response.body", "body": b"ca", "more_body": True})
        await asyncio.Event().wait()

    wire = Wire()
    connection = connected(app, wire)
    connection.data_received(REQUEST)
    await cut_off(connection)
    assert wire.closed
    assert not b"".join(wire.writes).endswith(b"0\r\n\r\n")
    assert not caplog.records
    connection.connection_lost(None)


async def cut_off(connection: HttpConnection) -> None:
    """What uvicorn does at its end with requests that took longer than they had."""
    await asyncio.sleep(0)
    (task,) = connection.tasks
    task.cancel()
    await asyncio.wait([task])
