"""pgmq: messages are read once, come back when nobody finished them, and are kept when archived."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.postgres import Cluster

READ = "select msg_id, read_ct, message from pgmq.read('jobs', $1, $2)"


@pytest.fixture
async def db(owner: asyncpg.Connection) -> asyncpg.Connection:
    """The project's owner, with a queue."""
    await owner.execute("create extension if not exists pgmq")
    await owner.execute("select pgmq.create('jobs')")
    return owner


@asynccontextmanager
async def another(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    """One more connection of the owner."""
    connection = await asyncpg.connect(cluster.url(address, "postgres"))
    try:
        yield connection
    finally:
        await connection.close()


async def send(db: asyncpg.Connection, *bodies: str) -> list[int]:
    """The numbers of new messages."""
    return [await db.fetchval("select pgmq.send('jobs', jsonb_build_object('n', $1::text))", body) for body in bodies]


async def read(db: asyncpg.Connection, quantity: int, seconds: int = 60) -> list[tuple[Any, ...]]:
    """(number, times read, message), hidden from others for so many seconds."""
    return [tuple(row) for row in await db.fetch(READ, seconds, quantity)]


@pytest.mark.parametrize("clause", ["", "with schema pgmq"])
async def test_the_extension_lives_in_its_own_schema_whose_owner_is_the_projects(
    owner: asyncpg.Connection, clause: str
) -> None:
    if clause:
        await owner.execute("create schema pgmq")
    await owner.execute(f"create extension pgmq {clause}")
    row = await owner.fetchrow(
        "select extnamespace::regnamespace::text, extowner::regrole::text, "
        "(select nspowner::regrole::text from pg_namespace where nspname = 'pgmq') from pg_extension "
        "where extname = 'pgmq'"
    )
    assert tuple(row) == ("pgmq", "postgres", "postgres")
    await owner.execute("drop extension pgmq cascade; create extension pgmq")


async def test_a_message_that_was_read_is_hidden_until_its_time_is_over(db: asyncpg.Connection) -> None:
    await send(db, "a", "b")
    assert await read(db, 1) == [(1, 1, '{"n": "a"}')]
    assert await read(db, 5) == [(2, 1, '{"n": "b"}')]
    assert await read(db, 5) == []
    await db.fetchval("select vt from pgmq.set_vt('jobs', 1, 0)")
    assert await read(db, 5) == [(1, 2, '{"n": "a"}')]


async def test_a_delayed_message_waits(db: asyncpg.Connection) -> None:
    await db.execute("select pgmq.send('jobs', '{}', 3600)")
    assert await read(db, 1) == []
    visible = await db.fetchval("select vt - enqueued_at from pgmq.q_jobs")
    assert timedelta(seconds=3600) <= visible < timedelta(seconds=3601)


async def test_two_readers_at_once_get_no_message_twice(
    db: asyncpg.Connection, cluster: Cluster, address: DatabaseAddress
) -> None:
    await db.execute(
        "select pgmq.send_batch('jobs', array(select jsonb_build_object('n', n) from generate_series(1, 300) n))"
    )

    async def reader() -> list[int]:
        found: list[int] = []
        async with another(cluster, address) as connection:
            while batch := await read(connection, 7):
                found += [row[0] for row in batch]
        return found

    readers = await asyncio.gather(*(reader() for _ in range(4)))
    assert sorted(number for found in readers for number in found) == list(range(1, 301))
    assert await db.fetchval("select max(read_ct) from pgmq.q_jobs") == 1


async def test_a_reader_does_not_wait_for_one_whose_transaction_is_open(
    db: asyncpg.Connection, cluster: Cluster, address: DatabaseAddress
) -> None:
    await send(db, "a", "b")
    async with another(cluster, address) as first, first.transaction():
        assert [row[0] for row in await read(first, 1)] == [1]
        assert [row[0] for row in await read(db, 2)] == [2]


async def test_what_is_sent_in_a_transaction_is_there_with_its_commit(
    db: asyncpg.Connection, cluster: Cluster, address: DatabaseAddress
) -> None:
    async with another(cluster, address) as sender:
        transaction = sender.transaction()
        await transaction.start()
        await send(sender, "a")
        assert await read(db, 1) == []
        await transaction.rollback()
        assert await read(db, 1) == []
        await send(sender, "b")
    assert [row[2] for row in await read(db, 1)] == ['{"n": "b"}']


async def test_polling_ends_with_the_message_that_comes(
    db: asyncpg.Connection, cluster: Cluster, address: DatabaseAddress
) -> None:
    async with another(cluster, address) as waiting:
        poll = "select message from pgmq.read_with_poll('jobs', 30, 1, 60, 20)"
        reading = asyncio.create_task(waiting.fetchval(poll))
        await send(db, "late")
        assert await reading == '{"n": "late"}'
        assert await waiting.fetch("select * from pgmq.read_with_poll('jobs', 30, 1, 0, 20)") == []


async def test_the_signatures_that_migrations_grant_on_are_there(db: asyncpg.Connection) -> None:
    for signature in ("pop(text)", "send(text, jsonb, integer)", "send_batch(text, jsonb[], integer)"):
        await db.execute(f"grant execute on function pgmq.{signature} to service_role")


async def test_popped_and_deleted_messages_are_gone_and_archived_ones_are_kept(db: asyncpg.Connection) -> None:
    await send(db, "a", "b", "c")
    assert await db.fetchval("select message from pgmq.pop('jobs')") == '{"n": "a"}'
    assert await db.fetchval("select pgmq.delete('jobs', 2::bigint)")
    assert not await db.fetchval("select pgmq.delete('jobs', 2::bigint)")
    assert await db.fetchval("select pgmq.archive('jobs', 3::bigint)")
    assert await db.fetchval("select count(*) from pgmq.q_jobs") == 0
    row = await db.fetchrow("select msg_id, message, archived_at from pgmq.a_jobs")
    assert tuple(row)[:2] == (3, '{"n": "c"}')
    assert isinstance(row[2], datetime)


async def test_metrics_count_what_waits_what_is_seen_and_all_there_ever_were(db: asyncpg.Connection) -> None:
    await send(db, "a", "b", "c")
    await read(db, 1)
    await db.execute("select pgmq.pop('jobs')")
    row = await db.fetchrow(
        "select queue_name, queue_length, queue_visible_length, total_messages from pgmq.metrics('jobs')"
    )
    assert tuple(row) == ("jobs", 2, 1, 3)
    assert await db.fetchval("select count(*) from pgmq.metrics_all()") == 1
    assert await db.fetchval("select pgmq.purge_queue('jobs')") == 2


async def test_queues_are_listed_with_their_kind_and_dropped(db: asyncpg.Connection) -> None:
    await db.execute("select pgmq.create_unlogged('fast'); select pgmq.create_non_partitioned('slow')")
    rows = await db.fetch("select queue_name, is_unlogged, is_partitioned from pgmq.list_queues() order by 1")
    assert [tuple(row) for row in rows] == [("fast", True, False), ("jobs", False, False), ("slow", False, False)]
    assert await db.fetchval("select relpersistence from pg_class where oid = 'pgmq.q_fast'::regclass") == b"u"
    assert await db.fetchval("select pgmq.drop_queue('fast')")
    assert await db.fetchval("select to_regclass('pgmq.q_fast')") is None
    await db.execute("select pgmq.create('jobs')")


async def test_a_partitioned_queue_says_what_it_lacks(db: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.RaiseError, match="pg_partman is required for partitioned queues"):
        await db.execute("select pgmq.create_partitioned('parts')")


@pytest.mark.parametrize("name", ["x'; drop table pgmq.meta; --", "$1", "x" * 60])
async def test_a_name_that_could_reach_another_table_is_refused(db: asyncpg.Connection, name: str) -> None:
    with pytest.raises(asyncpg.RaiseError, match="queue name"):
        await db.execute("select pgmq.create($1)", name)
    assert await db.fetchval("select count(*) from pgmq.meta") == 1


async def test_callers_of_the_api_reach_no_queue_unless_they_are_let(db: asyncpg.Connection) -> None:
    for role in ("anon", "authenticated", "service_role"):
        await db.execute(f"set role {role}")
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="schema pgmq"):
            await db.fetch("select * from pgmq.read('jobs', 1, 1)")
        await db.execute("reset role")


async def test_an_extension_that_went_comes_back_with_its_queues(db: asyncpg.Connection) -> None:
    """As `migration down` takes it, which leaves the schema."""
    await send(db, "a")
    await db.execute("drop extension pgmq cascade; create extension pgmq; select pgmq.create('jobs')")
    assert await db.fetchval("select count(*) from pgmq.list_queues()") == 1
    await send(db, "b")
    assert {row[2] for row in await read(db, 5)} >= {'{"n": "b"}'}
