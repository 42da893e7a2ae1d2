"""`python -m bench.jobs_soak`: cron jobs and webhooks by the ten thousand while the servers are killed again and again.

Two servers share a PostgreSQL; their clocks run `--faster`, so that each minute's jobs are due every half a second.
Each run writes its own number, each request has one. At the end, which `--runs`, `--requests` and `--kills` together
say, or `--seconds`, or SIGTERM, the next server to lead tells of what its predecessors left. Then a request that was
taken from the queue has one answer and arrived once at most, and not at all where the answer says so; a run has its
end, and its effect once where it succeeded.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
from minato.config.database import DatabaseSettings
from minato.database.database import Database
from minato.jobs.cron.tables import CronTables
from minato.jobs.leader import leading
from minato.jobs.net.tables import NetTables
from minato.migrate.run import upgrade
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from bench.jobs_server import Place, Receiver

BATCH, SERVERS = 500, 2
MOST_QUEUED = 4 * BATCH
KILL_AFTER = (8.0, 25.0)
LAST_WAIT, PROGRESS = 30.0, 30.0
# The clock is fast: six hours would be over before the end.
FIXTURE = """
create extension pg_cron; create extension pg_net;
create table public.ran (run bigint, job text);
create index on public.ran (run);
create table public.asked (number int primary key, request bigint);
create index on public.asked (request);
grant all on public.ran to postgres;
alter database postgres set pg_net.batch_size = 2000;
alter database postgres set pg_net.ttl = '1000 days';
"""
# A run finds its own number by its process, which is written before its command is sent.
COMMAND = """insert into public.ran select max(runid), '{name}' from cron.job_run_details
    where job_pid = pg_backend_pid() and status = 'running'"""
ASK = """insert into public.asked
    select n, net.http_post($1 || '/' || n, jsonb_build_object('n', n), timeout_milliseconds := 20000)
    from generate_series($2::int, $3::int) n"""
QUEUED = "select count(*) from net.http_request_queue"
ENDED = "select count(*) from cron.job_run_details where status in ('succeeded', 'failed')"
ANSWERED = "select count(*) from net._http_response"
UNDER_WAY = """select (select count(*) from net._taken) + (select count(*) from cron.job_run_details
    where status not in ('succeeded', 'failed'))"""
OPEN = f"select ({QUEUED}) + ({UNDER_WAY})"
RUNS = """select status, coalesce(return_message, '') as message, count(*), sum(effects)::bigint as effects,
        count(*) filter (where effects > 1) as doubled
    from (select d.status, d.return_message, count(r.run) as effects from cron.job_run_details d
        left join public.ran r on r.run = d.runid group by d.runid) run group by 1, 2 order by 1, 2"""
REQUESTS = """select a.number, count(r.id) as answers, bool_or(r.status_code = 200) as reached,
        coalesce(min(case when r.timed_out then 'timed out' else r.error_msg end), 'no answer') as told
    from public.asked a left join net._http_response r on r.id = a.request
    where a.request not in (select id from net.http_request_queue) group by 1"""


@dataclass
class Soak:
    """One soak at `place`, whose requests arrive at `url` and are `seen` there."""

    place: Place
    db: asyncpg.Connection
    url: str
    seen: Counter[int]
    kills: int = 0
    servers: list[asyncio.subprocess.Process] = field(default_factory=list)

    async def keep_killing(self) -> None:
        """SIGKILL one or the other after some seconds, and start it again at once."""
        while True:
            await asyncio.sleep(random.uniform(*KILL_AFTER))
            number = random.randrange(SERVERS)
            self.servers[number].send_signal(signal.SIGKILL)
            await self.servers[number].wait()
            self.kills += 1
            self.servers[number] = await self.place.start(number)

    async def keep_asking(self, requests: int) -> None:
        """Ask for so many requests, some transactions ahead of what was sent."""
        db = await asyncpg.connect(self.place.dsn)
        for first in range(1, requests + 1, BATCH):
            while await db.fetchval(QUEUED) > MOST_QUEUED:  # noqa: ASYNC110 - another process empties it
                await asyncio.sleep(0.5)
            await db.execute(ASK, self.url, first, min(first + BATCH - 1, requests))
        await db.close()

    async def until_reached(self, options: argparse.Namespace) -> None:
        """Until so much was done and so often killed; tells how far it came now and then."""
        told = time.monotonic()
        while True:
            await asyncio.sleep(2)
            runs, answers = await self.db.fetchval(ENDED), await self.db.fetchval(ANSWERED)
            if time.monotonic() - told > PROGRESS:
                told = time.monotonic()
                print(f"{runs} runs, {answers} answers, {self.kills} kills", file=sys.stderr, flush=True)
            if runs >= options.runs and answers >= options.requests and self.kills >= options.kills:
                return

    async def end(self) -> None:
        """No more jobs and no more kills; what is under way has some seconds, and the servers end as they are."""
        await self.db.execute("update cron.job set active = false; select pg_notify('minato_jobs', 'cron')")
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WAIT):
                while await self.db.fetchval(OPEN):  # noqa: ASYNC110 - other processes do it
                    await asyncio.sleep(1)
        await self.kill_all()

    async def kill_all(self) -> None:
        """SIGKILL."""
        for server in self.servers:
            with suppress(ProcessLookupError):
                server.kill()
            await server.wait()

    async def lead_at_last(self) -> int:
        """What the next server does first: tell of whatever was left. How much that was."""
        left: int = await self.db.fetchval(UNDER_WAY)
        database = Database(self.place.address(), DatabaseSettings(), 2)
        try:
            for work in ("cron", "net"):
                async with leading(database, work) as leader:
                    assert leader is not None, "a killed server still leads"
                    if work == "cron":
                        await CronTables(leader).settle()
                    else:
                        await NetTables(leader).tell_of_lost(self.place.clock().now())
        finally:
            await database.close()
        return left

    async def verdict(self, left: int) -> dict[str, object]:
        """What is lost and what is doubled."""
        runs, requests = await self.db.fetch(RUNS), await self.db.fetch(REQUESTS)
        due, written = promised(self.place.counts), sum(row["count"] for row in runs)
        untold = [row["number"] for row in requests if row["number"] not in self.seen and not _told(row)]
        return {
            "cron runs and webhooks": written + len(requests),
            "kills": self.kills,
            "under way at the last kill": left,
            "runs": written,
            "runs by end": {f"{row['status']} {row['message']}".strip(): row["count"] for row in runs},
            "runs without an end": await self.db.fetchval(UNDER_WAY),
            "runs succeeded without effect": sum(r["count"] - r["effects"] for r in runs if r["status"] == "succeeded"),
            "runs with two effects": sum(row["doubled"] for row in runs),
            "effects without a run": await self.db.fetchval(
                "select count(*) from public.ran where run not in (select runid from cron.job_run_details)"
            ),
            "runs due in the moment of a kill and not written down": max(0, due - written),
            "webhooks": len(requests),
            "webhooks still queued": await self.db.fetchval(QUEUED),
            "webhooks arrived": len(self.seen),
            "webhooks arrived twice": sum(number > 1 for number in self.seen.values()),
            "webhooks without an answer": sum(row["answers"] == 0 for row in requests),
            "webhooks with two answers": sum(row["answers"] > 1 for row in requests),
            "webhooks neither arrived nor told of": len(untold),
            "webhooks by answer": Counter("200" if row["reached"] else row["told"] for row in requests),
            "arrived though told as unknown": sum(_told(row) and row["number"] in self.seen for row in requests),
        }


def _told(row: asyncpg.Record) -> bool:
    """Whether an answer says that the request may not have arrived."""
    return bool(row["answers"]) and not row["reached"]


def promised(counts: Path) -> int:
    """Runs that became due while a server led."""
    lives: dict[bytes, int] = {}
    for line in counts.read_bytes().splitlines():
        life, due = line.split()
        lives[life] = max(lives.get(life, 0), int(due))
    return sum(lives.values())


@asynccontextmanager
async def prepared(options: argparse.Namespace, folder: Path) -> AsyncIterator[Soak]:
    """A PostgreSQL with the jobs in it, and a place where requests arrive."""
    postgres = EmbeddedPostgres(EmbeddedOptions(folder / "data", durable=False))
    await postgres.start()
    dsn, seen = postgres.address.socket_url(), Counter[int]()
    await asyncio.to_thread(upgrade, dsn)
    db, owner = await asyncpg.connect(dsn), await asyncpg.connect(postgres.address.socket_url("postgres"))
    receiver = await asyncio.get_running_loop().create_server(lambda: Receiver(seen), "127.0.0.1", 0)
    try:
        await db.execute(FIXTURE)
        for number in range(options.jobs):
            command = COMMAND.format(name=number)
            await owner.fetchval("select cron.schedule($1, '* * * * *', $2)", f"job {number}", command)
        place = Place(folder, dsn, time.time(), options.faster)
        yield Soak(place, db, f"http://127.0.0.1:{receiver.sockets[0].getsockname()[1]}", seen)
    finally:
        receiver.close()
        await owner.close()
        await db.close()
        await postgres.stop()


async def soak(options: argparse.Namespace, folder: Path) -> dict[str, object]:
    """The whole story on a PostgreSQL of its own."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with prepared(options, folder) as story:
        story.servers = [await story.place.start(number) for number in range(SERVERS)]
        works = [story.keep_killing(), story.keep_asking(options.requests)]
        tasks = [asyncio.create_task(work) for work in works]
        ends = [asyncio.create_task(end) for end in (story.until_reached(options), stopped.wait())]
        try:
            await asyncio.wait(ends, timeout=options.seconds, return_when=asyncio.FIRST_COMPLETED)
            for task in (*tasks, *ends):
                task.cancel()
            await asyncio.gather(*tasks, *ends, return_exceptions=True)
            await story.end()
            return await story.verdict(await story.lead_at_last())
        finally:
            await story.kill_all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300.0, help="how long servers are killed at most")
    parser.add_argument("--runs", type=int, default=10_000, help="so many runs of jobs are enough")
    parser.add_argument("--requests", type=int, default=50_000, help="so many are asked for")
    parser.add_argument("--kills", type=int, default=0, help="so many are enough")
    parser.add_argument("--jobs", type=int, default=24, help="each is due every minute")
    parser.add_argument("--faster", type=float, default=120.0, help="how much faster the servers' clock runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(soak(options, Path(folder))), indent=2))


if __name__ == "__main__":
    main()
