"""Bytes no HTTP client would send, and connections cut off in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.support.server import Minato

WAIT = 10.0


@dataclass(frozen=True)
class Answer:
    """A status line's number, everything up to the blank line, and what follows it."""

    status: int
    head: bytes
    body: bytes


@asynccontextmanager
async def connection(minato: Minato) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A TCP connection to the server."""
    place = urlsplit(minato.url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        yield reader, writer
    finally:
        writer.close()


def request(method: bytes, target: bytes, headers: list[tuple[bytes, bytes]], body: bytes = b"") -> bytes:
    """A request that ends its connection."""
    lines = [b"%s %s HTTP/1.1" % (method, target), b"Host: minato", b"Connection: close"]
    lines += [b"%s: %s" % header for header in headers]
    if body:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join([*lines, b"", body])


async def ask(minato: Minato, content: bytes) -> Answer:
    """Send `content` as it is and read the answer to its end."""
    async with connection(minato) as (reader, writer), asyncio.timeout(WAIT):
        writer.write(content)
        head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
    return Answer(int(head.split(b" ", 2)[1]), head, body)


async def settled(minato: Minato, tasks: int) -> bool:
    """Whether the server comes back to at most `tasks` asyncio tasks and no busy database session of a request."""
    for _ in range(int(WAIT / 0.02)):
        if len(asyncio.all_tasks()) <= tasks and not await _busy(minato):
            return True
        await asyncio.sleep(0.02)
    return False


async def _busy(minato: Minato) -> int:
    query = """select count(*) from pg_stat_activity where datname = current_database() and usename = 'authenticator'
        and state <> 'idle'"""
    return int(await minato.db.fetchval(query))
