"""Frames between the processes of one server, over a socket that nobody else can reach: u32 length, so many bytes."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

LENGTH: Final = struct.Struct(">I")
BEHIND_BYTES: Final = 64 * 1024 * 1024
"""What may wait for a process that does not read; beyond that its connection ends, so it learns that it missed some."""

SECONDS: Final = 0.5
"""To wait for an answer: as with Redis, a limit must not cost more than what it protects."""


CROWDED_SECONDS: Final = 5.0
"""To come into a queue that is full; whoever is in more of a hurry sets a limit of its own."""
CROWDED_PAUSE: Final = 0.01


class LinkLost(Exception):
    """The other process is gone, or was too slow."""


@dataclass(frozen=True)
class Member:
    """A worker as itself: its `number`, from 1, and the socket on which its parent listens."""

    number: int
    exchange: Path


class Link:
    """One connection. What is posted never waits."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> bytes:
        """The next frame. Raises LinkLost."""
        try:
            (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            return await self._reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError) as error:
            raise LinkLost("the connection was closed") from error

    def post(self, frame: bytes) -> None:
        """Send without waiting; who is too far behind loses the connection."""
        transport = self._writer.transport
        if transport.is_closing():
            return
        if transport.get_write_buffer_size() > BEHIND_BYTES:
            transport.abort()
            return
        transport.write(LENGTH.pack(len(frame)) + frame)

    async def send(self, frame: bytes) -> None:
        """Send, and wait until there is room for more. Raises LinkLost."""
        self.post(frame)
        try:
            await self._writer.drain()
        except OSError as error:
            raise LinkLost("the connection was closed") from error

    def close(self) -> None:
        """End it; twice is fine."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._writer.close()


class Asking:
    """Questions to a `service` of the parent that are answered one by one, on a connection that is made when needed."""

    def __init__(self, member: Member, service: str) -> None:
        self._member = member
        self._service = service
        self._link: Link | None = None
        self._turn = asyncio.Lock()

    async def ask(self, question: bytes) -> bytes:
        """The answer. Raises LinkLost, also where it takes longer than SECONDS."""
        try:
            async with asyncio.timeout(SECONDS), self._turn:
                if self._link is not None:
                    with contextlib.suppress(LinkLost):
                        return await self._answer(question)
                # Anew, where the connection had ended while it lay idle.
                return await self._answer(question)
        except TimeoutError as error:
            raise LinkLost("no answer in time") from error

    def close(self) -> None:
        """End the connection."""
        link, self._link = self._link, None
        if link is not None:
            link.close()

    async def _answer(self, question: bytes) -> bytes:
        try:
            if self._link is None:
                self._link = await connect(self._member, self._service)
            await self._link.send(question)
            return await self._link.receive()
        except BaseException:
            # An answer that comes later would be taken for the next one's.
            self.close()
            raise


async def connect(member: Member, service: str) -> Link:
    """A connection to a `service` of the parent, which has taken note of it. Raises LinkLost."""
    reader, writer = await _opened(str(member.exchange))
    link = Link(reader, writer)
    try:
        await link.send(orjson.dumps({"service": service, "worker": member.number}))
        await link.receive()
    except BaseException:
        link.close()
        raise
    return link


async def _opened(path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Raises LinkLost. Unlike one of TCP, a unix socket whose queue is full refuses at once: the parent has more to do
    just now than it may be told of.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + CROWDED_SECONDS
    while True:
        try:
            reader, writer = await asyncio.open_unix_connection(path)
            if _is_connected(writer):
                return reader, writer
            writer.close()
        except BlockingIOError:
            pass
        except OSError as error:
            raise LinkLost(type(error).__name__) from error
        if loop.time() > deadline:
            raise LinkLost("the parent's queue is full")
        await asyncio.sleep(CROWDED_PAUSE)


def _is_connected(writer: asyncio.StreamWriter) -> bool:
    """asyncio's own loop takes the refusal for a connection that is under way, and then for one that stands."""
    try:
        writer.get_extra_info("socket").getpeername()
    except OSError:
        return False
    return True
