"""A replication connection whose server dies as it opens: that is an error of the connection, and told nowhere else."""

from __future__ import annotations

import asyncio
import struct

import psycopg2
import pytest
from minato.realtime.change_feed.replication import ReplicationConnection


def message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


def parameter(name: bytes, value: bytes) -> bytes:
    return message(b"S", name + b"\0" + value + b"\0")


GREETING = (
    message(b"R", struct.pack("!I", 0))
    + parameter(b"server_version", b"18.0")
    + parameter(b"client_encoding", b"UTF8")
    + parameter(b"DateStyle", b"ISO, MDY")
    + parameter(b"standard_conforming_strings", b"on")
    + message(b"K", struct.pack("!II", 1, 2))
    + message(b"Z", b"I")
)
FAREWELL = message(b"E", b"SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0")


async def greet_and_die(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    (length,) = struct.unpack("!I", await reader.readexactly(4))
    await reader.readexactly(length - 4)
    writer.write(GREETING + FAREWELL)
    await writer.drain()
    writer.close()


async def test_a_server_that_dies_as_it_greets_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    server = await asyncio.start_server(greet_and_die, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = f"postgresql://someone@127.0.0.1:{port}/postgres?sslmode=disable&gssencmode=disable"
    connection = ReplicationConnection(address, "slot", ["publication"], backlog=1)
    async with server:
        with pytest.raises(psycopg2.Error):
            await connection.open()
        connection.close()
    assert capfd.readouterr() == ("", "")


async def test_a_connection_that_is_being_made_is_left_at_once() -> None:
    asked = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = f"postgresql://someone@127.0.0.1:{port}/postgres?sslmode=disable&gssencmode=disable"
    connection = ReplicationConnection(address, "slot", ["publication"], backlog=1)
    async with server:
        opening = asyncio.ensure_future(connection.open())
        await asked.wait()
        await asyncio.sleep(0.05)
        opening.cancel()
        # Less than it may take to connect.
        async with asyncio.timeout(5):
            with pytest.raises(asyncio.CancelledError):
                await opening
        connection.close()
