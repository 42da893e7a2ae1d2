"""What realtime tells everybody, as the reference does: ids of deleted rows, and broadcasts on public topics."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest
from minato.config.realtime import RealtimeSettings
from minato.database.address import DatabaseAddress

from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato, running, settings_for


@pytest.fixture
async def private_table(own_minato: Minato) -> str:
    await own_minato.db.execute(
        """
        create table public.diary (id int primary key, owner uuid, body text);
        alter table public.diary enable row level security;
        create policy "Owners see theirs" on public.diary for select using (owner = auth.uid());
        grant select on public.diary to anon, authenticated;
        alter table public.diary replica identity full;
        alter publication supabase_realtime add table public.diary;
        """
    )
    return "diary"


async def test_of_a_deleted_private_row_strangers_hear_the_key_and_nothing_else(
    own_minato: Minato, private_table: str
) -> None:
    async with phoenix(own_minato) as stranger:
        await stranger.follow("room", {"event": "*", "schema": "public", "table": private_table})
        await own_minato.db.execute("insert into diary values (1, $1, 'dear diary')", uuid4())
        await own_minato.db.execute("update diary set body = 'changed'")
        await own_minato.db.execute("delete from diary")
        change = await stranger.change()
        assert (change["type"], change["old_record"]) == ("DELETE", {"id": 1})


async def test_anybody_may_broadcast_on_a_public_topic(own_minato: Minato) -> None:
    async with phoenix(own_minato) as listener, phoenix(own_minato) as speaker:
        await listener.join("room")
        await speaker.join("room")
        payload = {"type": "broadcast", "event": "hello", "payload": {}}
        await speaker.send("realtime:room", "broadcast", payload, None)
        assert (await listener.event("broadcast")).payload["event"] == "hello"


async def test_a_setting_closes_public_topics(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, realtime=RealtimeSettings(private_only=True))
    async with running(address, settings) as server, phoenix(server) as client:
        refused = await client.join("room")
        assert refused.payload["response"]["reason"].startswith("PrivateOnly")
