"""One request to a function's process and its answer back, both as streams, over a connection of its own."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final, Protocol

import h11

from minato.background import ended
from minato.functions.child import has_pulse
from minato.functions.headers import answer_headers, request_headers
from minato.http.asgi import Header, Receive, Scope, Send

_PIECE: Final = 64 * 1024
# That of the local gateway's buffers: supabase/cli internal/start/start.go.
_LARGEST_HEAD: Final = 160 * 1024
# How long the head of an answer waits for what comes behind it: a process that ends in between gave no answer yet.
_TOGETHER_SECONDS: Final = 0.05
# How long it waits beyond for the process to show that it goes on: it may be about to end, and the machine busy.
_ALIVE_SECONDS: Final = 1.0


class Served(Protocol):
    """A process that serves: where, the word by which it knows us, and why it gave no answer."""

    @property
    def port(self) -> int: ...

    @property
    def passing(self) -> str: ...

    async def cause(self) -> int:
        """The status for a process that gave no answer."""
        ...


class NoAnswer(Exception):
    """The process ended, or spoke no HTTP, before an answer began."""


class Silent(Exception):
    """It was silent for too long before an answer began."""


class Exchange:
    """One request and its answer. `begun` when the client has seen the head of the answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, idle_timeout: float | None) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._idle_timeout = idle_timeout
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LARGEST_HEAD)
        self._head: h11.Response | None = None
        self.begun = False

    async def run(self, child: Served) -> None:
        """Until the answer is through or the client has left, which ends the request in the function too.

        Raises `NoAnswer` and `Silent`, as long as nothing was answered; later the client sees a broken answer.
        """
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", child.port)
        except OSError as error:
            raise NoAnswer from error
        answering = asyncio.create_task(self._answer(reader, child), name="function answer")
        asking = asyncio.create_task(self._ask(writer, child.passing), name="function request")
        try:
            await asyncio.wait({answering, asking}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                answering.result()
            else:
                asking.result()
        finally:
            try:
                await ended(asking, answering)
            finally:
                writer.close()

    async def _ask(self, writer: asyncio.StreamWriter, passing: str) -> None:
        """Send the request; ends when the client has left, never before."""
        headers = request_headers(self._scope, passing)
        names = {name for name, _ in self._scope["headers"]}
        if b"content-length" not in names and b"transfer-encoding" in names:
            headers.append((b"transfer-encoding", b"chunked"))
        query: bytes = self._scope["query_string"]
        target = self._scope["raw_path"] + (b"?" + query if query else b"")
        head = h11.Request(method=self._scope["method"], target=target, headers=[*headers, (b"connection", b"close")])
        open_still = await self._write(writer, head)
        while (message := await self._receive())["type"] == "http.request":
            if open_still and message.get("body"):
                open_still = await self._write(writer, h11.Data(data=message["body"]))
            if open_still and not message.get("more_body", False):
                open_still = False
                await self._write(writer, h11.EndOfMessage())

    async def _write(self, writer: asyncio.StreamWriter, event: h11.Event) -> bool:
        """False when the function reads no more, which is its right."""
        try:
            writer.write(self._http.send(event) or b"")
            await writer.drain()
        except (OSError, h11.LocalProtocolError):
            return False
        return True

    async def _answer(self, reader: asyncio.StreamReader, child: Served) -> None:
        try:
            while True:
                event = self._http.next_event()
                if event is h11.NEED_DATA:
                    await self._receive_more(reader, child)
                elif isinstance(event, h11.Response):
                    self._head = event
                elif isinstance(event, h11.Data):
                    await self._begin()
                    await self._send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
                elif isinstance(event, h11.EndOfMessage):
                    await self._begin()
                    await self._send({"type": "http.response.body", "body": b""})
                    return
                elif not isinstance(event, h11.InformationalResponse):
                    raise NoAnswer
        except TimeoutError:
            raise Silent from None
        except (OSError, h11.RemoteProtocolError) as error:
            raise NoAnswer from error

    async def _receive_more(self, reader: asyncio.StreamReader, child: Served) -> None:
        """A head that nothing follows goes on alone: the client may wait for it before it does what leads to a body."""
        try:
            async with asyncio.timeout(self._idle_timeout if self._head is None else _TOGETHER_SECONDS):
                piece = await reader.read(_PIECE)
        except TimeoutError:
            if self._head is None:
                raise
            await self._begin_alone(reader, child)
        else:
            self._http.receive_data(piece)

    async def _begin_alone(self, reader: asyncio.StreamReader, child: Served) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_ALIVE_SECONDS):
                if not await has_pulse(child.port, child.passing):
                    # It has ended, which the connection tells in a moment; or it only takes no others any more.
                    self._http.receive_data(await reader.read(_PIECE))
                    return
        await self._begin()
        await self._send({"type": "http.response.body", "body": b"", "more_body": True})

    async def _begin(self) -> None:
        if self._head is None:
            return
        head, self._head = self._head, None
        headers: list[Header] = answer_headers((bytes(name), bytes(value)) for name, value in head.headers)
        self.begun = True
        await self._send({"type": "http.response.start", "status": head.status_code, "headers": headers})
