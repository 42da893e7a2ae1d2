"""Who runs, when, how often and how many at once; and what happens when a job, the lead or the server goes away."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import asyncpg
import pytest
from minato.database.address import DatabaseAddress
from minato.database.outage import CONNECTION_ERRORS
from minato.jobs.cron.scheduler import MOST_RUNNING
from minato.jobs.cron.tables import CronTables
from minato.jobs.leader import leading

from tests.support.cron import Cron, StandingClock, scheduling
from tests.support.postgres import Cluster
from tests.support.waiting import until_rows

HOLD = "select pg_advisory_xact_lock(5)"


WAITS_FOR_TABLE = "select count(*) = 1 from pg_locks where relation = 'cron.job_run_details'::regclass and not granted"
INSIDE = "select count(*) = $1 from pg_locks where objid = 5 and locktype = 'advisory' and not granted"


async def wait_inside(cron: Cron, number: int = 1) -> None:
    """Until so many runs wait for the lock that the test holds."""
    await until_rows(cron.admin, INSIDE, number)


async def test_a_job_is_not_due_in_the_minute_in_which_it_was_scheduled(cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", "select 1")
    await cron.later(seconds=20)
    await cron.all_done()
    assert await cron.runs() == []
    await cron.later(seconds=20)
    await cron.all_done()
    assert len(await cron.runs()) == 1


async def test_a_job_of_seconds_goes_on_when_the_clock_is_put_back(cron: Cron) -> None:
    await cron.schedule("n", "10 seconds", "select 1")
    await cron.scheduler.beat()
    await cron.later(hours=10)
    await cron.all_done()
    await cron.later(hours=-9)
    await cron.later(seconds=10)
    await cron.all_done()
    assert len(await cron.runs()) == 2


async def test_a_beat_that_comes_late_makes_up_for_the_minutes_it_missed(cron: Cron) -> None:
    await cron.schedule("always", "* * * * *", "select 1")
    await cron.schedule("once", "2 12 * * *", "select 1, 2")
    await cron.later(minutes=4)
    await cron.all_done()
    commands = await cron.admin.fetch("select command from cron.job_run_details order by command")
    assert [row["command"] for row in commands] == ["select 1"] * 4 + ["select 1, 2"]


async def test_what_was_due_while_no_server_ran_is_not_made_up_for(cluster: Cluster, address: DatabaseAddress) -> None:
    owner, clock = cluster.url(address, "postgres"), StandingClock()
    async with scheduling(address, owner, clock) as cron:
        await cron.schedule("n", "* * * * *", "select 1")
    clock.advance(timedelta(minutes=4))
    async with scheduling(address, owner, clock) as cron:
        await cron.later(seconds=1)
        await cron.all_done()
        assert await cron.runs() == []
        await cron.later(minutes=1)
        await cron.all_done()
        assert len(await cron.runs()) == 1


async def test_an_interval_begins_when_the_job_is_heard_of_and_waits_once(cron: Cron) -> None:
    await cron.schedule("n", "10 seconds", HOLD)
    await cron.scheduler.beat()
    async with cron.owner.transaction():
        await cron.owner.execute(HOLD)
        await cron.later(seconds=9)
        assert not cron.scheduler.busy
        await cron.later(seconds=1)
        await wait_inside(cron)
        for _ in range(5):
            await cron.later(seconds=10)
    await cron.all_done()
    assert await cron.runs() == [("succeeded", "1 row")] * 2


async def test_a_job_never_overlaps_itself_and_its_missed_minutes_wait(cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", HOLD)
    async with cron.owner.transaction():
        await cron.owner.execute(HOLD)
        await cron.later(minutes=1)
        await wait_inside(cron)
        await cron.later(minutes=1)
        await cron.later(minutes=1)
        assert await cron.admin.fetchval("select count(*) from pg_locks where objid = 5 and not granted") == 1
    await cron.all_done()
    assert await cron.runs() == [("succeeded", "1 row")] * 3


async def test_thirty_two_jobs_run_at_once_and_the_others_wait(cron: Cron) -> None:
    for number in range(MOST_RUNNING + 8):
        await cron.schedule(f"job {number}", "* * * * *", HOLD.replace("xact_lock", "xact_lock_shared"))
    async with cron.owner.transaction():
        await cron.owner.execute(HOLD)
        await cron.later(minutes=1)
        await wait_inside(cron, MOST_RUNNING)
        await cron.scheduler.beat()
        assert [status for status, _ in await cron.runs()].count("running") == MOST_RUNNING
    await cron.all_done()
    assert await cron.runs() == [("succeeded", "1 row")] * (MOST_RUNNING + 8)


async def test_a_job_that_hangs_keeps_no_other_from_running(cron: Cron) -> None:
    await cron.schedule("hangs", "* * * * *", HOLD)
    await cron.schedule("runs", "* * * * *", "select 1, 2")
    async with cron.owner.transaction():
        await cron.owner.execute(HOLD)
        await cron.later(minutes=1)
        await wait_inside(cron)
        await cron.later(minutes=1)
        async with asyncio.timeout(60):
            while await cron.admin.fetchval("select count(*) from cron.job_run_details where status = 'succeeded'") < 2:
                await cron.scheduler.beat()
                await asyncio.sleep(0)
    await cron.all_done()


async def test_a_run_whose_job_is_unscheduled_is_canceled_with_its_work(cron: Cron) -> None:
    await cron.owner.execute("create table public.kept (id int)")
    await cron.schedule("n", "* * * * *", f"insert into kept values (1); {HOLD}")
    blocker = await asyncpg.connect(cron.database.address.admin)
    await blocker.execute("select pg_advisory_lock(5)")
    await cron.later(minutes=1)
    await wait_inside(cron)
    await cron.owner.execute("select cron.unschedule('n')")
    cron.scheduler.jobs_changed()
    await cron.scheduler.beat()
    await cron.all_done()
    await blocker.close()
    assert await cron.runs() == [("failed", "job canceled")]
    assert await cron.owner.fetchval("select count(*) from kept") == 0


async def test_a_job_that_is_switched_off_is_canceled_and_waits_until_it_is_switched_on(cron: Cron) -> None:
    number = await cron.schedule("n", "* * * * *", HOLD)
    async with cron.owner.transaction():
        await cron.owner.execute(HOLD)
        await cron.later(minutes=1)
        await wait_inside(cron)
        await cron.admin.execute("select cron.alter_job($1, active := false)", number)
        cron.scheduler.jobs_changed()
        await cron.scheduler.beat()
        await cron.all_done()
    await cron.later(minutes=1)
    assert await cron.runs() == [("failed", "job canceled")]
    await cron.owner.execute("select cron.alter_job($1, active := true)", number)
    cron.scheduler.jobs_changed()
    await cron.scheduler.beat()
    await cron.later(minutes=1)
    await cron.all_done()
    assert (await cron.runs())[1:] == [("succeeded", "1 row")]


async def test_a_job_that_unschedules_itself_is_done_once(cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", "select cron.unschedule('n')")
    await cron.later(minutes=1)
    await cron.scheduler.idle()
    cron.scheduler.jobs_changed()
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == [("succeeded", "1 row")]


async def test_a_job_whose_migration_is_rolled_back_never_was(cron: Cron) -> None:
    transaction = cron.owner.transaction()
    await transaction.start()
    await cron.schedule("n", "* * * * *", "select 1")
    await cron.later(minutes=1)
    await transaction.rollback()
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == []


async def test_one_process_of_several_leads_until_it_goes(cron: Cron) -> None:
    async with leading(cron.database, "cron") as second:
        assert second is None
    async with leading(cron.database, "net") as other:
        assert other is not None


async def test_a_process_that_lost_the_lead_begins_nothing(cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", "select 1")
    await cron.scheduler.beat()
    await cron.admin.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'minato pg_cron'"
        " and datname = current_database()"
    )
    await cron.leader.lost()
    with pytest.raises(CONNECTION_ERRORS):
        await cron.later(minutes=1)
    assert await cron.runs() == []
    async with leading(cron.database, "cron") as next_one:
        assert next_one is not None


async def test_what_a_killed_server_left_running_failed_with_it(cluster: Cluster, address: DatabaseAddress) -> None:
    async with scheduling(address, cluster.url(address, "postgres")) as cron:
        await cron.admin.execute(
            "insert into cron.job_run_details (jobid, status) values"
            " (1, 'starting'), (1, 'running'), (1, 'connecting'), (1, 'sending'), (1, 'succeeded')"
        )
    async with scheduling(address, cluster.url(address, "postgres")) as cron:
        assert await cron.runs() == [("failed", "server restarted")] * 4 + [("succeeded", None)]


async def test_a_server_that_stops_takes_its_runs_back(cluster: Cluster, address: DatabaseAddress) -> None:
    watcher = await asyncpg.connect(address.admin)
    await watcher.execute("create table public.kept (id int); grant all on public.kept to postgres")
    async with scheduling(address, cluster.url(address, "postgres")) as cron:
        await watcher.execute("select pg_advisory_lock(5)")
        await cron.schedule("n", "* * * * *", f"insert into kept values (1); {HOLD}")
        await cron.later(minutes=1)
        await wait_inside(cron)
    await watcher.execute("select pg_advisory_unlock(5)")
    await until_rows(watcher, "select count(*) = 0 from pg_stat_activity where application_name = 'pg_cron'")
    assert await watcher.fetchval("select count(*) from public.kept") == 0
    await watcher.close()


async def test_a_job_for_the_start_runs_once_when_the_server_starts(cron: Cron) -> None:
    await cron.schedule("n", "@reboot", "select 1")
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == []
    keeping = asyncio.create_task(cron.scheduler.keep_time(at_start=True))
    await until_rows(cron.admin, "select count(*) = 1 from cron.job_run_details where status = 'succeeded'")
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    assert len(await cron.runs()) == 1


async def test_a_dropped_extension_ends_the_work(cron: Cron) -> None:
    await cron.schedule("n", "* * * * *", "select 1")
    await cron.scheduler.beat()
    await cron.owner.execute("drop extension pg_cron cascade")
    with pytest.raises(asyncpg.UndefinedTableError):
        await cron.later(minutes=1)


async def test_a_run_that_waited_for_its_turn_when_its_server_was_killed_is_told_of(
    cluster: Cluster, address: DatabaseAddress
) -> None:
    async with scheduling(address, cluster.url(address, "postgres")) as cron:
        await cron.admin.execute("select pg_advisory_lock(5)")
        await cron.schedule("n", "* * * * *", HOLD)
        await cron.later(minutes=1)
        await wait_inside(cron)
        await cron.later(minutes=2)
    async with scheduling(address, cluster.url(address, "postgres")) as cron:
        assert await cron.runs() == [("failed", "server restarted")] * 3


async def test_runs_that_wait_are_canceled_with_their_job(cron: Cron) -> None:
    await cron.admin.execute("select pg_advisory_lock(5)")
    number = await cron.schedule("n", "* * * * *", HOLD)
    await cron.later(minutes=1)
    await wait_inside(cron)
    await cron.later(minutes=1)
    await cron.owner.execute("select cron.unschedule($1::bigint)", number)
    cron.scheduler.jobs_changed()
    await cron.scheduler.beat()
    await cron.all_done()
    assert await cron.runs() == [("failed", "job canceled")] * 2


async def test_a_run_tells_the_command_that_the_job_had_at_its_turn(cron: Cron) -> None:
    await cron.admin.execute("select pg_advisory_lock(5)")
    number = await cron.schedule("n", "* * * * *", HOLD)
    await cron.later(minutes=1)
    await wait_inside(cron)
    await cron.later(minutes=1)
    await cron.owner.execute("select cron.alter_job($1, command := 'select 2')", number)
    cron.scheduler.jobs_changed()
    await cron.admin.execute("select pg_advisory_unlock(5)")
    await cron.all_done()
    commands = await cron.admin.fetch("select command from cron.job_run_details order by runid")
    assert [row["command"] for row in commands] == [HOLD, "select 2"]


async def test_runs_that_end_while_others_are_written_are_written_together(cron: Cron) -> None:
    await cron.admin.execute(
        "insert into cron.job_run_details (jobid, status) select 1, 'running' from generate_series(1, 5)"
    )
    tables, now = CronTables(cron.leader), cron.clock.now()
    async with cron.admin.transaction():
        await cron.admin.execute("lock table cron.job_run_details in share mode")
        ends = [asyncio.create_task(tables.end(run, True, "1 row", now, now)) for run in range(1, 6)]
        await until_rows(cron.owner, WAITS_FOR_TABLE)
    await asyncio.gather(*ends)
    assert await cron.runs() == [("succeeded", "1 row")] * 5
    assert await cron.admin.fetchval("select count(distinct xmin::text) from cron.job_run_details") == 2


async def test_all_that_were_written_together_hear_that_the_lead_is_lost(cron: Cron) -> None:
    tables, now = CronTables(cron.leader), cron.clock.now()
    await cron.admin.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'minato pg_cron'"
        " and datname = current_database()"
    )
    await cron.leader.lost()
    ends = await asyncio.gather(*(tables.end(run, True, "", now, now) for run in range(3)), return_exceptions=True)
    assert [isinstance(end, CONNECTION_ERRORS) for end in ends] == [True] * 3
