"""pg_cron without a server around it: a scheduler that leads, a clock that stands still, beats by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import asyncpg
import structlog
from minato.clock import Clock
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.jobs.cron.scheduler import Scheduler
from minato.jobs.cron.tables import CronTables
from minato.jobs.leader import Leader, leading

from tests.support.postgres import Cluster

NOON = datetime(2026, 11, 22, 12, 0, 30, tzinfo=UTC)


class StandingClock(Clock):
    """Only tests move it."""

    def __init__(self, moment: datetime = NOON) -> None:
        super().__init__()
        self._moment = moment

    def now(self) -> datetime:
        return self._moment + self.offset

    def timestamp(self) -> float:
        return self.now().timestamp()


@dataclass
class Cron:
    """`owner` is the developer's connection, `admin` the superuser's."""

    scheduler: Scheduler
    leader: Leader
    clock: StandingClock
    owner: asyncpg.Connection
    admin: asyncpg.Connection
    database: Database

    async def schedule(self, name: str, schedule: str, command: str) -> int:
        number: int = await self.owner.fetchval("select cron.schedule($1, $2, $3)", name, schedule, command)
        self.scheduler.jobs_changed()
        return number

    async def later(self, **time: float) -> None:
        """Let time pass at once, and look at the clock."""
        self.clock.advance(timedelta(**time))
        await self.scheduler.beat()

    async def all_done(self) -> None:
        """Until nothing runs and nothing waits for its turn."""
        while self.scheduler.busy:
            await self.scheduler.idle()
            await self.scheduler.beat()

    async def runs(self) -> list[tuple[str, str | None]]:
        """Status and message of each run, in order."""
        rows = await self.admin.fetch("select status, return_message from cron.job_run_details order by runid")
        return [(row["status"], row["return_message"]) for row in rows]


@asynccontextmanager
async def without_jobs(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    """A migrated database without the pg_cron, and the jobs, of the project in it."""
    async with cluster.fresh_database() as address:
        admin = await asyncpg.connect(address.admin)
        try:
            await admin.execute("drop extension pg_cron cascade")
        finally:
            await admin.close()
        yield address


@asynccontextmanager
async def scheduling(address: DatabaseAddress, owner: str, clock: StandingClock | None = None) -> AsyncIterator[Cron]:
    """A scheduler on the database at `address`, which gets pg_cron; `owner` is the developer's address."""
    clock = clock or StandingClock()
    database = Database(address, DatabaseSettings(), 2)
    admin, developer = await asyncpg.connect(address.admin), await asyncpg.connect(owner)
    try:
        await developer.execute("create extension if not exists pg_cron with schema pg_catalog")
        async with leading(database, "cron") as leader:
            assert leader is not None
            tables = CronTables(leader)
            scheduler = Scheduler(tables, clock, address.admin, structlog.stdlib.get_logger())
            await tables.settle()
            await scheduler.beat()
            yield Cron(scheduler, leader, clock, developer, admin, database)
            await scheduler.abandon()
    finally:
        await developer.close()
        await admin.close()
        await database.close()
