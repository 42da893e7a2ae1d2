"""Mixed traffic: people who read four times for each time that they write, think between requests, and keep their
connection.

Each person asks one of the cases, drawn anew each time, so the server meets all of them at once. Minato and, where one
is given, PostgREST take turns on one database.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil

from bench.api import SETTINGS, caller_headers, load_fixture
from bench.cases import CASES, Case
from bench.servers import Server, minato, postgrest

WRITES = 0.2
READ = [case for case in CASES if not case.writes]
WRITTEN = [case for case in CASES if case.writes]
WARM_SECONDS = 2.0


@dataclass
class Answers:
    """What people met: milliseconds of each answer, and how many were none of those that are expected."""

    reads_ms: list[float] = field(default_factory=list)
    writes_ms: list[float] = field(default_factory=list)
    errors: int = 0


@dataclass(frozen=True)
class Mixed:
    """Figures of one leg; processor time in milliseconds for each request."""

    per_second: float
    read_p50_ms: float
    read_p95_ms: float
    read_p99_ms: float
    write_p50_ms: float
    write_p99_ms: float
    server_ms: float
    postgres_ms: float
    errors: int


def measure_mixed(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Both legs in turn; medians of the rounds."""
    with minato(folder, SETTINGS) as server:
        asyncio.run(load_fixture(server.info["db_url"]))
        if options.postgrest is None:
            return _in_turns({"minato": server}, server, options)
        with postgrest(options.postgrest, server.info["db_url"], server.info["jwt_secret"]) as reference:
            return _in_turns({"minato": server, "postgrest": reference}, server, options)


def _in_turns(legs: dict[str, Server], server: Server, options: argparse.Namespace) -> dict[str, Any]:
    requests = {case.name: _headers(case, server.info["jwt_secret"]) for case in CASES}
    taken: dict[str, list[Mixed]] = {name: [] for name in legs}
    for _ in range(options.rounds):
        for name, leg in legs.items():
            taken[name].append(_one(leg, server, requests, options))
    return {name: _median(runs) for name, runs in taken.items()}


def _one(leg: Server, server: Server, requests: dict[str, str], options: argparse.Namespace) -> Mixed:
    asyncio.run(_people(leg, requests, options.users, options.think, WARM_SECONDS))
    own, others = leg.cpu_seconds(), _postgres_seconds(server)
    seconds = float(options.seconds)
    answers = asyncio.run(_people(leg, requests, options.users, options.think, seconds))
    count = max(1, len(answers.reads_ms) + len(answers.writes_ms))
    read_50, read_95, read_99 = _percentiles(answers.reads_ms)
    write_50, _, write_99 = _percentiles(answers.writes_ms)
    spent = 1000 * (leg.cpu_seconds() - own) / count, 1000 * (_postgres_seconds(server) - others) / count
    return Mixed(count / seconds, read_50, read_95, read_99, write_50, write_99, *spent, answers.errors)


async def _people(leg: Server, requests: dict[str, str], users: int, think: float, seconds: float) -> Answers:
    answers, until = Answers(), time.monotonic() + seconds
    origin, _, below = leg.base.removeprefix("http://").partition("/")
    port, prefix = int(origin.rpartition(":")[2]), f"/{below}" if below else ""
    await asyncio.gather(*(_person(port, prefix, requests, think, until, answers) for _ in range(users)))
    return answers


async def _person(
    port: int, prefix: str, requests: dict[str, str], think: float, until: float, answers: Answers
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while (wait := random.expovariate(1 / think)) < until - time.monotonic():
        await asyncio.sleep(wait)
        case = random.choice(WRITTEN if random.random() < WRITES else READ)
        began = time.monotonic()
        request = requests[case.name].replace("{path}", prefix + _drawn(case))
        writer.write(f"{request}{case.body or ''}".encode())
        status = await _answer(reader)
        (answers.writes_ms if case.writes else answers.reads_ms).append(1000 * (time.monotonic() - began))
        answers.errors += status not in {200, 201, 206}
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def _answer(reader: asyncio.StreamReader) -> int:
    """The status of an answer that was read to its end."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
    if fields.get(b"transfer-encoding") == b"chunked":
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    else:
        await reader.readexactly(int(fields.get(b"content-length", 0)))
    return int(head.split(b" ", 2)[1])


def _headers(case: Case, jwt_secret: str) -> str:
    """The request of a case, whose `{path}` is still to be said."""
    sent = {"host": "127.0.0.1", **caller_headers(case, jwt_secret)}
    if case.body is not None:
        sent |= {"content-type": "application/json", "content-length": str(len(case.body))}
        sent |= {"prefer": case.prefer} if case.prefer else {}
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    return f"{'POST' if case.writes else 'GET'} {{path}} HTTP/1.1\r\n{lines}\r\n"


def _drawn(case: Case) -> str:
    drawn = {"{id}": random.randint(1, 10_000), "{other}": random.randint(1, 10_000)}
    path = case.path.replace("{page}", str(25 * random.randint(0, 390)))
    for name, number in drawn.items():
        path = path.replace(name, str(number))
    return path


def _postgres_seconds(server: Server) -> float:
    """Processor time of PostgreSQL so far, sessions that have ended included."""
    total = 0.0
    for one in psutil.Process(server.process.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if one.name() == "postgres":
                times = one.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
    return total


def _percentiles(taken: Iterable[float]) -> tuple[float, float, float]:
    known = sorted(taken) or [0.0]
    middle, most, nearly_all = (known[min(len(known) - 1, int(share * len(known)))] for share in (0.5, 0.95, 0.99))
    return middle, most, nearly_all


def _median(runs: list[Mixed]) -> dict[str, float]:
    whole = [asdict(run) for run in runs]
    figures = {name: statistics.median(run[name] for run in whole) for name in whole[0]}
    return {**figures, "errors": sum(run.errors for run in runs)}


def print_mixed(results: dict[str, Any]) -> None:
    """One line for each leg."""
    for name, figures in results.items():
        print(f"mixed  {name:10}", "  ".join(f"{figure} {value:.3g}" for figure, value in figures.items()))
