"""Row changes over a websocket: who sees which change, and how it looks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato


@pytest.fixture
async def notes(minato: Minato) -> AsyncIterator[str]:
    """A published table of notes that only their owner may see."""
    table = f"notes_{uuid4().hex[:8]}"
    await minato.db.execute(
        f"""
        create table public.{table} (id int primary key, owner uuid, body text, price numeric(10, 2));
        alter table public.{table} enable row level security;
        create policy "Owners see their notes" on public.{table} for select using (owner = auth.uid());
        grant all on public.{table} to anon, authenticated, service_role;
        alter publication supabase_realtime add table public.{table};
        """
    )
    yield table
    await minato.db.execute(f"drop table public.{table}")


async def test_a_row_change_arrives_after_a_join_and_none_after_a_leave(minato: Minato, notes: str) -> None:
    owner = str(uuid4())
    async with phoenix(minato) as client:
        beat = await client.call("phoenix", "heartbeat", {})
        assert beat.payload == {"status": "ok", "response": {}}
        token = minato.token(owner)
        (entry,) = await client.follow("room", {"event": "*", "schema": "public", "table": notes}, access_token=token)
        await minato.db.execute(f"insert into public.{notes} values (1, $1, 'first', 1.50)", owner)
        heard = await client.event("postgres_changes")
        assert heard.payload["ids"] == [entry]
        data = heard.payload["data"]
        assert data["type"] == "INSERT"
        assert data["record"] == {"id": 1, "owner": owner, "body": "first", "price": 1.5}
        left = await client.call("realtime:room", "phx_leave", {})
        assert left.payload["status"] == "ok"
        await client.event("phx_close", "room")
        await minato.db.execute(f"insert into public.{notes} values (2, $1, 'second', 1.50)", owner)
        assert await client.settle() == []
