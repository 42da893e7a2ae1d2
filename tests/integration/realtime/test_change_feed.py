"""The change feed through trouble: lost connections, a missing publication, a server that decodes nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from api.config.realtime import RealtimeSettings
from api.database.address import DatabaseAddress
from tests.integration.realtime.phoenix import phoenix
from tests.support.postgres import Cluster
from tests.support.server import Minato, running
from tests.support.server import settings_for as settings_of

ENTRY = {"event": "*", "schema": "public", "table": "feed"}
OPEN_TABLE = """
create table public.feed (id int primary key);
grant all on public.feed to anon;
alter publication supabase_realtime add table public.feed;
"""
END_STREAM = """
select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database()
"""


@pytest.fixture
async def feeding(own_minato: Minato) -> Minato:
    """A server of its own with a published table."""
    await own_minato.db.execute(OPEN_TABLE)
    return own_minato


async def test_a_lost_stream_is_announced_and_followed_again(feeding: Minato) -> None:
    async with phoenix(feeding) as client:
        await client.follow("room", ENTRY)
        await feeding.db.execute(END_STREAM)
        told = await client.system("room")
        assert told["status"] == "error"
        assert told["message"] == "Realtime lost the replication connection, changes may be missing"
        assert (await client.system("room"))["message"] == "Subscribed to PostgreSQL"
        await feeding.db.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}


async def test_a_lost_stream_leaves_one_slot(feeding: Minato) -> None:
    async with phoenix(feeding) as client:
        await client.follow("room", ENTRY)
        for _ in range(2):
            await feeding.db.execute(END_STREAM)
            assert (await client.system("room"))["status"] == "error"
            assert (await client.system("room"))["status"] == "ok"
    slots = "select count(*) from pg_replication_slots where database = current_database()"
    assert await feeding.db.fetchval(slots) == 1


async def test_a_lost_connection_of_the_checks_is_opened_again(feeding: Minato) -> None:
    async with phoenix(feeding) as client:
        await client.follow("room", ENTRY)
        await feeding.db.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() "
            "and application_name = 'minato' and pid <> pg_backend_pid()"
        )
        await feeding.db.execute("insert into feed values (1)")
        first = await client.hear(lambda heard: heard.event in ("system", "postgres_changes"))
        if first.event == "system":
            assert "changes may be missing" in first.payload["message"]
            await feeding.db.execute("insert into feed values (2)")
            assert (await client.change())["record"] == {"id": 2}
        else:
            assert first.payload["data"]["record"] == {"id": 1}


async def test_a_publication_made_again_is_followed_again(feeding: Minato) -> None:
    async with phoenix(feeding) as client:
        await client.follow("room", ENTRY)
        await feeding.db.execute("drop publication supabase_realtime")
        await feeding.db.execute("insert into feed values (1)")
        await feeding.db.execute("create publication supabase_realtime for table public.feed")
        await feeding.db.execute("insert into feed values (2)")
        assert (await client.change())["record"] == {"id": 2}


async def test_a_transaction_open_at_the_start_delays_the_feed_and_not_the_join(
    address: DatabaseAddress, cluster: Cluster, tmp_path: Path
) -> None:
    blocker = await asyncpg.connect(address.admin)
    await blocker.execute("begin; create table public.blocking (id int)")
    async with running(address, settings_of(tmp_path)) as server:
        await server.db.execute(OPEN_TABLE)
        async with phoenix(server) as client:
            joined = await client.join("room", {"postgres_changes": [ENTRY]})
            assert joined.payload["status"] == "ok"
            assert await client.settle() == []
            await blocker.execute("rollback")
            assert (await client.system("room"))["message"] == "Subscribed to PostgreSQL"
            await server.db.execute("insert into feed values (1)")
            assert (await client.change())["record"] == {"id": 1}
    await blocker.close()


async def test_stopping_ends_the_slot_and_tells_the_sockets(address: DatabaseAddress, tmp_path: Path) -> None:
    async with running(address, settings_of(tmp_path)) as server:
        await server.db.execute(OPEN_TABLE)
        async with phoenix(server) as client:
            await client.follow("room", ENTRY)
            stopping = asyncio.create_task(server.application.rooms["/realtime/v1"].stop())
            assert await client.closed() == 1012
            await stopping
        assert (
            await server.db.fetchval("select count(*) from pg_replication_slots where database = current_database()")
            == 0
        )


async def test_a_missing_publication_is_said_to_who_joins(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, realtime=RealtimeSettings(publication="nothing"))
    async with running(address, settings) as server, phoenix(server) as client:
        joined = await client.join("room", {"postgres_changes": [ENTRY]})
        assert joined.payload["status"] == "ok"
        told = await client.system("room")
        assert (told["status"], told["extension"]) == ("error", "postgres_changes")
        assert told["message"] == (
            'Realtime was unable to connect to the project database: publication "nothing" does not exist'
        )


async def test_a_login_without_the_replication_right_is_said_to_who_joins(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    owner = await asyncpg.connect(address.admin)
    await owner.execute("create role no_replication login bypassrls noreplication")
    try:
        plain = replace(address, admin=address.admin.replace("supabase_admin@", "no_replication@"))
        async with running(plain, settings_of(tmp_path)) as server, phoenix(server) as client:
            await client.join("room", {"postgres_changes": [ENTRY]})
            told = await client.system("room")
            assert told["status"] == "error"
            assert told["message"] == (
                "Realtime was unable to connect to the project database: permission denied to start WAL sender"
            )
    finally:
        await owner.execute("drop owned by no_replication; drop role no_replication")
        await owner.close()
