"""A small HTTP server on loopback that plays somebody else: it notes what it is asked and answers what a test says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl


@dataclass(frozen=True)
class Asked:
    """One request; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Told:
    """An answer. `body` is sent as JSON unless it is bytes; without a `content_type` the header is left out."""

    status: int = 200
    body: Any = field(default_factory=dict)
    content_type: str | None = "application/json"
    headers: dict[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        named = {"content-type": self.content_type} if self.content_type is not None else {}
        headers = {**named, **self.headers, "content-length": str(len(body)), "connection": "close"}
        lines = [f"HTTP/1.1 {self.status} X", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        return "\r\n".join(lines).encode() + body


Answering = Callable[[Asked], Told]


@dataclass
class Loopback:
    """`answer` may be replaced at any time; an answer with status 0 never comes."""

    url: str
    answer: Answering
    asked: list[Asked] = field(default_factory=list)


@asynccontextmanager
async def loopback(answer: Answering = lambda _: Told()) -> AsyncIterator[Loopback]:
    server = Loopback("", answer)
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = await _read(reader)
        except asyncio.IncompleteReadError:
            # Whoever called had nothing to say.
            return writer.close()
        server.asked.append(asked)
        told = server.answer(asked)
        if told.status == 0:
            await ended.wait()
        else:
            writer.write(told.encoded())
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        ended.set()
        listener.close()


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    method, path, _ = first.split(" ", 2)
    return Asked(method, path, headers, body)
