"""`python -m bench.soak`: many sockets for a long time while PostgreSQL and the workers are killed again and again.

Two workers share a database; one writer commits numbers in ascending order. Every follower must hear each committed
number once and in order. Where one is missing, an error must have been told, or the connection lost, right there.
The workers' logs, and of the first numbers that are missing what that socket went through, stay in `--logs`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import psutil
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from bench.realtime import allow_files
from bench.sockets import Client, connect

SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
TABLE = "public.soak_rows"
FIXTURE = f"""
create table {TABLE} (id int primary key, body text);
alter table {TABLE} enable row level security;
create policy "Everybody reads" on {TABLE} for select using (true);
grant select on {TABLE} to anon;
alter publication supabase_realtime add table {TABLE};
"""
CONFIG = {
    "postgres_changes": [{"event": "INSERT", "schema": "public", "table": "soak_rows"}],
    "presence": {"enabled": True},
}
RATE = 10
ROOM = 20
"""Sockets that share a topic."""
KILL_POSTGRES_EVERY, KILL_WORKER_EVERY = 50.0, 70.0
BEAT_EVERY = 20.0
LAST_WAIT = 60
READY_WITHIN = 50.0
REMEMBERED, SHOWN = 40, 5


@dataclass
class Worker:
    """One `minato serve` on the shared database; it keeps its port when it is started again."""

    environment: dict[str, str]
    folder: Path
    log: Path
    port: int
    process: asyncio.subprocess.Process | None = None
    key: str = ""
    peak_mib: float = 0.0
    _logging: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start, again and again while PostgreSQL is away."""
        while True:
            serve = ("serve", "--port", str(self.port), "--json", "--no-seed", "--data-dir", str(self.folder))
            with self.log.open("ab") as log:
                self.process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "minato", *serve),
                    stdout=asyncio.subprocess.PIPE,
                    stderr=log,
                    env={**os.environ, **self.environment},
                )
            output = self.process.stdout
            assert output is not None
            if line := await output.readline():
                break
        self.key = json.loads(line)["anon_key"]
        self._logging = asyncio.create_task(self._keep_log(output))

    async def _keep_log(self, output: asyncio.StreamReader) -> None:
        """Write down what the worker says; one whose output nobody takes stands still once the pipe is full."""
        with self.log.open("ab", buffering=0) as log:
            while text := await output.read(1 << 16):
                log.write(text)

    def measure(self) -> None:
        with suppress(psutil.Error, AttributeError):
            memory = psutil.Process(self.process.pid if self.process else 0).memory_info().rss / 2**20
            self.peak_mib = max(self.peak_mib, memory)

    async def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(how)
            await self.process.wait()


@dataclass
class Writer:
    """Commits ascending numbers; one whose commit was not answered counts as none."""

    dsn: str
    committed: list[int] = field(default_factory=list)
    stopping: bool = False

    async def run(self) -> None:
        number = 0
        while not self.stopping:
            try:
                connection = await asyncpg.connect(self.dsn, timeout=5)
                while not self.stopping:
                    number += 1
                    await connection.execute(f"insert into {TABLE} values ($1, 'soak')", number, timeout=10)
                    self.committed.append(number)
                    await asyncio.sleep(1 / RATE)
                await connection.close()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError):
                await asyncio.sleep(0.1)


class Follower:
    """One client. `restless` ones hang up now and then by themselves."""

    def __init__(self, worker: Worker, topic: str, counts: Counter[str], restless: bool, dice: random.Random) -> None:
        self.last = 0
        self.jumps: list[tuple[int, int]] = []
        self.past: deque[str] = deque(maxlen=REMEMBERED)
        """What happened to this socket last; of its first jump, what led to it."""
        self._worker = worker
        self._topic = topic
        self._counts = counts
        self._restless = restless
        self._dice = dice
        self._may_jump = True
        self._ended: asyncio.Future[None] | None = None

    async def run(self) -> None:
        """Be connected, for ever."""
        while True:
            self._may_jump = True
            try:
                await self._stay()
            except (OSError, TimeoutError) as error:
                self._counts[f"not connected: {type(error).__name__}"] += 1
                self._note(f"not connected: {error!r}")
            await asyncio.sleep(self._dice.uniform(0.1, 2.0))

    async def _stay(self) -> None:
        client = await connect(self._worker.url, self._worker.key, self._topic, CONFIG, self._take)
        self._ended = client.lost
        try:
            async with asyncio.timeout(READY_WITHIN):
                await client.ready
            self._counts["connected"] += 1
            self._note("subscribed")
            leaving = asyncio.get_running_loop().time() + (self._dice.uniform(5, 60) if self._restless else 1e9)
            while not client.lost.done():
                await asyncio.wait([client.lost], timeout=BEAT_EVERY * self._dice.random())
                if asyncio.get_running_loop().time() > leaving:
                    self._note("left")
                    return
                self._be_lively(client)
            self._counts[f"cut off, code {client.closed_with}"] += 1
            self._note(f"cut off, code {client.closed_with}")
        finally:
            client.close()

    def _be_lively(self, client: Client) -> None:
        client.beat()
        client.push("broadcast", {"type": "broadcast", "event": "e", "payload": {"n": self.last}})
        client.push("presence", {"event": "track", "payload": {"n": self._dice.random()}})

    def _take(self, frame: bytes) -> None:
        if b'"postgres_changes",{"ids"' in frame:
            self._hear(json.loads(frame)[4]["data"]["record"]["id"])
        elif b'"phx_close"' in frame or b'"phx_error"' in frame:
            self._counts["channels ended by the server"] += 1
            self._note(frame.decode())
            if self._ended is not None and not self._ended.done():
                self._ended.set_result(None)
        elif b'"system"' in frame:
            self._note(json.loads(frame)[4]["message"])
            if b'"error"' in frame:
                self._counts["gaps told"] += 1
                self._may_jump = True

    def _hear(self, number: int) -> None:
        self._counts["heard"] += 1
        if number <= self.last:
            self._counts["heard twice or late"] += 1
        elif number > self.last + 1:
            self._note(f"from {self.last} to {number}{'' if self._may_jump else ' UNANNOUNCED'}")
            if not self._may_jump:
                self.jumps.append((self.last, number))
        self._may_jump = False
        self.last = max(self.last, number)

    def _note(self, what: str) -> None:
        if not self.jumps:
            self.past.append(f"{datetime.now(UTC):%H:%M:%S.%f} {what}")


async def every(seconds: float, until: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do `work` again and again, the last time well before the end."""
    while time.monotonic() + seconds < until:
        await asyncio.sleep(seconds)
        await work()


async def soak(folder: Path, logs: Path, minutes: float, sockets: int) -> dict[str, Any]:
    """The report."""
    postgres = EmbeddedPostgres(EmbeddedOptions(folder / "postgres"))
    address = await postgres.start()
    admin, login = address.socket_url("supabase_admin"), address.socket_url("authenticator")
    environment = {
        "DATABASE_URL": admin, "AUTHENTICATOR_URL": login, "MINATO_JWT_SECRET": SECRET, "REALTIME_FANOUT": "postgres",
        "REALTIME_MAX_CLIENT_PRESENCE_EVENTS": "0",
    }  # fmt: skip
    workers = [Worker(environment, folder / f"worker{n}", logs / f"worker{n}.log", free_port()) for n in range(2)]
    try:
        for worker in workers:
            await worker.start()
        database = await asyncpg.connect(admin)
        await database.execute(FIXTURE)
        await database.close()
        return await _soak(postgres, workers, Writer(admin), minutes, sockets)
    finally:
        for worker in workers:
            await worker.end()
        await postgres.stop()


async def _soak(
    postgres: EmbeddedPostgres, workers: list[Worker], writer: Writer, minutes: float, sockets: int
) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    dice = random.Random(5)
    followers = [
        Follower(workers[n % 2], f"soak{n // ROOM}", counts, restless=n % 5 == 0, dice=dice) for n in range(sockets)
    ]
    until = time.monotonic() + minutes * 60

    def note(what: str) -> None:
        print(f"{datetime.now(UTC):%H:%M:%S.%f} {what}", file=sys.stderr, flush=True)

    async def kill_postgres() -> None:
        counts["PostgreSQL killed"] += 1
        if postgres.pid is not None:
            how = dice.choice((signal.SIGKILL, signal.SIGINT))
            note(f"PostgreSQL gets {how.name}")
            os.kill(postgres.pid, how)

    async def kill_worker() -> None:
        counts["workers killed"] += 1
        worker, how = dice.choice(workers), dice.choice((signal.SIGKILL, signal.SIGTERM))
        note(f"{worker.log.stem} gets {how.name}")
        await worker.end(how)
        await worker.start()
        note(f"{worker.log.stem} is back")

    async def look() -> None:
        for worker in workers:
            worker.measure()

    tasks = [asyncio.create_task(work) for work in (writer.run(), *(follower.run() for follower in followers))]
    await asyncio.gather(
        every(KILL_POSTGRES_EVERY, until, kill_postgres),
        every(KILL_WORKER_EVERY, until, kill_worker),
        every(1.0, until, look),
        asyncio.sleep(until - time.monotonic()),
    )
    # Rows go on meanwhile: a socket that comes back after the last one would have nothing to hear.
    last = writer.committed[-1]
    behind = await let_finish(followers, last)
    writer.stopping = True
    await asyncio.wait(tasks[:1])
    for task in tasks[1:]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    committed = set(writer.committed)
    lost = sum(len(committed.intersection(range(low + 1, high))) for f in followers for low, high in f.jumps)
    return {
        "minutes": minutes, "sockets": sockets, "committed": len(committed), **dict(sorted(counts.items())),
        "lost unannounced": lost, "never heard the last": behind,
        "what led to it": [
            [*f.past, f"last heard {f.last}"] for f in followers if f.jumps or f.last < last
        ][:SHOWN],
        "peak worker MiB": round(max(worker.peak_mib for worker in workers)),
    }  # fmt: skip


async def let_finish(followers: list[Follower], last: int) -> int:
    """Wait until everybody has heard the number `last` or a later one; how many never did."""
    for _ in range(LAST_WAIT):
        if all(f.last >= last for f in followers):
            break
        await asyncio.sleep(1)
    return sum(f.last < last for f in followers)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--logs", type=Path, default=Path("soak-logs"), help="where the workers' logs stay")
    options = parser.parse_args()
    allow_files()
    options.logs.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(soak(Path(folder), options.logs, options.minutes, options.sockets))
    print(json.dumps(report, indent=2))
    failures = ("lost unannounced", "never heard the last", "heard twice or late")
    sys.exit(any(report.get(name, 0) for name in failures))


if __name__ == "__main__":
    main()
