"""supabase-js, unchanged, gets over the end of the worker that its websocket was on."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import pytest
from websockets.exceptions import ConnectionClosed

from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.command import REPOSITORY
from tests.support.crew import Crew
from tests.support.waiting import PATIENCE, until

CLIENT = REPOSITORY / "web" / "tests" / "workers" / "listen.mjs"
FLOWING = ["system", "ok: Subscribed to PostgreSQL"]
BOTH = ["present", ["ann", "bob"]]


@asynccontextmanager
async def listening(crew: Crew) -> AsyncIterator[Process]:
    """The client at work."""
    client = await create_subprocess_exec("node", CLIENT, crew.url, crew.service_key, stdin=PIPE, stdout=PIPE)
    try:
        yield client
    finally:
        client.kill()
        await client.communicate()


async def heard(client: Process, *wanted: Sequence[object]) -> None:
    """Return when it has told all of that, in any order."""
    assert client.stdout is not None
    missing = list(wanted)
    async with asyncio.timeout(PATIENCE):
        while missing:
            line = await client.stdout.readline()
            assert line, "the client ended early"
            told = json.loads(line)
            if told in missing:
                missing.remove(told)


async def be_present(socket: Phoenix, key: str) -> None:
    joined = await socket.join("deck", {"presence": {"key": key, "enabled": True}})
    track = {"type": "presence", "event": "track", "payload": {}}
    await socket.call("realtime:deck", "presence", track, joined.ref)


async def end_at_once(crew: Crew, worker: int) -> None:
    os.kill(worker, signal.SIGKILL)


async def renew_all(crew: Crew, worker: int) -> None:
    before = set(crew.workers())
    crew.server.process.send_signal(signal.SIGHUP)
    await until(lambda: not before & set(crew.workers()))


async def write_until_heard(crew: Crew, hearing: asyncio.Task[None]) -> None:
    """A row now and then: the channel hears of none that comes while it joins, which it may do twice, for it may join
    at a worker that is renewed next.
    """
    while not hearing.done():
        crew.execute("insert into public.board (body) values ('after')")
        await asyncio.wait([hearing], timeout=0.5)
    await hearing


@pytest.mark.parametrize("end", [end_at_once, renew_all])
async def test_a_channel_whose_worker_ends_joins_again_and_hears_of_rows_and_of_who_is_present(
    own_crew: Crew, end: Callable[[Crew, int], Awaitable[None]]
) -> None:
    victim, _ = own_crew.workers()
    with own_crew.only(victim):
        started = listening(own_crew)
        client = await started.__aenter__()
        await heard(client, FLOWING, ["present", ["ann"]])
    try:
        await end(own_crew, victim)
        await heard(client, FLOWING)
        async with phoenix(own_crew) as bob:
            await be_present(bob, "bob")
            await write_until_heard(own_crew, asyncio.ensure_future(heard(client, BOTH, ["row", "after"])))
    finally:
        await started.__aexit__(None, None, None)


async def test_a_renewal_refuses_no_websocket_and_closes_all_that_it_ends_with_1012(own_crew: Crew) -> None:
    before = set(own_crew.workers())
    codes: list[int | None] = []
    renewed = asyncio.Event()

    async def connect_again_and_again() -> None:
        while not renewed.is_set():
            async with phoenix(own_crew) as socket:
                try:
                    await socket.join("room")
                except ConnectionClosed:
                    codes.append(socket.socket.close_code)

    async with asyncio.TaskGroup() as connecting:
        for _ in range(4):
            connecting.create_task(connect_again_and_again())
        own_crew.server.process.send_signal(signal.SIGHUP)
        await until(lambda: not before & set(own_crew.workers()))
        renewed.set()
    assert set(codes) <= {1012}
