"""The room's limits, each met by a client that goes over it, and never by its neighbour below."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from minato.config.realtime import RealtimeSettings
from minato.database.address import DatabaseAddress
from minato.realtime.app import RealtimeRoom
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato, running, settings_for

MOVE = {"type": "broadcast", "event": "move", "payload": {"x": 1}}
# An average of a minute is at the limit of 1 per second after so many.
A_MINUTE_FULL = 60
Limited = Callable[..., AbstractAsyncContextManager[Minato]]


@pytest.fixture
def limited(address: DatabaseAddress, tmp_path: Path) -> Limited:
    """A server with limits of its own: `async with limited(max_joins_per_second=1) as server`."""

    def start(**limits: Any) -> AbstractAsyncContextManager[Minato]:
        return running(address, settings_for(tmp_path, realtime=RealtimeSettings(**limits)))

    return start


async def refusal(server: Minato) -> tuple[int, bytes]:
    """How the handshake of one more socket is refused."""
    url = f"{server.url.replace('http', 'ws', 1)}/realtime/v1/websocket?apikey={server.anon_key}&vsn=2.0.0"
    with pytest.raises(InvalidStatus) as error:
        async with connect(url):
            pass
    return error.value.response.status_code, bytes(error.value.response.body or b"")


async def test_a_socket_too_many_is_refused_until_one_leaves(limited: Limited) -> None:
    async with limited(max_concurrent_users=2) as server:
        room = server.application.rooms["/realtime/v1"]
        assert isinstance(room, RealtimeRoom)
        async with phoenix(server):
            async with phoenix(server):
                assert await refusal(server) == (429, b'{"error":"Too many connected users"}')
            async with phoenix(server) as client:
                assert (await client.join("room")).payload["status"] == "ok"


async def test_a_join_too_many_in_a_minute_closes_its_socket_and_refuses_new_ones(limited: Limited) -> None:
    async with limited(max_joins_per_second=1) as server, phoenix(server) as calm, phoenix(server) as eager:
        await calm.join("room", {"broadcast": {"ack": True}})
        for number in range(A_MINUTE_FULL - 1):
            assert (await eager.join(f"room{number}")).payload["status"] == "ok"
        refused = await eager.join("one more")
        assert refused.response == {"reason": "ClientJoinRateLimitReached: Too many joins per second"}
        assert await eager.closed() == 1001
        assert await refusal(server) == (429, b'{"error":"Too many joins per second"}')
        assert (await calm.call("realtime:room", "broadcast", MOVE)).payload["status"] == "ok"


async def test_a_broadcast_too_many_in_a_minute_shuts_its_channel_down_and_no_other(limited: Limited) -> None:
    async with limited(max_events_per_second=1) as server, phoenix(server) as client, server.client() as http:
        for name in ("loud", "quiet"):
            await client.join(name, {"broadcast": {"ack": True}})
        for _ in range(A_MINUTE_FULL):
            await client.call("realtime:loud", "broadcast", MOVE)
        await client.send("realtime:loud", "broadcast", MOVE, None)
        assert (await client.system("loud"))["message"] == "Too many messages per second"
        await client.event("phx_close", "loud")
        for path, body in (("", {"messages": [{"topic": "a", "event": "e", "payload": {}}]}), ("/a/events/e", {})):
            answer = await http.post(f"/realtime/v1/api/broadcast{path}", json=body)
            assert (answer.status_code, answer.json()) == (429, {"message": "You have exceeded your rate limit"})
            assert answer.headers["x-rate-limit-remaining"] == "0"
        assert (await client.call("phoenix", "heartbeat", {})).payload["status"] == "ok"
        assert (await client.join("other")).payload["status"] == "ok"


async def test_presences_too_many_in_a_minute_shut_their_channel_down(limited: Limited) -> None:
    limits = {"max_presence_events_per_second": 1, "max_client_presence_events": 0}
    async with limited(**limits) as server, phoenix(server) as client:
        await client.join("room")
        for number in range(A_MINUTE_FULL):
            await client.call("realtime:room", "presence", {"event": "track", "payload": {"n": number}})
        await client.send("realtime:room", "presence", {"event": "track", "payload": {"n": "more"}}, None)
        assert (await client.system("room"))["message"] == "Too many presence messages per second"
        await client.event("phx_close", "room")


async def test_a_presence_too_large_shuts_its_channel_down(limited: Limited) -> None:
    async with limited(max_payload_bytes=1000) as server, phoenix(server) as client:
        await client.join("room")
        await client.send("realtime:room", "presence", {"event": "track", "payload": {"x": "y" * 1000}}, None)
        assert (await client.system("room"))["message"] == "Track message size exceeded"
        await client.event("phx_close", "room")


async def test_a_payload_too_large_is_refused_over_http(limited: Limited) -> None:
    async with limited(max_payload_bytes=1000) as server, server.client() as http, phoenix(server) as client:
        await client.join("a")
        answer = await http.post("/realtime/v1/api/broadcast/a/events/e", json={"x": "y" * 1000})
        assert answer.status_code == 422
        assert answer.json() == {"errors": {"payload": ["Payload size exceeds tenant limit"]}}
        assert await client.settle() == []


async def test_a_project_without_public_channels_takes_private_ones_only(limited: Limited) -> None:
    async with limited(private_only=True) as server, phoenix(server, server.service_role_key) as client:
        refused = await client.join("room")
        assert refused.response == {"reason": "PrivateOnly: This project only allows private channels"}
        assert (await client.join("room", {"private": True})).payload["status"] == "ok"


async def test_a_socket_that_joins_nothing_is_closed_however_lively(limited: Limited) -> None:
    async with limited(joinless_timeout=0.5) as server, phoenix(server) as joined, phoenix(server) as joinless:
        await joined.join("room")
        with contextlib.suppress(ConnectionClosed):
            while True:
                await joined.call("phoenix", "heartbeat", {})
                await joinless.call("phoenix", "heartbeat", {})
        assert joinless.socket.close_code == 1000
        assert (await joined.call("phoenix", "heartbeat", {})).payload["status"] == "ok"


async def test_a_reader_too_slow_is_closed_with_try_again_later(limited: Limited) -> None:
    async with limited(send_queue_frames=20) as server, phoenix(server) as slow, phoenix(server) as quick:
        room = server.application.rooms["/realtime/v1"]
        assert isinstance(room, RealtimeRoom)
        await slow.join("room")
        await quick.join("room")
        slow.socket.transport.pause_reading()
        async with server.client() as http:
            while room.services.limits.slow_consumers == 0:
                await http.post("/realtime/v1/api/broadcast/room/events/e", json={"x": "y" * 200_000})
                await quick.event("broadcast")
        slow.socket.transport.resume_reading()
        assert await slow.closed() == 1013
        assert (await quick.call("phoenix", "heartbeat", {})).payload["status"] == "ok"


async def test_a_client_that_says_nothing_is_closed(limited: Limited) -> None:
    async with limited(idle_timeout=1) as server, phoenix(server) as silent:
        assert await silent.closed() == 1000
