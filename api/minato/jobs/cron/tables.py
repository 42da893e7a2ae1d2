"""The tables of pg_cron: `cron.job`, which the user fills, and `cron.job_run_details`, which tells of each run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from minato.jobs.cron.schedule import Schedule, schedule_of
from minato.jobs.leader import Leader, Together

_LOAD = """select jobid, jobname, command, database, username, active, cron._meaning(schedule) as meaning
    from cron.job order by jobid"""
# In a copy of a database, or a renamed one, its own jobs are those of the former name.
_SETTLE = """with here as (select oid, datname from pg_database where datname = current_database()),
    was as (select database, name from cron._home),
    moved as (update cron._home set database = here.oid, name = here.datname from here
        where cron._home.database <> here.oid or cron._home.name <> here.datname returning here.datname as name)
    update cron.job set database = moved.name from moved, was where job.database = was.name"""
_FAIL = """update cron.job_run_details set status = 'failed', return_message = 'server restarted'
    where status in ('starting', 'connecting', 'sending', 'running')"""
_BEGIN = """insert into cron.job_run_details (jobid, database, username, command, status)
    select jobid, database, username, command, 'starting'
    from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as run (jobid, database, username, command)
    returning runid"""
# A job may have been altered while its run waited.
_RUNNING = """update cron.job_run_details set status = 'running', job_pid = now.pid, start_time = now.began,
    database = now.database, username = now.username, command = now.command
    from unnest($1::bigint[], $2::int[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
        as now (run, pid, began, database, username, command)
    where runid = now.run"""
_DROP = """update cron.job_run_details set status = 'failed', return_message = $2 where runid = any($1::bigint[])"""
_END = """update cron.job_run_details set status = case when now.succeeded then 'succeeded' else 'failed' end,
    return_message = now.message, start_time = coalesce(start_time, now.began), end_time = now.ended
    from unnest($1::bigint[], $2::bool[], $3::text[], $4::timestamptz[], $5::timestamptz[])
        as now (run, succeeded, message, began, ended)
    where runid = now.run"""
_TERMINATE = "select pg_terminate_backend(pid) from unnest($1::int[]) as pid"


@dataclass(frozen=True)
class Job:
    """A row of `cron.job`; it need not have a name."""

    id: int
    name: str | None
    command: str
    database: str
    username: str
    active: bool
    schedule: Schedule


class CronTables:
    """Reads and writes them in the leader's session; every method raises CONNECTION_ERRORS."""

    def __init__(self, leader: Leader) -> None:
        self._leader = leader
        self._running = Together(leader, _RUNNING)
        self._ended = Together(leader, _END)

    async def settle(self) -> None:
        """What a predecessor left running failed with it, and jobs of a copied database belong to the copy."""
        await self._leader.rows(_SETTLE)
        await self._leader.rows(_FAIL)

    async def jobs(self) -> Sequence[Job]:
        """All jobs, oldest first."""
        return [
            Job(
                row["jobid"],
                row["jobname"],
                row["command"],
                row["database"],
                row["username"],
                row["active"],
                schedule_of(row["meaning"]),
            )
            for row in await self._leader.rows(_LOAD)
        ]

    async def begin(self, jobs: Sequence[Job]) -> Sequence[int]:
        """A new run of each job, which now waits for its turn; their numbers."""
        columns = zip(*((job.id, job.database, job.username, job.command) for job in jobs), strict=True)
        return [row["runid"] for row in await self._leader.rows(_BEGIN, *map(list, columns))]

    async def drop(self, runs: Sequence[int], message: str) -> None:
        """These never have their turn."""
        await self._leader.rows(_DROP, list(runs), message)

    async def running(self, run: int, job: Job, process: int, now: datetime) -> None:
        """The job's command is about to be sent to PostgreSQL's `process`."""
        await self._running.write(run, process, now, job.database, job.username, job.command)

    async def end(self, run: int, succeeded: bool, message: str, began: datetime, now: datetime) -> None:
        """The run is over."""
        await self._ended.write(run, succeeded, message.replace("\0", ""), began, now)

    async def terminate(self, processes: Sequence[int]) -> None:
        """End sessions whose result nobody waits for any more."""
        await self._leader.rows(_TERMINATE, list(processes))
