"""Whoever leads is torn away again and again: no run is doubled, none that succeeded is without its effect."""

from __future__ import annotations

from minato.database.address import DatabaseAddress

from tests.support.cron import StandingClock, scheduling
from tests.support.postgres import Cluster
from tests.support.waiting import until_rows

NOBODY = """select count(*) = 0 from pg_stat_activity
    where application_name = 'pg_cron' and datname = current_database()"""
JOBS, ROUNDS = 10, 6
COMMAND = """insert into public.ran select max(runid) from cron.job_run_details
    where job_pid = pg_backend_pid() and status = 'running'"""
TEAR = """select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'minato pg_cron' and datname = current_database()"""


async def test_a_minute_has_one_run_of_each_job_whoever_is_killed(cluster: Cluster, address: DatabaseAddress) -> None:
    owner, clock = cluster.url(address, "postgres"), StandingClock()
    async with scheduling(address, owner, clock) as cron:
        await cron.owner.execute("create table public.ran (run bigint primary key)")
        for number in range(JOBS):
            await cron.schedule(f"job {number}", "* * * * *", COMMAND)
    for _ in range(ROUNDS):
        async with scheduling(address, owner, clock) as cron:
            await cron.later(minutes=1)
            await cron.admin.execute(TEAR)
            await cron.leader.lost()
            await cron.scheduler.idle()
            # Sessions of runs that nobody leads any more end by themselves.
            await until_rows(cron.admin, NOBODY)
    async with scheduling(address, owner, clock) as cron:
        runs = await cron.admin.fetch(
            "select jobid, status, return_message, r.run is not null as done from cron.job_run_details d"
            " left join public.ran r on r.run = d.runid"
        )
        assert len(runs) == JOBS * ROUNDS
        assert {row["return_message"] for row in runs if row["status"] == "failed"} <= {"server restarted"}
        assert [row["jobid"] for row in runs if row["status"] == "succeeded" and not row["done"]] == []
        assert await cron.admin.fetchval("select count(*) <= $1 from public.ran", JOBS * ROUNDS)
