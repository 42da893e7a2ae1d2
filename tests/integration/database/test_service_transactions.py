"""A service's transactions over the wire: what is written waits, BEGIN and COMMIT ride along, nothing stays behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from uuid import UUID

import asyncpg
import pytest
from minato.config.database import DatabaseSettings
from minato.database.database import Database
from minato.database.engines import DatabaseUnreachable, open_engine
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceSessions, ServiceTransaction
from sqlalchemy import JSON, Boolean, Column, DateTime, Integer, LargeBinary, MetaData, Table, Text, insert, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import UUID as PG_UUID
from sqlalchemy.exc import DBAPIError, IntegrityError, NoResultFound
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tests.support.postgres import Cluster
from tests.support.waiting import until

ROLE = "supabase_auth_admin"
COUNT = "select count(*) from public.things"
things = Table(
    "things",
    MetaData(schema="public"),
    Column("id", Integer, primary_key=True),
    Column("name", Text),
    Column("known", JSON),
    Column("whose", PG_UUID),
    Column("at", DateTime(timezone=True)),
    Column("good", Boolean),
    Column("raw", LargeBinary),
    Column("tags", ARRAY(Text)),
)


@pytest.fixture
async def database(cluster: Cluster) -> AsyncIterator[Database]:
    async with cluster.fresh_database() as address:
        owner = await asyncpg.connect(address.admin)
        await owner.execute(
            "create table public.things (id int primary key, name text, known json, whose uuid, at timestamptz,"
            " good boolean, raw bytea, tags text[]);"
            f"grant all on public.things to {ROLE}; grant usage on schema public to {ROLE}"
        )
        await owner.close()
        opened = Database(address, DatabaseSettings(service_pool_size=1), 2)
        yield opened
        await opened.close()


@pytest.fixture
def sessions(database: Database) -> ServiceSessions:
    return database.service(ROLE)


def thing(number: int) -> Command:
    return Command("insert into public.things (id) values ($1)", [str(number)])


def unfound(name: str, _: Exception) -> Exception:
    return LookupError(name)


async def add_nested(db: ServiceTransaction, *numbers: int) -> None:
    async with db.begin_nested():
        for number in numbers:
            db.write(thing(number))


async def count(sessions: ServiceSessions) -> int:
    async with sessions.transaction(read_only=True) as db:
        ((row,),) = await db.ask(Command(COUNT))
        return int(row[0] or 0)


async def test_what_is_written_goes_out_with_the_commit(sessions: ServiceSessions) -> None:
    async with sessions.transaction() as db:
        db.write(thing(1))
        db.write(thing(2))
        assert sessions.flushes == 0
        await db.commit()
    assert (sessions.flushes, await count(sessions)) == (1, 2)


async def test_an_answer_is_asked_for_behind_what_was_written(sessions: ServiceSessions) -> None:
    async with sessions.transaction() as db:
        db.write(thing(1))
        assert await db.ask(Command(COUNT)) == [[[b"1"]]]


async def test_without_a_commit_nothing_stays(sessions: ServiceSessions) -> None:
    async with sessions.transaction() as db:
        db.write(thing(1))
        await db.ask()
        db.write(thing(2))
    assert await count(sessions) == 0


async def test_a_refused_write_is_told_by_its_flush_and_the_session_goes_on(sessions: ServiceSessions) -> None:
    async with sessions.transaction() as db:
        db.write(thing(1))
        db.write(thing(1))
        with pytest.raises(IntegrityError) as refused:
            await db.commit()
    cause = refused.value.orig.__cause__ if refused.value.orig else None
    assert isinstance(cause, asyncpg.UniqueViolationError)
    assert cause.constraint_name == "things_pkey"
    assert (await count(sessions), sessions.pool.idle) == (0, 1)


async def test_a_failure_is_called_by_the_name_of_its_own_statement(sessions: ServiceSessions) -> None:
    for named, expected in (("first", 1), ("second", 2)):
        async with sessions.transaction() as db:
            db.write(thing(0))
            for name, number in (("first", 1), ("second", 2)):
                with db.naming(partial(unfound, name)):
                    db.write(thing(0 if number == expected else number))
            with pytest.raises(LookupError, match=named) as refused:
                await db.ask(Command(COUNT))
            assert isinstance(refused.value.__cause__, IntegrityError)
    assert await count(sessions) == 0


async def test_what_has_no_name_fails_in_its_own_words(sessions: ServiceSessions) -> None:
    async with sessions.transaction() as db:
        with db.naming(lambda _: LookupError("named")):
            db.write(thing(1))
        db.write(thing(1))
        with pytest.raises(IntegrityError):
            await db.commit()


async def test_what_is_dropped_is_undone_and_costs_no_commit(sessions: ServiceSessions) -> None:
    async with sessions.transaction() as db:
        await db.ask(thing(1))
        db.write(thing(2))
        db.drop()
        await db.commit()
    assert sessions.flushes == 1
    assert await count(sessions) == 0


async def test_a_nested_failure_is_undone_alone(sessions: ServiceSessions) -> None:
    async with sessions.transaction() as db:
        db.write(thing(1))
        with pytest.raises(IntegrityError):
            await add_nested(db, 2, 1)
        db.write(thing(3))
        await db.commit()
    assert await count(sessions) == 2


async def test_postgresql_refuses_to_write_where_only_reading_was_meant(sessions: ServiceSessions) -> None:
    async with sessions.transaction(read_only=True) as db:
        with pytest.raises(DBAPIError, match="read-only"):
            await db.ask(thing(1))
    async with sessions.transaction() as db:
        db.write(thing(1))
        await db.commit()


async def test_the_next_transaction_knows_nothing_of_what_was_set(sessions: ServiceSessions) -> None:
    asked = Command("select current_user::text, current_setting('app.secret', true)")
    async with sessions.transaction() as db:
        await db.ask(Command("select set_config('app.secret', 'x', false), set_config('role', 'none', false)"))
        await db.commit()
    async with sessions.transaction() as db:
        assert (await db.ask(asked))[0][0] in ([ROLE.encode(), None], [ROLE.encode(), b""])


async def test_who_leaves_while_a_statement_runs_takes_the_session_along(sessions: ServiceSessions) -> None:
    async def wait() -> None:
        async with sessions.transaction() as db:
            await db.ask(Command("select pg_sleep(60)"))

    waiting = asyncio.create_task(wait())
    await until(lambda: sessions.flushes == 1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await until(lambda: sessions.pool.in_use == 0)
    assert await count(sessions) == 0


async def test_nobody_waits_for_a_session_for_ever(sessions: ServiceSessions) -> None:
    hasty = ServiceSessions(sessions.pool, within=0.01)
    async with sessions.transaction():
        with pytest.raises(PoolTimeout):
            async with hasty.transaction():
                pytest.fail("there is but one session")


async def test_a_connection_that_postgresql_ends_is_told_as_lost(sessions: ServiceSessions) -> None:
    with pytest.raises(DatabaseUnreachable):
        async with sessions.transaction() as db:
            await db.ask(Command("set local role none"), Command("select pg_terminate_backend(pg_backend_pid())"))
    assert await count(sessions) == 0


AT_THE_COMMIT = """
    create function public.at_commit() returns trigger language plpgsql as $$ begin {}; return null; end $$;
    create constraint trigger at_commit after insert on public.things deferrable initially deferred
        for each row execute function public.at_commit();
"""
LOST, FAILED, DONE = "perform pg_terminate_backend(pg_backend_pid())", "raise 'no'", "null"


@pytest.mark.parametrize(
    ("by", "end", "told"),
    [
        ("wire", LOST, [False]),
        ("wire", FAILED, []),
        ("wire", DONE, [True]),
        ("engine", LOST, [False]),
        ("engine", DONE, [True]),
    ],
)
async def test_it_is_told_whether_there_was_a_commit_and_where_nobody_knows(
    database: Database, by: str, end: str, told: list[bool]
) -> None:
    owner = await asyncpg.connect(database.address.admin)
    await owner.execute(AT_THE_COMMIT.format(end))
    await owner.close()
    heard: list[bool] = []

    async def hear(surely: bool) -> None:
        heard.append(surely)

    with suppress(DBAPIError, DatabaseUnreachable):
        if by == "wire":
            async with ServiceSessions(database.service(ROLE).pool, 10.0, hear).transaction() as db:
                db.write(thing(1))
                await db.commit()
        else:
            engine = open_engine(ROLE, database.address, database.settings, database.connect, hear)
            try:
                async with engine.begin() as connection:
                    await connection.exec_driver_sql("insert into public.things (id) values (1)")
            finally:
                await engine.dispose()
    assert heard == told


async def test_composed_statements_give_the_types_of_their_columns(sessions: ServiceSessions) -> None:
    row = {
        "id": 1,
        "name": 'a "b"',
        "known": {"n": 2**70, "x": None},
        "whose": UUID(int=7),
        "at": datetime(2026, 8, 20, 10, 54, 52, 120000, UTC),
        "good": False,
        "raw": b"\x00\xff",
        "tags": ["a", 'b,"c"\\', "NULL", ""],
    }
    async with sessions.transaction() as db:
        written = await db.execute(insert(things).values(row).returning(things))
        assert written.mappings().one() == row
        found = await db.execute(select(things.c.name, things.c.at).where(things.c.id.in_([1, 2])))
        assert found.all() == [(row["name"], row["at"])]
        with pytest.raises(NoResultFound):
            (await db.execute(select(things).where(things.c.id == 2))).mappings().one()


async def test_a_moment_without_end_is_after_every_other(sessions: ServiceSessions) -> None:
    async with sessions.transaction() as db:
        db.write(Command("insert into public.things (id, at) values (1, 'infinity')"))
        moment = (await db.execute(select(things.c.at))).scalar_one()
        assert moment == datetime.max.replace(tzinfo=UTC)
