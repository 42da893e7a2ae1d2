"""The functions and tables of pg_cron from SQL: what they do, whom they let, and in which words they refuse."""

from __future__ import annotations

import asyncpg
import pytest

from tests.support.cron import Cron

JOBS = "select jobid, jobname, schedule, command, active from cron.job order by jobid"


async def jobs(cron: Cron) -> list[tuple[object, ...]]:
    return [tuple(row) for row in await cron.owner.fetch(JOBS)]


async def refusal(cron: Cron, statement: str, *values: object) -> str:
    with pytest.raises(asyncpg.PostgresError) as refused:
        await cron.owner.fetch(statement, *values)
    return f"{refused.value.sqlstate} {refused.value.message}"


async def test_a_job_with_a_name_is_replaced_by_the_next_of_that_name(cron: Cron) -> None:
    first = await cron.schedule("tidy", "0 10 * * *", "vacuum")
    assert await cron.schedule("tidy", "0 11 * * *", "vacuum full") == first
    assert await jobs(cron) == [(first, "tidy", "0 11 * * *", "vacuum full", True)]


async def test_jobs_without_a_name_stand_beside_each_other(cron: Cron) -> None:
    numbers = [await cron.owner.fetchval("select cron.schedule('@daily', 'vacuum')") for _ in range(2)]
    assert [job[0] for job in await jobs(cron)] == numbers
    row = await cron.owner.fetchrow("select * from cron.job where jobid = $1", numbers[0])
    assert (row["nodename"], row["username"], row["jobname"]) == ("localhost", "postgres", None)
    assert row["database"] == await cron.owner.fetchval("select current_database()")
    assert row["nodeport"] == await cron.owner.fetchval("select current_setting('port')::int")


async def test_a_job_is_unscheduled_by_its_number_and_by_its_name(cron: Cron) -> None:
    number = await cron.schedule("one", "@daily", "x")
    await cron.schedule("two", "@daily", "x")
    assert await cron.owner.fetchval("select cron.unschedule($1::bigint)", number) is True
    assert await cron.owner.fetchval("select cron.unschedule('two')") is True
    assert await jobs(cron) == []


async def test_what_is_not_there_is_refused_in_the_words_of_pg_cron(cron: Cron) -> None:
    assert await refusal(cron, "select cron.unschedule(77)") == "XX000 could not find valid entry for job 77"
    assert await refusal(cron, "select cron.unschedule('x')") == "XX000 could not find valid entry for job 'x'"
    assert await refusal(cron, "select cron.alter_job(77, active := false)") == (
        "XX000 Job 77 does not exist or you don't own it"
    )
    assert await refusal(cron, "select cron.alter_job(77)") == "XX000 no updates specified"
    assert await refusal(cron, "select cron.alter_job(null)") == "XX000 job_id can not be NULL"
    for missing, values in {"job_name": "null, '* * * * *', 'x'", "schedule": "'n', null, 'x'"}.items():
        assert await refusal(cron, f"select cron.schedule({values})") == f"XX000 {missing} can not be NULL"
    assert await refusal(cron, "select cron.schedule('n', '* * * * *', null)") == "XX000 command can not be NULL"
    assert await cron.owner.fetchval("select cron.schedule(null, 'x')") is None


async def test_a_job_is_altered_where_a_value_is_given(cron: Cron) -> None:
    number = await cron.schedule("n", "@daily", "x")
    await cron.owner.execute("select cron.alter_job($1, schedule := '@hourly')", number)
    await cron.owner.execute("select cron.alter_job($1, command := 'y', active := false)", number)
    assert await jobs(cron) == [(number, "n", "@hourly", "y", False)]
    assert "invalid schedule: soon" in await refusal(cron, "select cron.alter_job($1, schedule := 'soon')", number)


async def test_a_job_may_be_for_another_database_that_its_user_may_enter(cron: Cron) -> None:
    await cron.admin.execute("create role secluded login; grant usage on schema cron to secluded")
    try:
        statement = "select cron.schedule_in_database('n', '@daily', 'x', $1, username := 'secluded', active := false)"
        own = await cron.owner.fetchval("select current_database()")
        assert await cron.owner.fetchval("select cron.schedule_in_database('o', '@daily', 'x', 'template1')") == 1
        assert await cron.admin.fetchval(statement, "template1") == 2
        assert await cron.admin.fetchval(statement, "template1") == 2
        row = await cron.admin.fetchrow("select database, username, active from cron.job where jobid = 2")
        assert tuple(row) == ("template1", "secluded", False)
        assert await refusal(cron, "select cron.schedule_in_database('n', '@daily', 'x', 'nowhere')") == (
            '3D000 database "nowhere" does not exist'
        )
        await cron.admin.execute(f'revoke connect on database "{own}" from public')
        with pytest.raises(
            asyncpg.InternalServerError, match=f"User secluded does not have CONNECT privilege on {own}"
        ):
            await cron.admin.fetchval(statement, own)
    finally:
        await cron.admin.execute("drop owned by secluded; drop role secluded")


async def test_only_a_superuser_schedules_for_somebody_else(cron: Cron) -> None:
    call = "select cron.schedule_in_database('n', '@daily', 'x', current_database(), $1)"
    assert await refusal(cron, call, "supabase_admin") == "XX000 must be superuser to create a job for another role"
    number = await cron.schedule("n", "@daily", "x")
    assert await refusal(cron, "select cron.alter_job($1, username := 'supabase_admin')", number) == (
        "XX000 must be superuser to alter username"
    )
    with pytest.raises(asyncpg.InternalServerError, match='role "nobody_here" does not exist'):
        await cron.admin.fetchval(call, "nobody_here")
    with pytest.raises(asyncpg.InternalServerError, match='role "anon" can not log in'):
        await cron.admin.fetchval(call, "anon")


async def test_nobody_writes_the_table_past_the_functions(cron: Cron) -> None:
    forged = "(schedule, command, username) values ('@daily', 'x', 'supabase_admin')"
    assert (await refusal(cron, f"insert into cron.job {forged}")).startswith("42501")
    assert (await refusal(cron, f"insert into cron._own_job {forged}")).startswith("44000")
    number = await cron.schedule("n", "@daily", "x")
    move = "update cron._own_job set username = 'supabase_admin' where jobid = $1"
    assert (await refusal(cron, move, number)).startswith("44000")
    foreign = await cron.admin.fetchval("select cron.schedule('@daily', 'x')")
    assert await refusal(cron, "select cron.unschedule($1::bigint)", foreign) == "42501 permission denied for table job"
    assert "does not exist or you don't own it" in await refusal(
        cron, "select cron.alter_job($1, active := false)", foreign
    )


async def test_a_function_with_its_definers_rights_schedules_for_its_definer(cron: Cron) -> None:
    await cron.owner.execute(
        "create function public.plan() returns bigint language sql security definer"
        " as $$ select cron.schedule('@daily', 'x') $$"
    )
    await cron.admin.execute("set session authorization authenticator; set role authenticated")
    number = await cron.admin.fetchval("select public.plan()")
    await cron.admin.execute("reset role; reset session authorization")
    assert await cron.admin.fetchval("select username from cron.job where jobid = $1", number) == "postgres"


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role"])
@pytest.mark.parametrize(
    "call", ["select cron.schedule('@daily', 'x')", "table cron.job", "table cron.job_run_details"]
)
async def test_the_apis_roles_have_no_way_in(cron: Cron, role: str, call: str) -> None:
    await cron.owner.execute(f"set role {role}")
    assert await refusal(cron, call) == "42501 permission denied for schema cron"


async def test_others_see_and_delete_their_own_rows_alone(cron: Cron) -> None:
    await cron.admin.execute("create role planner login; grant usage on schema cron to planner")
    try:
        await cron.schedule("theirs", "@daily", "x")
        await cron.admin.execute("insert into cron.job_run_details (username) values ('planner'), ('postgres')")
        await cron.admin.execute("set session authorization planner")
        await cron.admin.fetchval("select cron.schedule('mine', '@daily', 'x')")
        assert [row["jobname"] for row in await cron.admin.fetch("table cron.job")] == ["mine"]
        assert await cron.admin.execute("delete from cron.job_run_details") == "DELETE 1"
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await cron.admin.execute("select cron.alter_job(1, active := false)")
    finally:
        await cron.admin.execute("reset session authorization; drop owned by planner; drop role planner")


@pytest.mark.parametrize(
    "place",
    ["before insert on cron.job", "before insert on cron.job_run_details", "instead of insert on cron._own_job"],
)
async def test_nobody_hangs_a_trigger_on_what_the_server_writes(cron: Cron, place: str) -> None:
    await cron.owner.execute(
        "create function public.climb() returns trigger language plpgsql as $$ begin return new; end $$"
    )
    climb = f"create trigger climb {place} for each row execute function public.climb()"
    assert (await refusal(cron, climb)).startswith("42501")


async def test_jobs_come_along_in_a_dump_of_the_extension(cron: Cron) -> None:
    kept = await cron.owner.fetchval("select extconfig::regclass[]::text[] from pg_extension where extname = 'pg_cron'")
    assert sorted(kept) == ["cron.job", "cron.job_run_details", "cron.jobid_seq", "cron.runid_seq"]
