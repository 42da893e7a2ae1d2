"""The data API: twelve cases, each beside pgbench and, where one is given, PostgREST on the same database.

The legs are interleaved and short: Minato, pgbench and PostgREST take turns on each case several times, and medians
count.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import asyncpg

from bench.cases import CASES, OWNER, Case
from bench.catalog import measure_catalog
from bench.load import Measurement, load_http, load_pgbench
from bench.servers import NO_JOURNAL, Server, minato, postgrest

SETTINGS = {"PGRST_DB_SCHEMAS": "api", "PGRST_DB_MAX_ROWS": "", **NO_JOURNAL}


def measure_api(folder: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Every case at every number of connections, all legs in turn."""
    with minato(folder, {**SETTINGS, "MINATO_WORKERS": str(options.workers)}) as server:
        asyncio.run(load_fixture(server.info["db_url"]))
        catalog = asyncio.run(measure_catalog(server.info["db_url"]))
        print(f"catalog of 1,000 tables: {catalog['load_s']:.2f} s, longest pause {catalog['longest_pause_ms']:.0f} ms")
        if options.postgrest is None:
            return run_cases(server, None, options)
        with postgrest(options.postgrest, server.info["db_url"], server.info["jwt_secret"]) as reference:
            return run_cases(server, reference, options)


async def load_fixture(dsn: str) -> None:
    """Load the tables and wait until the API serves them."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(Path(__file__).with_name("schema.sql").read_text())
    await connection.close()


async def forget_written(dsn: str) -> None:
    """Take away what inserts left, or cases that read the whole table would measure how fast the inserts were."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("delete from api.items where id > 10000")
    await connection.execute("vacuum full analyze api.items")
    await connection.close()


def run_cases(server: Server, reference: Server | None, options: argparse.Namespace) -> list[dict[str, Any]]:
    chosen = [case for number, case in enumerate(CASES, 1) if not options.only or number in options.only]
    rows = []
    for case in chosen:
        headers = caller_headers(case, server.info["jwt_secret"])
        for connections in (int(number) for number in options.connections.split(",")):
            rounds = [
                run_legs(server, reference, case, headers, connections, options.seconds) for _ in range(options.rounds)
            ]
            legs = {leg: median([each[leg] for each in rounds]) for leg in rounds[0]}
            row = {"case": case.name, "connections": connections, **{leg: asdict(m) for leg, m in legs.items()}}
            rows.append(row)
            print(describe(row), flush=True)
        if case.writes:
            asyncio.run(forget_written(server.info["db_url"]))
    return rows


def run_legs(
    server: Server, reference: Server | None, case: Case, headers: dict[str, str], connections: int, seconds: int
) -> dict[str, Measurement]:
    legs = {"minato": load_server(server, case, headers, connections, seconds)}
    legs["pgbench"] = load_pgbench(pgbench_binary(), server.info["db_url"], case, connections, seconds)
    if reference is not None:
        legs["postgrest"] = load_server(reference, case, headers, connections, seconds)
    return legs


def load_server(server: Server, case: Case, headers: dict[str, str], connections: int, seconds: int) -> Measurement:
    """Drive `server` and look at what its process spent."""
    before = server.cpu_seconds()
    measured = load_http(server.base, case, headers, connections, seconds)
    spent = server.cpu_seconds() - before
    return replace(measured, cpu_ms=1000 * spent / max(1, measured.per_second * seconds))


def median(runs: list[Measurement]) -> Measurement:
    """The median of each figure; errors add up."""
    figures = ("per_second", "p50_ms", "p99_ms", "cpu_ms")
    middle = {name: statistics.median(getattr(run, name) for run in runs) for name in figures}
    return Measurement(**middle, errors=sum(run.errors for run in runs))


def caller_headers(case: Case, jwt_secret: str) -> dict[str, str]:
    from minato.tokens.keys import KeySet, secret_key

    if not case.signed_in:
        return {}
    claims = {"role": "authenticated", "sub": OWNER, "aud": "authenticated", "exp": 4102444800}
    return {"authorization": f"Bearer {KeySet([secret_key(jwt_secret)]).sign(claims)}"}


def pgbench_binary() -> Path:
    from minato.postgres.binaries import find_binaries

    return find_binaries(None).program("pgbench")


def describe(row: dict[str, Any]) -> str:
    rates = [f"{leg} {row[leg]['per_second']:7.0f}/s" for leg in ("minato", "pgbench", "postgrest") if leg in row]
    ratios = [_ratio(row, leg) for leg in ("pgbench", "postgrest") if leg in row]
    latency = "  ".join(
        f"{leg} p50 {row[leg]['p50_ms']:.2f} p99 {row[leg]['p99_ms']:.2f} ms, {row[leg]['cpu_ms']:.3f} ms of processor"
        for leg in ("minato", "postgrest")
        if leg in row
    )
    return f"{row['case']:30} c={row['connections']:<3} {'  '.join(rates)}  {latency}  {', '.join(ratios)}"


def _ratio(row: dict[str, Any], leg: str) -> str:
    own, other = row["minato"], row[leg]
    if not other["per_second"]:
        return f"{leg} answered nothing"
    by_cpu = f" (x{other['cpu_ms'] / own['cpu_ms']:.2f} by processor)" if other["cpu_ms"] and own["cpu_ms"] else ""
    return f"x{own['per_second'] / other['per_second']:.2f} of {leg}{by_cpu}"
