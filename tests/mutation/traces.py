"""Which tests run through a function: what `tests.mutation.tracing` has written, and how to have it written.

Traces outlive changes of a file, for they name functions. Tests that are newer than the traces are found by their
folder.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.support.command import REPOSITORY

FOLDER = REPOSITORY / ".state" / "mutants"
# Tests of a mutant, by what they took when they were traced: most mutants are noticed by the first.
SECONDS = 20.0
TESTS = 150


class Traces:
    """All traces of a folder, read once."""

    def __init__(self, folder: Path) -> None:
        self._seconds: dict[str, float] = {}
        self._functions: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._breadth: defaultdict[str, int] = defaultdict(int)
        for trace in sorted(folder.rglob("*.json")):
            said = json.loads(trace.read_text())
            self._seconds.update(said["seconds"])
            for file, functions in said["functions"].items():
                for function, tests in functions.items():
                    self._functions[file, function].update(tests)
        for tests in self._functions.values():
            for test in tests:
                self._breadth[test] += 1

    def tests(self, file: str, function: str, most_seconds: float = SECONDS, most: int = TESTS) -> list[str]:
        """Those that run through it, first of the files that run through least else; as many as the time allows."""
        found = self._functions.get((file, function)) or self._of(file) or self._of(f"{Path(file).parent}/")
        by_file: defaultdict[str, list[str]] = defaultdict(list)
        for test in found:
            if test in self._seconds and still_there(test):
                by_file[test.partition("::")[0]].append(test)
        chosen, seconds = list[str](), 0.0
        for tests in sorted(by_file.values(), key=self._nearness):
            for test in sorted(tests, key=lambda test: (self._breadth[test], self._seconds[test])):
                seconds += self._seconds[test]
                if chosen and (seconds > most_seconds or len(chosen) >= most):
                    return chosen
                chosen.append(test)
        return chosen

    def seconds(self, tests: Iterable[str]) -> float:
        """What they took when they were traced."""
        return sum(self._seconds[test] for test in tests)

    def _of(self, beginning: str) -> set[str]:
        """For what runs with the import, and a function that no test runs through: all of its file, or its folder."""
        return {test for (file, _), tests in self._functions.items() if file.startswith(beginning) for test in tests}

    def _nearness(self, tests: list[str]) -> tuple[bool, float]:
        return not tests[0].startswith("tests/unit"), sum(self._breadth[test] for test in tests) / len(tests)


def still_there(test: str) -> bool:
    """Whether the file has a test of this name."""
    file, _, name = test.partition("::")
    path = REPOSITORY / file
    return path.exists() and bool(re.search(rf"\b{re.escape(name.partition('[')[0])}\b", path.read_text()))


def trace(room: str) -> None:
    """Run the tests of a room, and those of security, and write down what they run through; takes some minutes."""
    near = (f"tests/{kind}/{room}" for kind in ("unit", "integration"))
    folders = [folder for folder in (*near, "tests/security") if (REPOSITORY / folder).exists()]
    (FOLDER / room).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutation.tracing", "-p", "no:cacheprovider"]
    environment = {**os.environ, "MUTANTS_TRACES": str(FOLDER / room)}
    with subprocess.Popen([*command, *folders], cwd=REPOSITORY, env=environment) as tests:
        try:
            tests.wait()
        except BaseException:
            # As Ctrl-C: they stop their servers.
            tests.send_signal(signal.SIGINT)
            raise


def traced(rooms: Iterable[str]) -> Traces:
    for room in rooms:
        if not list((FOLDER / room).glob("*.json")):
            trace(room)
    return Traces(FOLDER)
