"""Sends inputs to a running server and notes what must not happen: 5xx, lost connections, late answers."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httptools
import websockets

from tests.security.fuzz.rooms import Call, Frame, Input, make_input

LONGEST_ANSWER = 20.0
WORKERS = 8
HONEST = 501
# Ways to end a socket that the contract knows: too large a frame, a restart, text that is no UTF-8.
ORDERLY = (1000, 1001, 1003, 1007, 1009, 1012)
CRASHES = ("channel_crash", "Unknown Error on Channel")


@dataclass
class Outcome:
    """How it went: answers by status, and what was found wrong, by number of the input."""

    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[tuple[int, str]] = field(default_factory=list)


class Lost(Exception):
    """The server closed without an answer."""


async def drive(url: str, tokens: Mapping[str, str], seed: int, numbers: range) -> Outcome:
    """Send the inputs of these numbers; each worker has a connection and a socket."""
    outcome, waiting = Outcome(), iter(numbers)
    async with asyncio.TaskGroup() as group:
        for _ in range(WORKERS):
            group.create_task(Worker(url, tokens, seed, outcome).run(waiting))
    return outcome


class Worker:
    """One client after the other."""

    def __init__(self, url: str, tokens: Mapping[str, str], seed: int, outcome: Outcome) -> None:
        self._url = url
        self._tokens = tokens
        self._seed = seed
        self._outcome = outcome
        self._line: Line | None = None
        self._socket: websockets.ClientConnection | None = None

    async def run(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            wrong = await self._judge(make_input(self._seed, number))
            if wrong is not None:
                self._outcome.wrong.append((number, wrong))
        if self._line is not None:
            self._line.close()
        if self._socket is not None:
            await self._socket.close()

    async def _judge(self, given: Input) -> str | None:
        """What was wrong with the answer."""
        try:
            async with asyncio.timeout(LONGEST_ANSWER):
                return await (self._call(given) if isinstance(given, Call) else self._frame(given))
        except TimeoutError:
            self._line = self._socket = None
            return f"no answer within {LONGEST_ANSWER:g} s"
        except Lost:
            return "closed without an answer"

    async def _call(self, call: Call) -> str | None:
        content = self._written(call)
        status = await self._ask(content, call.method == "HEAD")
        self._outcome.statuses[status] += 1
        return f"status {status}" if status >= 500 and status != HONEST else None

    async def _ask(self, content: bytes, head: bool) -> int:
        if self._line is not None:
            try:
                return await self._line.ask(content, head)
            except Lost:
                # It may have been closed after the answer before: a new connection tells.
                self._line = None
        self._line = await Line.open(self._url)
        try:
            return await self._line.ask(content, head)
        except Lost:
            self._line = None
            raise

    def _written(self, call: Call) -> bytes:
        token = self._tokens.get(call.caller)
        headers = [(b"host", b"localhost"), *call.headers]
        if token is not None:
            headers += [(b"apikey", self._tokens["anon"].encode()), (b"authorization", b"Bearer " + token.encode())]
        if call.body:
            headers.append((b"content-length", str(len(call.body)).encode()))
        lines = [call.method.encode() + b" " + call.target + b" HTTP/1.1", *(b": ".join(pair) for pair in headers)]
        return b"\r\n".join([*lines, b"", call.body])

    async def _frame(self, frame: Frame) -> str | None:
        """Send it, then ask for a sign of life."""
        try:
            if self._socket is None:
                path = f"/realtime/v1/websocket?vsn=2.0.0&apikey={self._tokens['anon']}"
                address = self._url.replace("http", "ws") + path
                self._socket = await websockets.connect(address, max_size=None)
            await self._socket.send(frame.content)
            await self._socket.send(json.dumps([None, "fuzz", "phoenix", "heartbeat", {}]))
            while True:
                heard = await self._socket.recv()
                if isinstance(heard, str) and any(crash in heard for crash in CRASHES):
                    return heard
                if isinstance(heard, str) and heard.startswith('[null,"fuzz","phoenix"'):
                    return None
        except websockets.ConnectionClosed as closed:
            self._socket = None
            code = closed.rcvd.code if closed.rcvd else None
            return None if code in ORDERLY else f"socket closed with {code}"


class Line(asyncio.Protocol):
    """A connection that is kept for the next request, if the server keeps it."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[int] | None = None
        self._parser: httptools.HttpResponseParser | None = None
        self._head = False

    @classmethod
    async def open(cls, url: str) -> Line:
        parts = urlsplit(url)
        _, line = await asyncio.get_running_loop().create_connection(cls, parts.hostname or "", parts.port or 80)
        return line

    async def ask(self, content: bytes, head: bool) -> int:
        """The status of the answer, once it is there as a whole. Raises Lost."""
        if self._transport is None or self._transport.is_closing():
            raise Lost
        self._answer = asyncio.get_running_loop().create_future()
        self._parser, self._head = httptools.HttpResponseParser(self), head
        self._transport.write(content)
        return await self._answer

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self._parser is None:
            # More than one answer to what was meant as one request: a mutation wrote another one.
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(None)

    def on_headers_complete(self) -> None:
        assert self._parser is not None
        status = self._parser.get_status_code()
        if self._head and status >= 200:
            self._end(status)
            self.close()

    def on_message_complete(self) -> None:
        if self._parser is None:
            return
        status = self._parser.get_status_code()
        if status < 200:
            self._parser = httptools.HttpResponseParser(self)
            return
        keeps = self._parser.should_keep_alive()
        self._end(status)
        if not keeps:
            self.close()

    def _end(self, status: int | None) -> None:
        answer, self._answer = self._answer, None
        self._parser = None
        if answer is None or answer.done():
            return
        if status is None:
            answer.set_exception(Lost())
        else:
            answer.set_result(status)
