"""Who sends or reads too slowly is cut off; who is merely slow is served to the end; nobody else notices."""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from minato.config.connections import ConnectionSettings
from minato.database.address import DatabaseAddress

from tests.support.command import served
from tests.support.server import Minato, running, settings_for
from tests.support.slow_client import SlowClient, request, until

HASTY = ConnectionSettings(
    header_timeout=0.5, body_timeout=0.5, reader_timeout=0.5, slowest_transfer=1000, keep_alive_timeout=3
)
LARGE = 4 * 1024 * 1024
LARGE_ANSWER = f"""
create or replace function large() returns text language sql stable as $$ select repeat('x', {LARGE}) $$;
notify pgrst, 'reload schema';
"""
LARGE_PATH = "/rest/v1/rpc/large"


@pytest.fixture
async def hasty(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    """A server that soon loses patience."""
    async with running(address, settings_for(tmp_path, connections=HASTY)) as server:
        await server.db.execute(LARGE_ANSWER)
        await server.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
        yield server


@asynccontextmanager
async def clients(url: str, count: int) -> AsyncIterator[list[SlowClient]]:
    async with AsyncExitStack() as stack:
        opened = [await SlowClient.connect(url) for _ in range(count)]
        for client in opened:
            stack.callback(client.close)
        yield opened


async def test_a_header_that_never_ends_is_cut_off(hasty: Minato) -> None:
    async with clients(hasty.url, 1) as [client]:
        await client.send(b"GET / HTTP/1.1\r\n")
        with suppress(OSError):
            while await client.received_at_once() != b"":
                await client.send(b"x-more: x\r\n")


async def test_a_connection_that_says_nothing_is_closed(hasty: Minato) -> None:
    async with clients(hasty.url, 1) as [client]:
        assert await client.receive() == b""


async def test_a_connection_opened_for_later_may_wait_as_one_between_two_requests(hasty: Minato) -> None:
    async with clients(hasty.url, 1) as [client]:
        await asyncio.sleep(3 * HASTY.header_timeout)
        await client.send(request("/healthz", hasty.anon_key))
        assert (await client.receive()).startswith(b"HTTP/1.1 200")


async def test_a_header_that_stops_on_a_used_connection_is_cut_off(hasty: Minato) -> None:
    async with clients(hasty.url, 1) as [client]:
        await client.send(request("/healthz", hasty.anon_key))
        assert (await client.receive()).startswith(b"HTTP/1.1 200")
        await client.send(b"GET / HTTP/1.1\r\n")
        assert await client.receive() == b""


async def test_a_body_that_stops_is_cut_off(hasty: Minato) -> None:
    async with clients(hasty.url, 1) as [client]:
        await client.send(request("/rest/v1/rpc/large", hasty.anon_key, "POST", content_length="1000000"))
        await client.send(b"{")
        assert await client.receive() == b""


async def test_a_slow_but_steady_upload_finishes(hasty: Minato) -> None:
    body = b'{"email": "' + b"x" * 60_000 + b'"}'
    async with clients(hasty.url, 1) as [client]:
        await client.send(request("/auth/v1/recover", hasty.anon_key, "POST", content_length=str(len(body))))
        for start in range(0, len(body), 2000):
            assert await client.received_at_once() is None
            await client.send(body[start : start + 2000])
        assert (await client.receive()).startswith(b"HTTP/1.1 4")


async def test_a_reader_that_stops_reading_is_cut_off(hasty: Minato) -> None:
    async with clients(hasty.url, 1) as [client]:
        await client.send(request(LARGE_PATH, hasty.anon_key))
        await until(lambda: len(hasty.connections) == 1)
        await until(lambda: len(hasty.connections) == 0)
        assert len(await client.everything()) < LARGE


async def test_a_slow_but_steady_reader_gets_the_whole_answer(hasty: Minato) -> None:
    size, pause = 0, asyncio.Event()
    async with clients(hasty.url, 1) as [client]:
        await client.send(request(LARGE_PATH, hasty.anon_key, connection="close"))
        while part := await client.receive(32 * 1024):
            size += len(part)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(pause.wait(), 0.01)
    assert size > LARGE


async def test_stalled_readers_keep_no_session_from_others(minato: Minato) -> None:
    """At the usual patience, and with more of them than there are sessions."""
    await minato.db.execute(LARGE_ANSWER)
    await minato.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
    stalled, other = minato.token("8c4b3a10-0000-4000-8000-000000000001"), minato.token()
    async with clients(minato.url, 12) as opened, minato.client(other) as client:
        for each in opened:
            await each.send(request(LARGE_PATH, stalled))
        for _ in range(20):
            assert (await client.get("/rest/v1/profiles?limit=1")).status_code == 200
        while minato.backend.database.sessions.waiting:
            assert (await client.get("/rest/v1/profiles?limit=1")).status_code == 200


async def test_half_requests_make_room_for_whole_ones(address: DatabaseAddress, tmp_path: Path) -> None:
    few = ConnectionSettings(max_connections=20, header_timeout=600)
    async with (
        running(address, settings_for(tmp_path, connections=few)) as server,
        clients(server.url, 60) as opened,
    ):
        for client in opened:
            await client.send(b"GET / HTTP/1.1\r\n")
        for _ in range(5):
            async with server.client() as other:
                assert (await other.get("/healthz")).status_code == 200
        assert len(server.connections) <= 20


async def test_a_full_server_says_so(address: DatabaseAddress, tmp_path: Path) -> None:
    few = ConnectionSettings(max_connections=3, max_connections_per_address=2)
    async with running(address, settings_for(tmp_path, connections=few)) as server, clients(server.url, 2) as busy:
        for client in busy:
            head = request("/auth/v1/recover", server.anon_key, "POST", content_length="10", expect="100-continue")
            await client.send(head)
            assert (await client.receive()).startswith(b"HTTP/1.1 100")
        async with clients(server.url, 1) as [third]:
            assert (await third.everything()).startswith(b"HTTP/1.1 503 ")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody may ask for another process's limits")
def test_a_server_takes_all_descriptors_it_may_have(data_dir: Path) -> None:
    careful = ("sh", "-c", 'ulimit -S -n 256; exec "$@"', "sh")
    with served(data_dir, prefix=careful) as server:
        soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    assert soft == hard > 256


async def test_connections_that_say_nothing_keep_nobody_out(address: DatabaseAddress, tmp_path: Path) -> None:
    few = ConnectionSettings(max_connections=60, max_connections_per_address=40)
    async with running(address, settings_for(tmp_path, connections=few)) as server, clients(server.url, 200):
        for _ in range(5):
            async with clients(server.url, 1) as [other]:
                await other.send(request("/healthz", server.anon_key))
                assert (await other.receive()).startswith(b"HTTP/1.1 200")


async def test_few_descriptors_are_enough(data_dir: Path) -> None:
    few = ("sh", "-c", 'ulimit -n 256; exec "$@"', "sh")
    with served(data_dir, prefix=few, MINATO_HEADER_TIMEOUT="2") as server:
        url = server.info["url"]
        async with clients(url, 400) as opened:
            for client in opened:
                try:
                    await client.send(b"GET / HTTP/1.1\r\n")
                except OSError:
                    continue
            for _ in range(5):
                async with clients(url, 1) as [other]:
                    await other.send(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
                    assert (await other.receive()).startswith(b"HTTP/1.1 200")
            assert await opened[-1].receive() == b""
