"""What each connection is told about its socket before anything is sent."""

from __future__ import annotations

import asyncio
import socket

import pytest
from minato.config.connections import ConnectionSettings
from minato.http.protocols import GuardedConfig, HttpConnection
from uvicorn.server import ServerState

from tests.support.waiting import until


async def silent(scope: object, receive: object, send: object) -> None:
    """An application that nobody asks anything."""


@pytest.mark.parametrize("protocol", [0, socket.IPPROTO_TCP])
async def test_a_body_waits_for_no_acknowledgement_of_its_head(protocol: int) -> None:
    config, state = GuardedConfig(silent, ConnectionSettings(), lifespan="off"), ServerState()
    config.load()
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol)
    listener.bind(("127.0.0.1", 0))
    serving = await asyncio.get_running_loop().create_server(lambda: HttpConnection(config, state, {}), sock=listener)
    _, client = await asyncio.open_connection(*listener.getsockname())
    try:
        await until(lambda: bool(state.connections))
        (connection,) = state.connections
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    finally:
        client.close()
        await client.wait_closed()
        serving.close()
        await serving.wait_closed()
