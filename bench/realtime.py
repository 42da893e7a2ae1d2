"""Realtime: sockets and their memory, broadcasts to many, and how soon a committed row reaches its readers.

Each figure comes with the server's own CPU time, which tells the same on a busy machine as on an idle one.
"""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import asyncpg

from bench.servers import Server, minato
from bench.sockets import Client, Take, connect

AUDIENCES = (100, 1_000, 5_000)
CHANGES = ((100, 1), (1_000, 1), (100, 100), (1_000, 100), (100, 1_000))
"""Rows per second and subscribers."""
CALM = 5_000
"""Deliveries per second at which nobody should have to wait."""
AT_ONCE = 50
STAMP = b'"at":'
TABLE = "public.bench_rows"
FIXTURE = f"""
drop table if exists {TABLE};
create table {TABLE} (id int primary key, body text, owner uuid);
alter table {TABLE} enable row level security;
create policy "Whoever is signed in reads" on {TABLE} for select to authenticated using (owner is null);
grant select on {TABLE} to authenticated;
alter publication supabase_realtime add table {TABLE};
"""


@dataclass(frozen=True)
class Delivery:
    """How many frames reached clients, how many of them in a second, how late, and the server's CPU time for each.

    `sent_per_second` is what the sender managed: where that is less than asked for, the server was not the limit.
    """

    deliveries: int
    sent_per_second: float
    per_second: float
    p50_ms: float
    p99_ms: float
    cpu_us: float


def measure_realtime(folder: Path, seconds: int) -> dict[str, Any]:
    """All of it, on a server of its own."""
    allow_files()
    limits = {"REALTIME_IDLE_TIMEOUT": "600", "REALTIME_SEND_QUEUE_FRAMES": "20000"}
    with minato(folder, limits) as server:
        return asyncio.run(_measure(server, seconds))


def allow_files() -> None:
    """Let this process and its children open as many sockets as the machine allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def _measure(server: Server, seconds: int) -> dict[str, Any]:
    results: dict[str, Any] = {"sockets": await measure_sockets(server, max(AUDIENCES))}
    print(describe_sockets(results["sockets"]), flush=True)
    results["broadcast"] = []
    for audience in AUDIENCES:
        for pace in (None, CALM / audience):
            figures = asdict(await measure_broadcast(server, audience, pace, seconds))
            results["broadcast"].append({"subscribers": audience, "pace": pace, **figures})
            print(describe(f"broadcast to {audience}", f"{pace:g}/s" if pace else "at full speed", figures), flush=True)
    results["changes"] = []
    for rate, audience in CHANGES:
        figures = asdict(await measure_changes(server, rate, audience, seconds))
        results["changes"].append({"rate": rate, "subscribers": audience, **figures})
        print(describe(f"row changes to {audience}", f"{rate}/s", figures), flush=True)
    return results


def describe(what: str, pace: str, row: dict[str, Any]) -> str:
    figures = f"{row['per_second']:8.0f} deliveries/s  p50 {row['p50_ms']:8.2f} ms  p99 {row['p99_ms']:8.2f} ms"
    pace = f"{row['sent_per_second']:.0f} of {pace}"
    return f"{what:22} {pace:22} {figures}  {row['cpu_us']:7.1f} µs CPU each  ({row['deliveries']})"


def describe_sockets(row: dict[str, Any]) -> str:
    return f"{row['count']} sockets, joined at {row['per_second']:.0f}/s, {row['kib_each']:.1f} KiB each"


@asynccontextmanager
async def audience_of(
    server: Server,
    count: int,
    topic: str,
    takes: Sequence[Take],
    config: dict[str, Any] | None = None,
    token: str | None = None,
) -> AsyncIterator[list[Client]]:
    """So many joined sockets; `takes` are handed out in turn."""
    key, clients = server.info["anon_key"], []

    async def join(number: int) -> Client:
        client = await connect(server.info["url"], key, topic, config or {}, takes[number % len(takes)], token)
        await client.ready
        return client

    try:
        for start in range(0, count, AT_ONCE):
            clients += await asyncio.gather(*map(join, range(start, min(start + AT_ONCE, count))))
        yield clients
    finally:
        for client in clients:
            client.close()
        await asyncio.gather(*(client.lost for client in clients))


async def measure_sockets(server: Server, count: int) -> dict[str, Any]:
    """How fast sockets are joined, and what each costs the server."""
    before, began = server.memory()["server_mib"], time.monotonic()
    async with audience_of(server, count, "room", [lambda _: None]):
        took = time.monotonic() - began
        grown = server.memory()["server_mib"] - before
    return {"count": count, "per_second": count / took, "kib_each": grown * 1024 / count}


class Stopwatch:
    """Counts frames, and takes the time of those of one listener in `every`."""

    def __init__(self) -> None:
        self.seen = 0
        self.delays: list[float] = []
        self.last = 0.0

    def count(self, _: bytes) -> None:
        self.seen += 1

    def time(self, frame: bytes) -> None:
        self.seen += 1
        at = frame.find(STAMP)
        if at >= 0:
            self.last = time.monotonic()
            sent = int(frame[at + len(STAMP) : frame.index(b"}", at)])
            self.delays.append((time.monotonic_ns() - sent) / 1e6)

    @property
    def takes(self) -> list[Take]:
        """For an audience: every twentieth listener has a watch."""
        return [self.time, *[self.count] * 19]


async def measure_broadcast(server: Server, audience: int, pace: float | None, seconds: int) -> Delivery:
    """From the sender's socket to the listeners'; at `pace` messages per second, or as fast as they are answered."""
    watch, answered = Stopwatch(), asyncio.Event()
    async with (
        audience_of(server, audience, "talk", watch.takes),
        audience_of(server, 1, "talk", [lambda _: answered.set()], {"broadcast": {"ack": True}}) as (speaker,),
    ):
        began, sent, cpu = time.monotonic(), 0, server.cpu_seconds()
        while (now := time.monotonic()) - began < seconds:
            if pace is not None:
                await asyncio.sleep(max(0.0, began + sent / pace - now))
            answered.clear()
            payload = {"type": "broadcast", "event": "e", "payload": {"at": time.monotonic_ns()}}
            speaker.push("broadcast", payload, "2")
            await answered.wait()
            sent += 1
        sending = time.monotonic() - began
        await settled(watch, sent * audience)
        return summary(watch.seen, sent / sending, watch.delays, watch.last - began, server.cpu_seconds() - cpu)


async def settled(watch: Stopwatch, expected: int) -> None:
    """Wait until everything has come, or nothing comes any more."""
    seen = -1
    while watch.seen < expected and watch.seen != seen:
        seen = watch.seen
        await asyncio.sleep(1)


async def measure_changes(server: Server, rate: int, audience: int, seconds: int) -> Delivery:
    """From the moment the writer knows of its commit to the subscriber's socket, under a policy; after a first row,
    which opens connections."""
    database = await asyncpg.connect(server.info["db_url"])
    await database.execute(FIXTURE)
    heard: list[tuple[bytes, int]] = []
    watch = Stopwatch()

    def note(frame: bytes) -> None:
        watch.seen += 1
        heard.append((frame, time.monotonic_ns()))

    schema, _, table = TABLE.partition(".")
    config = {"postgres_changes": [{"event": "INSERT", "schema": schema, "table": table}]}
    takes: list[Take] = [note, *[watch.count] * 19]
    async with audience_of(server, audience, "rows", takes, config, signed_in(server)):
        await database.execute(f"insert into {TABLE} (id) values (-1)")
        await settled(watch, audience)
        watch.seen = 0
        heard.clear()
        command = (sys.executable, "-m", "bench.writer", server.info["db_url"], TABLE, str(rate), str(seconds))
        cpu = server.cpu_seconds()
        writer = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        output, _ = await writer.communicate()
        committed = {int(number): at for number, at in json.loads(output).items()}
        await settled(watch, len(committed) * audience)
        cpu = server.cpu_seconds() - cpu
    await database.close()
    delays = [(at - committed[row_id(frame)]) / 1e6 for frame, at in heard if b'"INSERT"' in frame]
    began, ended = min(committed.values()), max((at for _, at in heard), default=0)
    writing = (max(committed.values()) - began) / 1e9
    return summary(watch.seen, len(committed) / writing, delays, (ended - began) / 1e9, cpu)


def row_id(frame: bytes) -> int:
    number: int = json.loads(frame)[4]["data"]["record"]["id"]
    return number


def signed_in(server: Server) -> str:
    """The token of a user."""
    from minato.tokens.keys import KeySet, secret_key

    claims = {"role": "authenticated", "sub": "00000000-0000-4000-8000-000000000042", "aud": "authenticated"}
    return KeySet([secret_key(server.info["jwt_secret"])]).sign({**claims, "exp": 4102444800})


def summary(deliveries: int, sent_per_second: float, delays: list[float], seconds: float, cpu: float) -> Delivery:
    if len(delays) < 2:
        return Delivery(deliveries, sent_per_second, 0.0, float("nan"), float("nan"), float("nan"))
    cuts = statistics.quantiles(delays, n=100)
    return Delivery(deliveries, sent_per_second, deliveries / seconds, cuts[49], cuts[98], cpu * 1e6 / deliveries)
