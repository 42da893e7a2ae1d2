"""Fuzz a server of our own, on a database of its own: `python -m tests.security.fuzz --inputs 200000 --seed 1`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from tests.security.fuzz.driver import Outcome, drive
from tests.security.fuzz.rooms import make_input
from tests.security.fuzz.target import tokens
from tests.support.postgres import Cluster
from tests.support.server import running, settings_for

STRETCH = 5_000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.security.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--show", type=int, help="show the input of that number and end")
    options = parser.parse_args()
    if options.show is not None:
        sys.stdout.write(f"{make_input(options.seed, options.show)}\n")
        return 0
    outcome = asyncio.run(_fuzz(options.seed, range(options.first, options.first + options.inputs)))
    return 1 if outcome.wrong else 0


async def _fuzz(seed: int, numbers: range) -> Outcome:
    total = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        postgres = EmbeddedPostgres(EmbeddedOptions(Path(folder) / "postgres", None, durable=False))
        cluster = Cluster(await postgres.start())
        try:
            await cluster.migrate_template()
            async with (
                cluster.fresh_database() as address,
                running(address, settings_for(Path(folder) / "data")) as minato,
            ):
                for start in range(numbers.start, numbers.stop, STRETCH):
                    began = time.monotonic()
                    stretch = range(start, min(start + STRETCH, numbers.stop))
                    outcome = await drive(minato.url, await tokens(minato), seed, stretch)
                    total.statuses += outcome.statuses
                    total.wrong += outcome.wrong
                    _tell(outcome, stretch, time.monotonic() - began)
        finally:
            await cluster.close()
            await postgres.stop()
    sys.stdout.write(
        f"{len(numbers)} inputs, {len(total.wrong)} wrong, statuses {dict(sorted(total.statuses.items()))}\n"
    )
    return total


def _tell(outcome: Outcome, stretch: range, seconds: float) -> None:
    sys.stdout.write(f"{stretch.stop} after {seconds:.0f} s\n")
    for number, wrong in outcome.wrong:
        sys.stdout.write(f"  {number}: {wrong}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
