"""The change feed through trouble: lost connections, a missing publication, a server that decodes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import asyncpg
import pytest
from minato.config.realtime import RealtimeSettings
from minato.database.address import DatabaseAddress
from minato.database.engines import DatabaseUnreachable

from tests.integration.realtime.phoenix import phoenix
from tests.support.postgres import Cluster
from tests.support.server import Minato, running
from tests.support.server import settings_for as settings_of
from tests.support.waiting import until_somebody_is_locked_out

ENTRY = {"event": "*", "schema": "public", "table": "feed"}
NO_WAL_SENDER = "permission denied to start WAL sender"
OPEN_TABLE = """
create table public.feed (id int primary key);
grant all on public.feed to anon;
alter publication supabase_realtime add table public.feed;
"""
END_STREAM = """
select pg_terminate_backend(pid) from pg_stat_activity
 where datname = current_database() and application_name = 'minato change feed'
"""


@pytest.fixture(params=["logical", "triggers"])
async def feeding(request: pytest.FixtureRequest, address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    """A server of its own with a published table, once per change feed."""
    settings = settings_of(tmp_path, realtime=RealtimeSettings(change_feed=request.param))
    async with running(address, settings) as server:
        await server.db.execute(OPEN_TABLE)
        yield server


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


async def test_a_table_that_is_made_anew_after_the_stream_is_followed_again_with_the_next(feeding: Minato) -> None:
    async with phoenix(feeding) as client:
        await client.follow("room", ENTRY)
        await feeding.db.execute(f"drop table feed; {END_STREAM}")
        assert "changes may be missing" in (await client.system("room"))["message"]
        assert "Unable to subscribe" in (await client.system("room"))["message"]
        await feeding.db.execute(f"{OPEN_TABLE}; {END_STREAM}")
        assert "changes may be missing" in (await client.system("room"))["message"]
        assert (await client.system("room"))["message"] == "Subscribed to PostgreSQL"
        await feeding.db.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}


async def test_a_lost_stream_leaves_only_the_next(feeding: Minato) -> None:
    async with phoenix(feeding) as client:
        await client.follow("room", ENTRY)
        for _ in range(2):
            await feeding.db.execute(END_STREAM)
            assert (await client.system("room"))["status"] == "error"
            assert (await client.system("room"))["status"] == "ok"
    streams = "select count(*) from pg_stat_activity where datname = current_database() and application_name = $1"
    assert await feeding.db.fetchval(streams, "minato change feed") == 1


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
        first = await client.hear(lambda heard: heard.event in ("system", "postgres_changes"))
        # Before 18 PostgreSQL ends a stream whose publication is not there; that is told.
        if first.event == "system" and feeding.db.get_server_version().major < 18:
            assert "changes may be missing" in first.payload["message"]
            assert (await client.system("room"))["message"] == "Subscribed to PostgreSQL"
            await feeding.db.execute("insert into feed values (3)")
            first = await client.event("postgres_changes")
            assert first.payload["data"]["record"] in ({"id": 2}, {"id": 3})
        else:
            assert first.payload["data"]["record"] == {"id": 2}


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


@pytest.mark.parametrize("feed", ["logical", "triggers"])
async def test_a_missing_publication_is_said_to_who_joins(
    address: DatabaseAddress, tmp_path: Path, feed: Literal["logical", "triggers"]
) -> None:
    settings = settings_of(tmp_path, realtime=RealtimeSettings(publication="nothing", change_feed=feed))
    async with running(address, settings) as server, phoenix(server) as client:
        joined = await client.join("room", {"postgres_changes": [ENTRY]})
        assert joined.payload["status"] == "ok"
        told = await client.system("room")
        assert (told["status"], told["extension"]) == ("error", "postgres_changes")
        assert told["message"] == (
            'Realtime was unable to connect to the project database: publication "nothing" does not exist'
        )


@pytest.fixture
async def plain(address: DatabaseAddress) -> AsyncIterator[DatabaseAddress]:
    """The same database by a login that owns the tables and has no REPLICATION right."""
    owner = await asyncpg.connect(address.admin)
    await owner.execute(OPEN_TABLE)
    await owner.execute("create role no_replication login bypassrls noreplication in role supabase_admin")
    yield replace(address, admin=address.admin.replace("supabase_admin@", "no_replication@"), trusting=False)
    await owner.execute("drop owned by no_replication; drop role no_replication")
    await owner.close()


async def test_a_login_without_the_replication_right_follows_by_triggers(
    plain: DatabaseAddress, tmp_path: Path
) -> None:
    async with running(plain, settings_of(tmp_path)) as server, phoenix(server) as client:
        await client.follow("room", ENTRY)
        await server.db.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}


async def test_a_stream_that_was_lost_begins_anew_by_the_best_way_there_is_by_then(
    address: DatabaseAddress, plain: DatabaseAddress, tmp_path: Path
) -> None:
    owner = await asyncpg.connect(address.admin)
    async with running(plain, settings_of(tmp_path)) as server, phoenix(server) as client:
        await client.follow("room", ENTRY)
        await owner.execute(f"alter role no_replication replication; {END_STREAM}")
        assert "changes may be missing" in (await client.system("room"))["message"]
        assert (await client.system("room"))["message"] == "Subscribed to PostgreSQL"
        assert await owner.fetchval(TRIGGERS) == 0
        await owner.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}
    await owner.close()


async def test_a_login_held_to_decoding_is_told_that_it_may_not(plain: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, realtime=RealtimeSettings(change_feed="logical"))
    async with running(plain, settings) as server, phoenix(server) as client:
        await client.join("room", {"postgres_changes": [ENTRY]})
        told = await client.system("room")
        assert told["status"] == "error"
        is_old = server.db.get_server_version().major < 16
        words = "must be superuser or replication role to start walsender" if is_old else NO_WAL_SENDER
        assert told["message"] == f"Realtime was unable to connect to the project database: {words}"


async def test_a_login_that_may_do_neither_is_told_so(address: DatabaseAddress, tmp_path: Path) -> None:
    owner = await asyncpg.connect(address.admin)
    await owner.execute("create role nobody login bypassrls noreplication; grant usage on schema minato to nobody")
    try:
        strange = replace(address, admin=address.admin.replace("supabase_admin@", "nobody@"))
        async with running(strange, settings_of(tmp_path)) as server, phoenix(server) as client:
            await client.join("room", {"postgres_changes": [ENTRY]})
            assert (await client.system("room"))["message"] == (
                "Realtime was unable to connect to the project database: "
                "permission denied for function name_trigger_publications"
            )
    finally:
        await owner.execute("drop owned by nobody; drop role nobody")
        await owner.close()


TRIGGERS = "select count(*) from pg_trigger where tgname = '0_minato_change'"


async def test_triggers_are_there_only_while_they_are_needed(address: DatabaseAddress, tmp_path: Path) -> None:
    async with running(address, settings_of(tmp_path, realtime=RealtimeSettings(change_feed="triggers"))) as server:
        async with phoenix(server) as client:
            await server.db.execute(OPEN_TABLE)
            await client.follow("room", ENTRY)
            assert await server.db.fetchval(f"{TRIGGERS} and tgrelid = 'feed'::regclass") == 1
            await server.db.execute("alter publication supabase_realtime drop table public.feed")
            assert await server.db.fetchval(f"{TRIGGERS} and tgrelid = 'feed'::regclass") == 0
    async with running(address, settings_of(tmp_path / "again")) as server, phoenix(server) as client:
        await client.follow_feed("room")
        assert await server.db.fetchval(TRIGGERS) == 0


@pytest.mark.parametrize("tables", [("one", "other"), ("other", "one")], ids="-".join)
async def test_a_publication_goes_with_its_triggers_while_somebody_reads_its_tables_in_another_order(
    address: DatabaseAddress, tables: tuple[str, str]
) -> None:
    """In one of the two orders both wait for each other; who has waited longer is the one that PostgreSQL refuses."""
    read_first, read_then = tables
    owner, reader, watcher = [await asyncpg.connect(address.admin) for _ in range(3)]
    said: list[str] = []
    owner.add_log_listener(lambda _, message: said.append(str(message)))
    await owner.execute(
        "create table one (); create table other (); alter publication supabase_realtime add table one, other;"
        "set deadlock_timeout to '2s'; select minato.follow_by_triggers(array['supabase_realtime'])"
    )
    await reader.execute("set deadlock_timeout to '1min'")
    async with reader.transaction():
        await reader.fetch(f"select from {read_first}")
        dropping = asyncio.create_task(owner.execute("drop publication supabase_realtime"))
        await until_somebody_is_locked_out(watcher)
        await reader.fetch(f"select from {read_then}")
    await dropping
    assert said == []
    assert await watcher.fetchval("select count(*) from pg_trigger where tgname = '0_minato_change'") == 0
    for connection in (owner, reader, watcher):
        await connection.close()


@pytest.mark.parametrize("tables", [("one", "other"), ("other", "one")], ids="-".join)
async def test_who_writes_to_several_tables_goes_on_while_the_first_triggers_are_put_on(
    address: DatabaseAddress, tmp_path: Path, tables: tuple[str, str]
) -> None:
    writer, watcher = [await asyncpg.connect(address.admin) for _ in range(2)]
    written_first, written_then = tables
    await writer.execute(
        "create table one (id int primary key); create table other (id int primary key);"
        "grant all on one, other to anon; alter publication supabase_realtime add table one, other;"
        "set deadlock_timeout to '10ms'"
    )
    await writer.execute(f"begin; insert into {written_first} values (1)")
    async with running(address, settings_of(tmp_path, realtime=RealtimeSettings(change_feed="triggers"))) as server:
        await until_somebody_is_locked_out(watcher)
        await writer.execute(f"insert into {written_then} values (1); commit")
        async with phoenix(server) as client:
            await client.follow("room", {**ENTRY, "table": written_first})
            await writer.execute(f"insert into {written_first} values (2)")
            assert (await client.change())["record"] == {"id": 2}
    for connection in (writer, watcher):
        await connection.close()


@pytest.mark.parametrize("way", ["triggers", None], ids=["held to triggers", "free to decode by then"])
async def test_a_worker_on_triggers_announces_the_gap_when_another_begins_to_decode(
    address: DatabaseAddress, plain: DatabaseAddress, tmp_path: Path, way: Literal["triggers"] | None
) -> None:
    settings = settings_of(tmp_path / "old", realtime=RealtimeSettings(change_feed=way))
    async with running(plain, settings) as old, phoenix(old) as client:
        await client.follow("room", ENTRY)
        await old.db.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}
        owner = await asyncpg.connect(address.admin)
        await owner.execute("alter role no_replication replication")
        async with running(address, settings_of(tmp_path / "new")) as new, phoenix(new) as decoding:
            await decoding.follow("room", ENTRY)
            assert "changes may be missing" in (await client.system("room"))["message"]
            assert (await client.system("room"))["message"] == "Subscribed to PostgreSQL"
            assert await owner.fetchval(f"{TRIGGERS} and tgrelid = 'feed'::regclass") == (0 if way is None else 1)
            await owner.execute("insert into feed values (2)")
            assert (await client.change())["record"] == (await decoding.change())["record"] == {"id": 2}
        await owner.close()


@pytest.mark.parametrize("feed", ["logical", "triggers"])
async def test_a_published_table_that_goes_while_it_is_looked_at_is_no_loss(
    address: DatabaseAddress, tmp_path: Path, feed: Literal["logical", "triggers"]
) -> None:
    settings = settings_of(tmp_path, realtime=RealtimeSettings(change_feed=feed))
    async with running(address, settings) as server, phoenix(server) as client:
        await server.db.execute(OPEN_TABLE)
        await client.follow("room", ENTRY)
        await server.db.execute(OPEN_TABLE.replace("feed", "going"))
        dropping = await asyncpg.connect(address.admin)
        await dropping.execute("begin; drop table public.going")
        await server.db.execute("notify minato_changes, ''")
        joining = asyncio.create_task(client.join("second", {"postgres_changes": [ENTRY]}))
        await joining
        assert (await client.system("second"))["message"] == "Subscribed to PostgreSQL"
        await dropping.execute("commit")
        await dropping.close()
        await server.db.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}
        assert [heard for heard in await client.settle() if heard.event == "system"] == []


async def test_more_changes_than_may_wait_are_announced_as_a_gap(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, realtime=RealtimeSettings(change_feed="triggers", feed_backlog=100))
    async with running(address, settings) as server, phoenix(server) as client:
        await server.db.execute(OPEN_TABLE)
        await client.follow("room", ENTRY)
        await server.db.execute("insert into feed select generate_series(1, 10000)")
        assert (await client.system("room"))["status"] == "error"
        while (await client.system("room"))["status"] != "ok":
            pass
        client.pending.clear()
        await server.db.execute("insert into feed values (0)")
        assert (await client.change())["record"] == {"id": 0}


async def test_a_notification_of_nobody_is_passed_over(feeding: Minato) -> None:
    async with phoenix(feeding) as client:
        await client.follow("room", ENTRY)
        for chunk in ("garbage", "1:0:1:e30=", "1:0:1:aGk="):
            await feeding.db.execute("select pg_notify('minato_changes', $1)", chunk)
        await feeding.db.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}


async def test_a_role_that_may_not_be_taken_is_no_outage(plain: DatabaseAddress, tmp_path: Path) -> None:
    async with running(plain, settings_of(tmp_path)) as minato:
        database = minato.backend.database
        with pytest.raises(DatabaseUnreachable, match="permission denied to set role"):
            await database.engine("supabase_auth_admin").connect().start()
        assert not database.outage.lasts
