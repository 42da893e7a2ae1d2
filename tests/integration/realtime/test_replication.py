"""One replication connection through its end: whoever breaks it, nothing of it stays in the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import psycopg2
import pytest
from minato.database.address import DatabaseAddress
from minato.realtime.change_feed import replication
from minato.realtime.change_feed.replication import DecodingUnavailable, ReplicationConnection

from tests.support.waiting import PATIENCE

SLOT = "minato_test_slot"


@pytest.fixture
async def connection(address: DatabaseAddress) -> AsyncIterator[ReplicationConnection]:
    connection = ReplicationConnection(address.admin, SLOT, ("supabase_realtime",), backlog=100)
    await connection.open()
    yield connection
    connection.close()
    await connection.gone()


async def test_a_connection_that_is_cut_leaves_no_reader_behind(
    address: DatabaseAddress, connection: ReplicationConnection
) -> None:
    async def read() -> None:
        async for _ in connection.batches(10):
            pass

    reading = asyncio.create_task(read())
    await asyncio.sleep(0)
    watched = connection.watched
    assert watched is not None
    admin = await asyncpg.connect(address.admin)
    await admin.execute("select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1", SLOT)
    with pytest.raises(psycopg2.Error):
        await asyncio.wait_for(reading, PATIENCE)
    await admin.close()
    # A socket that gets the number next must find it free.
    assert not asyncio.get_running_loop().remove_reader(watched)


async def test_a_login_that_may_not_replicate_is_known_in_any_language(
    address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replication, "NO_RIGHT", ())
    owner = await asyncpg.connect(address.admin)
    await owner.execute("create role no_wal_sender login noreplication")
    try:
        login = address.admin.replace("supabase_admin@", "no_wal_sender@")
        with pytest.raises(DecodingUnavailable):
            await ReplicationConnection(login, SLOT, ("supabase_realtime",), backlog=100).open()
    finally:
        await owner.execute("drop role no_wal_sender")
        await owner.close()
