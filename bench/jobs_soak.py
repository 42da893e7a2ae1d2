"""`python -m bench.jobs_soak`: cron jobs and webhooks by the ten thousand while the servers are killed again and again.

Two servers share a PostgreSQL; their clocks run `--faster`, so that each minute's jobs are due every half a second.
Each run writes its own number, each request has one. At the end: what was committed has its run and its number once,
what was asked for arrived once at most, and what did not arrive is told of.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
from minato.clock import Clock
from minato.config import Settings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from minato.host import Host
from minato.migrate.run import upgrade
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
JOBS, BATCH, SERVERS = 24, 500, 2
KILL_AFTER = (8.0, 25.0)
LAST_WAIT = 90.0
FIXTURE = """
create extension pg_cron; create extension pg_net;
create table public.ran (run bigint primary key, job text);
create table public.asked (number int primary key, request bigint);
"""
# A run finds its own number by its process, which is written before its command is sent.
COMMAND = """insert into public.ran select max(runid), '{name}' from cron.job_run_details
    where job_pid = pg_backend_pid() and status = 'running'"""
ASK = """insert into public.asked
    select n, net.http_post($1 || '/' || n, jsonb_build_object('n', n), timeout_milliseconds := 20000)
    from generate_series($2::int, $3::int) n"""
QUEUED = "select count(*) from net.http_request_queue"
OPEN = """select (select count(*) from net.http_request_queue) + (select count(*) from public.asked a
    where not exists (select from net._http_response r where r.id = a.request))"""


class FastClock(Clock):
    """Wall time from `began` on, so many times as fast; the same in every server."""

    def __init__(self, began: float, faster: float) -> None:
        super().__init__()
        self._began, self._faster = began, faster

    def now(self) -> datetime:
        passed = (time.time() - self._began) * self._faster
        return datetime.fromtimestamp(self._began, UTC) + timedelta(seconds=passed) + self.offset


async def serve(options: argparse.Namespace) -> None:
    """One server, without its port: it leads, or stands by, until it is killed."""
    server = ServerSettings(data_dir=options.folder, environment="development", web_root=None, project=None)
    settings = Settings()
    object.__setattr__(settings, "server", server)
    host = Host(2)
    address = DatabaseAddress(options.dsn, options.dsn.replace("supabase_admin", "authenticator", 1))
    application = host.create(settings, address, "http://127.0.0.1:1", SECRET)
    application.backend.clock = FastClock(options.began, options.faster)
    await application.start()
    with options.counts.open("ab", buffering=0) as counts:
        while True:
            scheduler = application.extensions.cron.scheduler
            if scheduler is not None:
                counts.write(b"%d %d %d\n" % (os.getpid(), scheduler.due, scheduler.begun))
            await asyncio.sleep(0.02)


class Receiver(asyncio.Protocol):
    """Counts what arrives by its path, and says 200."""

    def __init__(self, seen: Counter[int]) -> None:
        self._seen = seen
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        head, end, rest = self._held.partition(b"\r\n\r\n")
        if not end:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        if len(rest) >= length:
            self._held = rest[length:]
            self._seen[int(head.split(b" ", 2)[1][1:])] += 1
            self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")


async def start(options: argparse.Namespace, place: int) -> asyncio.subprocess.Process:
    """Server `place` as a process of its own."""
    own = [f"--folder={options.folder / str(place)}", f"--counts={options.folder / 'counts'}", f"--dsn={options.dsn}"]
    times = [f"--began={options.began}", f"--faster={options.faster}"]
    with (options.folder / f"log{place}").open("ab") as log:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bench.jobs_soak", "--serve", *own, *times, stdout=log, stderr=log
        )


async def keep_killing(options: argparse.Namespace, servers: list[asyncio.subprocess.Process]) -> None:
    """SIGKILL one or the other after some seconds, and start it again at once."""
    while True:
        await asyncio.sleep(random.uniform(*KILL_AFTER))
        place = random.randrange(SERVERS)
        servers[place].send_signal(signal.SIGKILL)
        await servers[place].wait()
        options.kills += 1
        servers[place] = await start(options, place)


async def feed(db: asyncpg.Connection, url: str, requests: int) -> None:
    """Ask for so many requests, some transactions ahead of what was sent."""
    for first in range(1, requests + 1, BATCH):
        while await db.fetchval(QUEUED) > 20 * BATCH:  # noqa: ASYNC110 - another process empties it
            await asyncio.sleep(0.5)
        await db.execute(ASK, url, first, min(first + BATCH - 1, requests))


def promised(counts: Path) -> tuple[int, int]:
    """Runs that were due while a server led, and those of them that it had begun when it was killed."""
    lives: dict[bytes, tuple[int, int]] = {}
    for line in counts.read_bytes().splitlines():
        life, due, begun = line.split()
        lives[life] = max(lives.get(life, (0, 0)), (int(due), int(begun)))
    return sum(due for due, _ in lives.values()), sum(begun for _, begun in lives.values())


async def verdict(db: asyncpg.Connection, seen: Counter[int], options: argparse.Namespace) -> dict[str, object]:
    """What is lost and what is doubled."""
    statuses = await db.fetch(
        "select status, coalesce(return_message, '') as message, count(*), count(r.run) as effects"
        " from cron.job_run_details d left join public.ran r on r.run = d.runid group by 1, 2 order by 1, 2"
    )
    asked = await db.fetch(
        "select a.number, count(r.id) as answers, bool_or(r.error_msg = 'server restarted') as told"
        " from public.asked a left join net._http_response r on r.id = a.request"
        " where a.request not in (select id from net.http_request_queue) group by 1"
    )
    due, begun = promised(options.folder / "counts")
    return {
        "kills": options.kills,
        "runs": sum(row["count"] for row in statuses),
        "runs by end": {f"{row['status']} {row['message']}".strip(): row["count"] for row in statuses},
        "succeeded without effect": sum(r["count"] - r["effects"] for r in statuses if r["status"] == "succeeded"),
        "effects without run": await db.fetchval(
            "select count(*) from public.ran where run not in (select runid from cron.job_run_details)"
        ),
        "due while led, begun": [due, begun],
        "still queued": await db.fetchval(QUEUED),
        "requests": len(asked),
        "arrived": len(seen),
        "arrived twice": sum(number > 1 for number in seen.values()),
        "without an answer": sum(row["answers"] == 0 for row in asked),
        "with two answers": sum(row["answers"] > 1 for row in asked),
        "lost and not told": sum(row["number"] not in seen and not row["told"] for row in asked),
        "told as unknown": sum(bool(row["told"]) for row in asked),
        "of these arrived": sum(bool(row["told"]) and row["number"] in seen for row in asked),
    }


async def soak(options: argparse.Namespace) -> dict[str, object]:
    """The whole story on a PostgreSQL of its own."""
    postgres = EmbeddedPostgres(EmbeddedOptions(options.folder / "data", durable=False))
    await postgres.start()
    options.dsn = postgres.address.socket_url()
    await asyncio.to_thread(upgrade, options.dsn)
    db = await asyncpg.connect(options.dsn)
    await db.execute(FIXTURE)
    await db.execute("alter database postgres set pg_net.batch_size = 2000")
    # The clock is fast: six hours would be over before the end.
    await db.execute("alter database postgres set pg_net.ttl = '1000 days'")
    owner = await asyncpg.connect(postgres.address.socket_url("postgres"))
    await db.execute("grant all on public.ran to postgres")
    for number in range(JOBS):
        command = COMMAND.format(name=number)
        await owner.fetchval("select cron.schedule($1, '* * * * *', $2)", f"job {number}", command)
    seen: Counter[int] = Counter()
    receiver = await asyncio.get_running_loop().create_server(lambda: Receiver(seen), "127.0.0.1", 0)
    url = f"http://127.0.0.1:{receiver.sockets[0].getsockname()[1]}"
    servers = [await start(options, place) for place in range(SERVERS)]
    killing = asyncio.create_task(keep_killing(options, servers))
    feeding = asyncio.create_task(feed(db, url, options.requests))
    try:
        await asyncio.wait({feeding}, timeout=options.seconds)
        remaining = options.began + options.seconds - time.time()
        await asyncio.sleep(max(0.0, remaining))
        feeding.cancel()
        killing.cancel()
        await asyncio.gather(feeding, killing, return_exceptions=True)
        await owner.execute("select cron.alter_job(jobid, active := false) from cron.job")
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WAIT):
                while await owner.fetchval(OPEN):  # noqa: ASYNC110 - another process empties it
                    await asyncio.sleep(1)
        for server in servers:
            server.terminate()
            await server.wait()
        return await verdict(db, seen, options)
    finally:
        for server in servers:
            with suppress(ProcessLookupError):
                server.kill()
        receiver.close()
        await owner.close()
        await db.close()
        await postgres.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="how long servers are killed")
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--faster", type=float, default=120.0, help="how much faster the servers' clock runs")
    parser.add_argument("--began", type=float, default=time.time(), help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--dsn", help=argparse.SUPPRESS)
    parser.add_argument("--counts", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve(options))
        return
    options.kills = 0
    with tempfile.TemporaryDirectory() as folder:
        options.folder = options.folder or Path(folder)
        print(json.dumps(asyncio.run(soak(options)), indent=2))


if __name__ == "__main__":
    main()
