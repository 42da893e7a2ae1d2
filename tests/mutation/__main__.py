"""`python -m tests.mutation`: wrong lines, each before the tests that should notice it. See `make mutants`."""

from __future__ import annotations

import argparse
import sys

from tests.mutation import policy_trials
from tests.mutation.database import shared_postgres
from tests.mutation.trial import tried


def policies(only: str) -> None:
    with shared_postgres() as postgres:
        mutants = [m for m in policy_trials.all_dropped(postgres) if only in m.label]
        policy_trials.warm()
        for done in tried(policy_trials.near(postgres, mutants), postgres.forget):
            sys.stdout.write(f"{done.outcome:9} {done.seconds:6.1f} s  {done.name}  <- {done.noticed_by}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    policies(parser.parse_args().only)
