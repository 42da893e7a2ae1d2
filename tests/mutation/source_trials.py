"""Trials of wrong lines of Python, each before the tests that run through its function."""

from __future__ import annotations

from collections.abc import Iterable

from tests.mutation.database import Shared
from tests.mutation.operators import Mutant
from tests.mutation.traces import Traces
from tests.mutation.trial import Trial
from tests.mutation.wrong_source import WrongSource

# What survives is tried once more before all tests of its function, by what they took when they were traced.
FAR_SECONDS, FAR_TESTS = 120.0, 600
# A trial may take longer than its tests took: it imports first, and the machine may be busy.
START, SLOWER = 60.0, 6


def near(postgres: Shared, traces: Traces, mutants: Iterable[Mutant]) -> list[Trial]:
    """Before those that run through its function and through little else."""
    return [_trial(postgres, traces, mutant, traces.tests(mutant.file, mutant.function)) for mutant in mutants]


def far(postgres: Shared, traces: Traces, mutants: Iterable[Mutant]) -> list[Trial]:
    """Before the others that run through its function, if there are any."""
    return [_trial(postgres, traces, mutant, more) for mutant in mutants if (more := _more(traces, mutant))]


def _more(traces: Traces, mutant: Mutant) -> list[str]:
    known = traces.tests(mutant.file, mutant.function)
    return traces.tests(mutant.file, mutant.function, FAR_SECONDS, FAR_TESTS)[len(known) :]


def _trial(postgres: Shared, traces: Traces, mutant: Mutant, tests: list[str]) -> Trial:
    limit = START + SLOWER * traces.seconds(tests)
    return Trial(label(mutant), _Prepared(postgres, mutant), tests, limit)


def label(mutant: Mutant) -> str:
    """The file without its line number, which changes, and both readings of the line."""
    before, after = mutant.lines
    return f"{mutant.file.removeprefix('api/minato/')} | {mutant.function or 'import'} | {before} → {after}"


class _Prepared:
    def __init__(self, postgres: Shared, mutant: Mutant) -> None:
        self._postgres, self._mutant = postgres, mutant

    def __call__(self) -> None:
        self._postgres.announce()
        WrongSource(self._mutant.file, self._mutant.source)()
