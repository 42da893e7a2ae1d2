"""`python -m bench.functions_soak`: Edge Functions under load while others leak, loop, crash, are killed and edited.

A `minato start` of its own serves a project of functions. Good ones are asked all the time, and each of their answers
must be right; bad ones are asked as well, and must be told off; one is killed with SIGKILL, one rewritten, and streams
are left in their middle. At the end the server, PostgreSQL and the good functions must be as at the beginning.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

GOOD = "Deno.serve(async (request) => Response.json({ got: (await request.text()).length, from: '%s' }));"
DATABASE = """Deno.serve(async () => {
  const key = Deno.env.get("SUPABASE_SERVICE_ROLE_KEY")!;
  const answer = await fetch(`${Deno.env.get("SUPABASE_URL")}/rest/v1/rpc/sum_of`, {
    method: "POST", body: '{"a": 2, "b": 3}',
    headers: { apikey: key, authorization: `Bearer ${key}`, "content-type": "application/json" },
  });
  return Response.json({ got: await answer.json(), from: "database" });
});"""
EDITED = "Deno.serve(() => new Response('%d'));"
STREAMS = """Deno.serve(() => {
  let timer: number;
  return new Response(new ReadableStream({
    start: (out) => { timer = setInterval(() => out.enqueue(new Uint8Array(10_000)), 5); },
    cancel: () => clearInterval(timer),
  }));
});"""
BAD = {
    "leaks": ("const all: unknown[] = []; Deno.serve(() => { for (;;) all.push(new Array(1e5).fill(1.5)); });", {546}),
    "bytes": (
        "const all: unknown[] = []; Deno.serve(() => { for (;;) all.push(new Uint8Array(1e6).fill(1)); });",
        {546},
    ),
    "loops": ("Deno.serve(() => { for (;;); });", {546}),
    "exits": ("Deno.serve(() => Deno.exit(1));", {500}),
    "throws": ("Deno.serve(() => { throw new Error('on purpose'); });", {500}),
}
FUNCTIONS = {
    **{name: GOOD % name for name in ("one", "two", "three")},
    **{"database": DATABASE, "streams": STREAMS, "edited": EDITED % 0, "killed": GOOD % "killed"},
    **{name: source for name, (source, _) in BAD.items()},
}
MIGRATION = "create function sum_of(a int, b int) returns int language sql as 'select a + b';"
SETTINGS = {
    "MINATO_FUNCTIONS_PROCESSES": str(len(FUNCTIONS) + 4),
    "MINATO_FUNCTIONS_MEMORY_MB": "64",
    "MINATO_FUNCTIONS_STOP_AFTER": "5",
}
KILL_EVERY, EDIT_EVERY, BAD_EVERY, PROGRESS = 1.0, 0.5, 1.0, 30.0


@dataclass
class Soak:
    """One soak of the project in `folder`; `errors` are wrong answers, `seen` is what each function was answered."""

    folder: Path
    server: psutil.Process
    client: httpx.AsyncClient
    seen: dict[str, Counter[str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    edition: int = 0

    async def ask(self, name: str, body: bytes = b"") -> httpx.Response | None:
        """None when the connection broke."""
        try:
            answer = await self.client.post(f"/functions/v1/{name}", content=body)
        except httpx.HTTPError as error:
            self.count(name, type(error).__name__)
            return None
        self.count(name, str(answer.status_code))
        return answer

    def count(self, name: str, what: str) -> None:
        self.seen.setdefault(name, Counter())[what] += 1

    async def ask_good(self, name: str, length: int) -> None:
        began = time.monotonic()
        answer = await self.ask(name, b"x" * length)
        self.seconds.append(time.monotonic() - began)
        expected = {"got": 5 if name == "database" else length, "from": name}
        if answer is None or answer.status_code != 200 or answer.json() != expected:
            self.errors.append(f"{name}: {answer and (answer.status_code, answer.text[:300])}")

    async def ask_bad(self, name: str) -> None:
        answer = await self.ask(name)
        if answer is None or answer.status_code not in {*BAD[name][1], 503}:
            self.errors.append(f"{name}: {answer and (answer.status_code, answer.text[:300])}")
        await asyncio.sleep(BAD_EVERY)

    async def edit(self) -> None:
        """The answer after an edit is the new one's."""
        self.edition += 1
        (self.folder / "supabase/functions/edited/index.ts").write_text(EDITED % self.edition)
        answer = await self.ask("edited")
        if answer is None or answer.text != str(self.edition):
            self.errors.append(f"edited: {answer and (answer.status_code, answer.text[:300])}")
        await asyncio.sleep(EDIT_EVERY)

    async def kill(self) -> None:
        for process in self.processes("killed"):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        await asyncio.sleep(KILL_EVERY)

    async def leave(self) -> None:
        """Go in the middle of a stream."""
        async with self.client.stream("POST", "/functions/v1/streams") as answer:
            await anext(answer.aiter_raw())
        self.count("streams", str(answer.status_code))
        await asyncio.sleep(0.1)

    def processes(self, name: str = "") -> list[psutil.Process]:
        """Deno's processes of this project, or of one function."""
        mark = f"{self.folder}/supabase/.minato/functions/{name}"
        return [
            process
            for process in psutil.process_iter(["cmdline"])
            if "run" in (line := process.info["cmdline"] or []) and any(mark in part for part in line)
        ]

    def load(self) -> list[Callable[[], Awaitable[object]]]:
        """What is done again and again, side by side."""
        good = [(name, length) for name in ("one", "two", "three", "database") for length in (10, 100_000)]
        return [
            *((lambda name=name, length=length: self.ask_good(name, length)) for name, length in good),
            *((lambda name=name: self.ask_bad(name)) for name in BAD),
            *(self.edit, self.kill, self.leave, lambda: self.ask("killed", b"x")),
        ]

    def state(self) -> dict[str, Any]:
        """What must be the same at the end."""
        return {
            "server RSS, MiB": round(self.server.memory_info().rss / 2**20, 1),
            "open files of the server": self.server.num_fds(),
            "processes of functions": len(self.processes()),
            "PostgreSQL": _postgres(self.folder),
        }


def _postgres(folder: Path) -> int:
    lines = (folder / "supabase/.minato/postgres/postmaster.pid").read_text().splitlines()
    return int(lines[0])


async def again(what: Callable[[], Awaitable[object]], until: float) -> None:
    while time.monotonic() < until:
        await what()


async def tell_now_and_then(soak: Soak, until: float) -> None:
    while time.monotonic() < until:
        await asyncio.sleep(min(PROGRESS, max(0.1, until - time.monotonic())))
        print(len(soak.seconds), "good answers,", len(soak.errors), "errors", soak.state(), file=sys.stderr, flush=True)


@asynccontextmanager
async def started(folder: Path) -> AsyncIterator[Soak]:
    """A server of the project in `folder`, whose log lies there."""
    with (folder / "server.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "minato", "start", "--json", "--port", "0", "--workdir", str(folder)),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={**os.environ, **SETTINGS},
        )
    assert process.stdout is not None
    try:
        url = json.loads(await process.stdout.readline())["url"]
        async with httpx.AsyncClient(base_url=url, timeout=60, limits=httpx.Limits(max_connections=None)) as client:
            yield Soak(folder, psutil.Process(process.pid), client)
    finally:
        process.terminate()
        await process.wait()


def write_project(folder: Path) -> None:
    supabase = folder / "supabase"
    (supabase / "migrations").mkdir(parents=True)
    (supabase / "migrations" / "20260101000000_sum.sql").write_text(MIGRATION)
    tables = [f"[functions.{name}]\nverify_jwt = false\n" for name in FUNCTIONS]
    (supabase / "config.toml").write_text("\n".join(['project_id = "soak"', *tables]))
    for name, source in FUNCTIONS.items():
        (supabase / "functions" / name).mkdir(parents=True)
        (supabase / "functions" / name / "index.ts").write_text(source)


async def figures(soak: Soak) -> dict[str, float]:
    """Milliseconds, one request after the other, before any load."""
    first = [await _timed(lambda name=name: soak.ask_good(name, 10)) for name in ("one", "two", "three", "database")]
    warm = sorted([await _timed(lambda: soak.ask_good("one", 10)) for _ in range(300)])
    renewed = [await _timed(soak.edit) - EDIT_EVERY for _ in range(10)]
    shown = {
        "first answer": statistics.median(first),
        **{"warm, p50": warm[150], "warm, p99": warm[296]},
        "after an edit": statistics.median(renewed),
    }
    return {name: round(1000 * value, 2) for name, value in shown.items()}


async def _timed(what: Callable[[], Awaitable[object]]) -> float:
    began = time.monotonic()
    await what()
    return time.monotonic() - began


async def run(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """The whole story."""
    write_project(folder)
    async with started(folder) as soak:
        alone = await figures(soak)
        await asyncio.gather(*(again(what, time.monotonic() + options.warm_up) for what in soak.load()))
        before = await settled(soak)
        soak.seconds.clear()
        until = time.monotonic() + options.seconds
        await asyncio.gather(*(again(what, until) for what in soak.load()), tell_now_and_then(soak, until))
        under_load = sorted(soak.seconds)
        after = await settled(soak)
        for name in ("one", "database"):
            await soak.ask_good(name, 10)
    return {
        "alone, ms": alone,
        "good answers": len(under_load),
        "under load, ms": {f"p{part}": round(1000 * under_load[len(under_load) * part // 100], 1) for part in (50, 99)},
        "answers": soak.seen,
        **{"before": before, "after": after},
        "left when the server has ended": len(soak.processes()),
        **{"wrong answers": len(soak.errors), "the first of them": soak.errors[:5]},
    }


async def settled(soak: Soak) -> dict[str, Any]:
    """The state without requests, when idle processes have ended and connections are closed."""
    deadline = time.monotonic() + 60
    while soak.processes() and time.monotonic() < deadline:  # noqa: ASYNC110 - other processes end
        await asyncio.sleep(1)
    await soak.client.get("/rest/v1/")
    return soak.state()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0, help="how long there is load")
    parser.add_argument("--warm-up", type=float, default=20.0, help="load before the state that is compared with")
    options = parser.parse_args()
    # Not in memory: Deno lets nobody read below /dev.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        print(json.dumps(asyncio.run(run(options, Path(folder))), indent=2))


if __name__ == "__main__":
    main()
