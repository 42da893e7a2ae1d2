"""A journey with the unchanged Python client: changes, broadcast, presence, and leaving."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from realtime import (
    AsyncRealtimeChannel,
    AsyncRealtimeClient,
    RealtimePostgresChangesListenEvent,
    RealtimeSubscribeStates,
)

from tests.integration.realtime.conftest import Table
from tests.integration.realtime.phoenix import WAIT
from tests.support.server import Minato


async def connected(minato: Minato) -> AsyncRealtimeClient:
    client = AsyncRealtimeClient(f"{minato.url.replace('http', 'ws', 1)}/realtime/v1", minato.anon_key)
    await client.connect()
    return client


async def subscribed(channel: AsyncRealtimeChannel) -> None:
    done = asyncio.Event()

    def note(state: RealtimeSubscribeStates, error: Exception | None) -> None:
        assert error is None, error
        if state is RealtimeSubscribeStates.SUBSCRIBED:
            done.set()

    await channel.subscribe(note)
    async with asyncio.timeout(WAIT):
        await done.wait()


async def test_a_signed_in_user_follows_rows_talks_and_is_present(minato: Minato, notes: Table) -> None:
    owner = str(uuid4())
    mine, theirs = await connected(minato), await connected(minato)
    try:
        await mine.set_auth(minato.token(owner))
        heard: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        channel = mine.channel(
            "room", {"config": {"broadcast": None, "presence": {"key": "me", "enabled": True}, "private": False}}
        )
        channel.on_postgres_changes(
            RealtimePostgresChangesListenEvent.All,
            lambda payload: heard.put_nowait(("change", payload)),
            schema="public",
            table=notes.name,
        )
        channel.on_broadcast("move", lambda payload: heard.put_nowait(("move", payload)))
        channel.on_presence_sync(lambda: heard.put_nowait(("sync", dict(channel.presence_state()))))
        channel.on_system(lambda payload: heard.put_nowait(("system", payload)))
        await subscribed(channel)

        async def next_of(kind: str) -> Any:
            async with asyncio.timeout(WAIT):
                while True:
                    got, payload = await heard.get()
                    if got == kind:
                        return payload

        await next_of("system")
        await notes.run("insert into {t} (id, owner, body) values (1, $1, 'x')", owner)
        assert (await next_of("change"))["data"]["record"]["body"] == "x"
        other = theirs.channel("room")
        await subscribed(other)
        await other.send_broadcast("move", {"x": 1})
        assert (await next_of("move"))["payload"] == {"x": 1}
        await channel.track({"mood": "good"})
        while "me" not in (state := await next_of("sync")):
            pass
        assert state["me"][0]["mood"] == "good"
        await mine.remove_channel(channel)
    finally:
        await mine.close()
        await theirs.close()
