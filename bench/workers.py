"""`minato serve --workers`: 1, 2, … processes under the same load, by requests and by processor time.

Where the client, PostgreSQL and the workers share few processors, requests per second say nothing of workers. What does
is the processor time that the busiest process spends for a request of the whole server: with a processor of its own for
each process, that is what bounds the server. The gain is that of one process by it.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.api import SETTINGS, caller_headers, load_fixture
from bench.cases import CASES
from bench.load import load_http
from bench.servers import Server, minato

COUNTS = (1, 2, 4)
# One row by id, 25 rows, one row under a policy, an insert.
SHOWN = 4


@dataclass(frozen=True)
class Share:
    """Milliseconds of processor for each request of the whole server."""

    per_second: float
    busiest_ms: float
    all_ms: float
    parent_ms: float
    errors: int


def measure_workers(folder: Path, options: argparse.Namespace) -> list[dict[str, object]]:
    """Every number of workers on a database of its own, in turn; medians of the rounds."""
    rows: list[dict[str, object]] = []
    for connections in (int(number) for number in options.connections.split(",")):
        found: dict[int, list[list[Share]]] = {count: [] for count in COUNTS}
        for number in range(options.rounds):
            for count in COUNTS:
                place = folder / f"{connections}-{number}-{count}"
                with minato(place, {**SETTINGS, "MINATO_WORKERS": str(count)}) as server:
                    asyncio.run(load_fixture(server.info["db_url"]))
                    found[count].append([_load(server, index, connections, options.seconds) for index in range(SHOWN)])
        for index in range(SHOWN):
            medians = {count: _median([rounds[index] for rounds in runs]) for count, runs in found.items()}
            rows += [_row(CASES[index].name, connections, count, medians) for count in COUNTS]
    return rows


def _load(server: Server, index: int, connections: int, seconds: int) -> Share:
    case = CASES[index]
    headers = caller_headers(case, server.info["jwt_secret"])
    before = server.cpu_of_each()
    measured = load_http(server.base, case, headers, connections, seconds)
    after = server.cpu_of_each()
    requests = max(1.0, measured.per_second * seconds)
    spent = {pid: 1000 * (after[pid] - before.get(pid, 0.0)) / requests for pid in after}
    parent = spent.pop(server.process.pid) if len(spent) > 1 else 0.0
    return Share(measured.per_second, max(spent.values()), sum(spent.values()) + parent, parent, measured.errors)


def _median(runs: list[Share]) -> Share:
    names = ("per_second", "busiest_ms", "all_ms", "parent_ms")
    return Share(
        **{name: statistics.median(getattr(run, name) for run in runs) for name in names},
        errors=sum(run.errors for run in runs),
    )


def _row(case: str, connections: int, count: int, medians: Mapping[int, Share]) -> dict[str, object]:
    one, these = medians[COUNTS[0]], medians[count]
    gain = one.busiest_ms / these.busiest_ms
    print(
        f"{case:30} c={connections:<3} workers {count}  {these.per_second:7.0f}/s  busiest {these.busiest_ms:.3f} ms  "
        f"all {these.all_ms:.3f} ms  parent {these.parent_ms:.3f} ms  x{gain:.2f} with processors of their own  "
        f"{these.errors} errors",
        flush=True,
    )
    return {"case": case, "connections": connections, "workers": count, "gain": gain, **asdict(these)}
