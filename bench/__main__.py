"""`python -m bench`: starts everything itself, measures, prints ratios of this one run, writes JSON.

Figures of two runs on a busy machine say little beside each other; ratios within one run do.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bench.analytics import measure_analytics
from bench.api import measure_api
from bench.auth import SETTINGS, describe_auth, measure_auth
from bench.auth_beside import measure_beside
from bench.branches import measure_branches
from bench.first_row import describe_first_row, measure_first_row
from bench.journal import describe_journal, measure_journal
from bench.kills import measure_kills, print_kills
from bench.load import require_wrk
from bench.marketplace import describe_marketplace, measure_marketplace
from bench.mixed import measure_mixed, print_mixed
from bench.office import describe_office, measure_office
from bench.realtime import measure_realtime
from bench.servers import minato
from bench.storage import measure_storage, print_storage
from bench.web import describe_web, measure_web
from bench.workers import measure_workers

RESULTS = Path("bench/results")


def main() -> None:
    options = parse_options()
    parts = options.part or PARTS
    if set(parts) - {"web", "first-row", "kills", "mixed", "marketplace", "office", "branches", "journal"}:
        require_wrk()
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            results[part] = PARTS[part](Path(folder, part), options)
    RESULTS.mkdir(parents=True, exist_ok=True)
    target = RESULTS / "latest.json"
    target.write_text(json.dumps(results, indent=2))
    print(f"\nWritten to {target}")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="measure only this, may be repeated")
    parser.add_argument("--connections", default="1,16,64", help="how many connections, one run each")
    parser.add_argument("--seconds", type=int, default=2, help="length of one run")
    parser.add_argument("--rounds", type=int, default=5, help="how often the legs take turns; medians count")
    parser.add_argument("--starts", type=int, default=3, help="warm starts to take the median of")
    parser.add_argument("--users", type=int, default=100, help="people of the mixed traffic")
    parser.add_argument("--think", type=float, default=0.5, help="seconds between two requests of one, on average")
    parser.add_argument("--kills", type=int, default=20, help="how often a worker is killed")
    parser.add_argument("--postgrest", type=Path, help="a PostgREST executable to run beside")
    parser.add_argument("--gotrue", type=Path, help="a GoTrue executable, in its source folder, to run beside")
    parser.add_argument("--workers", type=int, default=1, help="processes of Minato that serve the data API")
    parser.add_argument(
        "--only",
        type=int,
        action="append",
        help="number of a case of the data API (1-12), or of auth beside GoTrue (1-4)",
    )
    parser.add_argument("--offers-only", action="store_true", help="a marketplace without requests and messages")
    parser.add_argument("--auth-connections", type=int, default=16, help="callers of the auth service at a time")
    return parser.parse_args()


def start(folder: Path, options: argparse.Namespace) -> dict[str, float]:
    """Seconds to the first answer, cold (initdb, migrations) and warm, and idle memory."""
    with minato(folder) as server:
        cold = server.started_in
    warm: list[float] = []
    for _ in range(options.starts):
        with minato(folder) as server:
            warm.append(server.started_in)
            memory = server.memory()
    figures = {"cold_s": cold, "warm_s": statistics.median(warm), **memory}
    print(f"start  cold {cold:.2f} s  warm {figures['warm_s']:.2f} s")
    print(
        f"memory idle: server {figures['server_mib']:.0f} MiB, with PostgreSQL {figures['tree_mib']:.0f} MiB",
        flush=True,
    )
    return figures


def auth(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    # As many connections as GoTrue keeps open.
    as_many = {"MINATO_SERVICE_POOL_SIZE": str(options.auth_connections)} if options.gotrue else {}
    with minato(folder, {**SETTINGS, **as_many}) as server:
        if options.gotrue is not None:
            callers, seconds, rounds = options.auth_connections, options.seconds, options.rounds
            return measure_beside(server, options.gotrue, callers, seconds, rounds, options.only)
        figures = measure_auth(server, options.auth_connections, options.seconds)
    print("\n".join(describe_auth(figures)), flush=True)
    return figures


def storage(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    figures = measure_storage(folder, options.seconds, options.rounds)
    print_storage(figures)
    return figures


def realtime(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    return measure_realtime(folder, options.seconds)


def analytics(folder: Path, options: argparse.Namespace) -> dict[str, float]:
    figures = measure_analytics(folder)
    for name, took in figures.items():
        print(f"{name:32} {took:7.0f} ms", flush=True)
    return figures


def marketplace(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    figures = measure_marketplace(folder, options.offers_only)
    print("\n".join(describe_marketplace(figures)), flush=True)
    return figures


def office(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    figures = measure_office(folder)
    print("\n".join(describe_office(figures)), flush=True)
    return figures


def web(folder: Path, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    figures = measure_web(folder, options.rounds)
    print("\n".join(describe_web(figures)), flush=True)
    return figures


def first_row(folder: Path, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    figures = measure_first_row(folder, options.rounds)
    print("\n".join(describe_first_row(figures)), flush=True)
    return figures


def branches(folder: Path, options: argparse.Namespace) -> dict[str, float]:
    return measure_branches(folder)


def journal(folder: Path, options: argparse.Namespace) -> dict[str, float]:
    figures = measure_journal(folder)
    print("\n".join(describe_journal(figures)), flush=True)
    return figures


def kills(folder: Path, options: argparse.Namespace) -> dict[str, float]:
    figures = measure_kills(folder, options.kills)
    print_kills(figures)
    return figures


def mixed(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    figures = measure_mixed(folder, options)
    print_mixed(figures)
    return figures


PARTS: Mapping[str, Callable[[Path, argparse.Namespace], Any]] = {
    "start": start,
    "auth": auth,
    "api": measure_api,
    "storage": storage,
    "realtime": realtime,
    "analytics": analytics,
    "marketplace": marketplace,
    "office": office,
    "web": web,
    "first-row": first_row,
    "workers": measure_workers,
    "branches": branches,
    "journal": journal,
    "kills": kills,
    "mixed": mixed,
}


if __name__ == "__main__":
    main()
