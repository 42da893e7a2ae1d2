"""Plugin of pytest (`-p tests.mutation.tracing`): which tests run through which functions, and how long each takes.

Every process of a run writes one file into the folder that MUTANTS_TRACES names.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage
from coverage.data import CoverageData

from tests.mutation.owners import IMPORT, owners
from tests.support.command import REPOSITORY

SOURCES = REPOSITORY / "api" / "minato"


class Tracing:
    """Measures one process; a test's own lines are those that run between its setup and its teardown."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / f"{os.getpid()}.json"
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._coverage = Coverage(
            data_file=None, include=[f"{SOURCES}/*"], concurrency=["greenlet", "thread"], config_file=False
        )
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        result = yield
        self._coverage.switch_context(IMPORT)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self._seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        found = {"seconds": self._seconds, "functions": through(self._coverage.get_data())}
        self._file.write_text(json.dumps(found))


def through(data: CoverageData) -> dict[str, dict[str, list[str]]]:
    """The tests of every function that was run: file, function, tests."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in data.measured_files():
        names = owners(Path(path).read_text())
        tests: defaultdict[str, set[str]] = defaultdict(set)
        for line, contexts in data.contexts_by_lineno(path).items():
            tests[names.get(line, IMPORT)].update(contexts)
        file = Path(path).relative_to(REPOSITORY).as_posix()
        found[file] = {name: sorted(those - {IMPORT}) for name, those in tests.items()}
    return found


def pytest_configure(config: pytest.Config) -> None:
    """Only where tests run: with xdist in the workers."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Tracing(Path(os.environ["MUTANTS_TRACES"])))
