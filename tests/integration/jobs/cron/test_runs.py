"""What a run does and what is told of it, with libpq itself as the judge of the words."""

from __future__ import annotations

import asyncio

import asyncpg
import psycopg2
import pytest

from tests.support.cron import Cron, scheduling
from tests.support.postgres import Cluster

SUCCEEDED = {
    "select 1": "1 row",
    "select from generate_series(1, 3)": "3 rows",
    "select 1 where false": "0 rows",
    "": "0 rows",
    "create table made (id int)": "CREATE TABLE",
    "create table taken as select 1": "SELECT 1",
    "insert into kept values (1), (2)": "INSERT 0 2",
    "insert into kept values (1) returning id": "1 row",
    "do $$ begin raise warning 'careful'; end $$": "DO",
    "vacuum": "VACUUM",
    "select 1; select from generate_series(1, 2)": "2 rows",
    "begin; insert into kept values (9); commit": "COMMIT",
    "show timezone": "1 row",
}
FAILED = [
    "select 1/0",
    "select nothing from nowhere",
    "selec 1",
    "select 1;\n\tselect   'ü', 'ü' || wrong,\n3",
    "select '日本語', wrong",
    f"select '{'x' * 80}', wrong, '{'y' * 80}'",
    f"select wrong, '{'y' * 80}'",
    "select 'text'::int",
    "do $$ begin raise exception 'no' using detail = 'because', hint = 'try'; end $$",
    "do $$ begin perform wrong; end $$",
    "insert into kept values (null)",
    "vacuum; select 1",
]


@pytest.mark.parametrize("command", SUCCEEDED)
async def test_a_run_tells_its_last_result(cron: Cron, command: str) -> None:
    await cron.owner.execute("create table public.kept (id int)")
    await cron.schedule("n", "* * * * *", command)
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == [("succeeded", SUCCEEDED[command])]


@pytest.mark.parametrize("command", FAILED)
async def test_a_run_that_fails_tells_what_libpq_tells(
    cluster: Cluster, address: object, cron: Cron, command: str
) -> None:
    await cron.owner.execute("create table public.kept (id int not null)")
    await cron.schedule("n", "* * * * *", command)
    await cron.later(minutes=1)
    await cron.all_done()
    ((status, message),) = await cron.runs()
    assert (status, message) == ("failed", await asyncio.to_thread(libpq, cron.database.address.admin, command))


def libpq(dsn: str, command: str) -> str:
    connection = psycopg2.connect(dsn.replace("supabase_admin", "postgres", 1))
    connection.autocommit = True
    try:
        with connection.cursor() as cursor, pytest.raises(psycopg2.Error) as failed:
            cursor.execute(command)
        return str(failed.value.pgerror)
    finally:
        connection.close()


async def test_a_run_is_told_from_its_begin_to_its_end_by_the_servers_clock(cron: Cron) -> None:
    number = await cron.schedule("n", "* * * * *", "select pg_backend_pid()")
    await cron.later(minutes=1)
    await cron.all_done()
    row = await cron.admin.fetchrow("table cron.job_run_details")
    assert (row["jobid"], row["username"], row["command"]) == (number, "postgres", "select pg_backend_pid()")
    assert row["database"] == await cron.owner.fetchval("select current_database()")
    assert row["start_time"] == row["end_time"] == cron.clock.now()
    assert row["job_pid"] > 0


async def test_a_run_is_a_login_of_its_user_with_the_settings_of_that_role(cron: Cron) -> None:
    await cron.schedule(
        "n",
        "* * * * *",
        "create table public.seen as select session_user::text, current_user::text as me,"
        " current_setting('search_path') as path, current_setting('application_name') as name",
    )
    await cron.later(minutes=1)
    await cron.all_done()
    row = await cron.owner.fetchrow("table public.seen")
    assert tuple(row) == ("postgres", "postgres", '"$user", public, extensions', "pg_cron")


async def test_a_run_cannot_climb_above_its_user(cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", "reset role; reset session authorization; set role supabase_admin")
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == [("failed", 'ERROR:  permission denied to set role "supabase_admin"\n')]


async def test_statements_of_a_run_stand_and_fall_together(cron: Cron) -> None:
    await cron.owner.execute("create table public.kept (id int)")
    await cron.schedule("n", "* * * * *", "insert into kept values (1); select 1/0")
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.owner.fetchval("select count(*) from kept") == 0


async def test_rows_are_counted_without_being_held(cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", "select repeat('x', 3000) from generate_series(1, 20000)")
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == [("succeeded", "20000 rows")]


async def test_one_large_row_is_one_row_and_a_large_error_is_cut(cron: Cron) -> None:
    await cron.schedule("a", "* * * * *", "select repeat('x', 3000000); select 2")
    await cron.schedule("b", "* * * * *", "do $$ begin raise exception '%', repeat('x', 3000000); end $$")
    await cron.later(minutes=1)
    await cron.all_done()
    told = {status: message or "" for status, message in await cron.runs()}
    assert told["succeeded"] == "1 row"
    assert told["failed"].startswith("ERROR:  xxx")
    assert len(told["failed"]) < 300_000


@pytest.mark.parametrize("command", ["copy pg_class to stdout", "copy public.kept from stdin"])
async def test_copy_has_nobody_to_talk_to(cron: Cron, command: str) -> None:
    await cron.owner.execute("create table public.kept (id int)")
    await cron.schedule("n", "* * * * *", command)
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == [("failed", "COPY not supported")]


async def test_a_run_that_ends_its_own_session_fails(cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", "select pg_terminate_backend(pg_backend_pid())")
    await cron.later(minutes=1)
    await cron.all_done()
    ((status, message),) = await cron.runs()
    assert status == "failed"
    assert message is not None
    assert message.startswith("FATAL:  terminating connection due to administrator command\n")
    assert "server closed the connection unexpectedly" in message


async def test_whoever_may_not_come_in_failed_to_connect(cron: Cron) -> None:
    await cron.admin.execute("insert into cron.job (schedule, command, username) values ('* * * * *', 'x', 'nobody')")
    await cron.admin.execute("insert into cron.job (schedule, command, username) values ('* * * * *', 'x', 'anon')")
    await cron.admin.execute(
        "insert into cron.job (schedule, command, username, database) values ('* * * * *', 'x', 'postgres', 'no')"
    )
    cron.scheduler.jobs_changed()
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == [("failed", "connection failed")] * 3
    assert not cron.database.outage.lasts


async def test_jobs_of_a_copied_database_run_in_the_copy(cluster: Cluster, cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", "create table public.here as select current_database() as name")
    original = await cron.owner.fetchval("select current_database()")
    await cron.owner.close()
    await cron.admin.close()
    async with cluster.bare_database() as other:
        maintenance = await asyncpg.connect(other.admin)
        await maintenance.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1".replace("$1", f"'{original}'")
        )
        await maintenance.execute(f"create database the_copy template {original}")
        copy = cluster.address("the_copy")
        try:
            async with scheduling(copy, cluster.url(copy, "postgres")) as copied:
                await copied.later(minutes=1)
                await copied.all_done()
                assert await copied.owner.fetchval("select name from public.here") == "the_copy"
        finally:
            await maintenance.execute("drop database the_copy with (force)")
            await maintenance.close()
