"""`python -m tests.mutation`: wrong lines, each before the tests that should notice it.

Without arguments those on the lines that differ from the main branch; `--sample 200 --seed 1` draws them from the four
rooms; `--policies` drops every condition of every row policy, or of those of `--tables`. The exit status is 1 when
fewer than 95 % were noticed.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Collection, Iterable

from tests.mutation import policy_trials, source_trials, wrong_source
from tests.mutation.database import Shared, shared_postgres
from tests.mutation.operators import Mutant
from tests.mutation.report import Report
from tests.mutation.sources import ROOMS, room_of, sampled, touched
from tests.mutation.traces import traced
from tests.mutation.trial import SURVIVED, Trial, tried

# Of changed lines no more than this: what is left is for a sample.
MOST = 100


def policies(postgres: Shared, only: str, tables: Collection[str]) -> Report:
    """Every condition of every policy: first the tests that name its table, then all others of the marketplace."""
    found = policy_trials.all_dropped(postgres, tables)
    mutants = {mutant.label: mutant for mutant in found if only in mutant.label}
    policy_trials.warm()
    near = policy_trials.near(postgres, list(mutants.values()))
    return run(postgres, near, lambda names: policy_trials.far(postgres, [mutants[name] for name in names]))


def lines(postgres: Shared, found: Iterable[Mutant], only: str) -> Report:
    """Wrong lines of Python: first the tests that run through little else, then all that run through the function."""
    mutants = {source_trials.label(mutant): mutant for mutant in found}
    mutants = {name: mutant for name, mutant in mutants.items() if only in name}
    traces = traced({room_of(mutant.file) for mutant in mutants.values()})
    wrong_source.warm()
    near = source_trials.near(postgres, traces, mutants.values())
    return run(postgres, near, lambda names: source_trials.far(postgres, traces, [mutants[name] for name in names]))


def run(postgres: Shared, near: list[Trial], far: Callable[[list[str]], list[Trial]]) -> Report:
    """Try all, the survivors again before more tests, and what noticed without anything wrong."""
    report = Report()
    note(report, postgres, near)
    note(report, postgres, far(report.names(SURVIVED)))
    for trial in tried([control(postgres, report)], postgres.forget):
        report.doubt(trial.noticed_by)
    return report


def note(report: Report, postgres: Shared, trials: list[Trial]) -> None:
    for trial in tried(trials, postgres.forget):
        report.add(trial)
        sys.stdout.write(f"{trial.outcome:9} {trial.seconds:6.1f} s  {trial.name}  ← {trial.noticed_by}\n")
        sys.stdout.flush()


def control(postgres: Shared, report: Report) -> Trial:
    """The tests that noticed, before the right code: one that fails has noticed nothing."""
    witnesses = sorted({trial.noticed_by for trial in report.trials if "::" in trial.noticed_by})
    return Trial("control", postgres.announce, witnesses, 10 * len(witnesses) + 60)


def end_in_order() -> None:
    """A SIGTERM, too, ends what was started before this process."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policies", action="store_true")
    parser.add_argument("--tables", default="", help="only the policies of these: public.reviews,storage.objects")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--since")
    parser.add_argument("--only", default="", help="those whose label has this in it")
    asked = parser.parse_args()
    end_in_order()
    with shared_postgres() as postgres:
        if asked.policies:
            report = policies(postgres, asked.only, set(filter(None, asked.tables.split(","))))
        elif asked.sample:
            report = lines(postgres, sampled(asked.sample, asked.seed, tuple(asked.rooms.split(","))), asked.only)
        else:
            report = lines(postgres, touched(asked.since, MOST, asked.seed), asked.only)
    sys.stdout.write(report.table())
    return 0 if report.is_enough() else 1


if __name__ == "__main__":
    sys.exit(main())
