"""A trial: one mutant before its tests, in a fork of this process, so that what is imported by now costs nothing.

The fork must happen before an event loop, a connection or a thread is there.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

NOTICED, SURVIVED, ENDLESS, UNTESTED = "noticed", "survived", "endless", "untested"
AT_ONCE = 2
# What a process may take to put things back after the test that noticed.
GRACE = 60.0
LOOK = 0.05
ENDING = frozenset({signal.SIGTERM, signal.SIGINT})


@dataclass
class Trial:
    """`prepare` is called in the fork and puts the mutant in its place; the tests run in their order."""

    name: str
    prepare: Callable[[], None]
    tests: Sequence[str]
    limit: float
    # says of the collected tests which to run; all when there is none
    chosen: Callable[[pytest.Item], bool] | None = None
    outcome: str = ""
    noticed_by: str = ""
    seconds: float = 0.0


@dataclass
class _Running:
    trial: Trial
    process: int
    folder: Path
    began: float = field(default_factory=time.monotonic)

    def limit(self) -> float:
        return self.trial.limit + (GRACE if self.told() else 0)

    def told(self) -> str:
        file = self.folder / "noticed"
        return file.read_text() if file.exists() else ""


class Teller:
    """Plugin of pytest: writes down the test that failed, and chooses."""

    def __init__(self, file: Path, chosen: Callable[[pytest.Item], bool] | None) -> None:
        self._file = file
        self._chosen = chosen

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if chosen := self._chosen:
            items[:] = [item for item in items if chosen(item)]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self._file.exists():
            self._file.write_text(f"collection: {report.nodeid}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._file.exists():
            self._file.write_text(report.nodeid)


def tried(trials: Sequence[Trial], forget: Callable[[int], None]) -> Iterator[Trial]:
    """Run all trials, two at a time; each is given out when it has ended. `forget` clears up behind a process.

    Who stops asking, or is told to end, leaves none that goes on.
    """
    waiting, running = list(reversed(trials)), list[_Running]()
    try:
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                with _undisturbed():
                    running.append(_begun(waiting.pop()))
            for each in list(running):
                if (status := _ended(each)) is not None:
                    running.remove(each)
                    _settle(each, status)
                    forget(each.process)
                    yield each.trial
            time.sleep(LOOK)
    finally:
        for each in running:
            _kill(each)
            forget(each.process)
            shutil.rmtree(each.folder, ignore_errors=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Whoever tells this process to end is heard afterwards: one who was begun and not yet noted would go on."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _begun(trial: Trial) -> _Running:
    folder = Path(tempfile.mkdtemp(prefix="mutant_"))
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        _run(trial, folder)
    # Here as well as there, whoever comes first: from now on the group can be ended.
    with suppress(OSError):
        os.setpgid(process, process)
    return _Running(trial, process, folder)


def _run(trial: Trial, folder: Path) -> None:
    """What the fork does; it never returns."""
    status = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        output = os.open(folder / "output", os.O_CREAT | os.O_WRONLY)
        os.dup2(output, 1)
        os.dup2(output, 2)
        try:
            trial.prepare()
        except Exception as error:
            (folder / "noticed").write_text(f"import: {error!r}")
            return
        if not trial.tests:
            # without a name pytest would run everything
            status = 0
            return
        options = [
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "--assert=plain",
            # said when all tests are over, of what a fork has inherited
            "-Wignore::pytest.PytestUnraisableExceptionWarning",
            "--tb=short",
            f"--basetemp={folder / 'files'}",
        ]
        status = int(pytest.main([*options, *trial.tests], plugins=[Teller(folder / "noticed", trial.chosen)]))
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _ended(each: _Running) -> int | None:
    """The exit status, -1 when the time was over; None while it runs."""
    process, status = os.waitpid(each.process, os.WNOHANG)
    if process:
        return os.waitstatus_to_exitcode(status)
    if time.monotonic() - each.began < each.limit():
        return None
    _kill(each)
    return -1


def _kill(each: _Running) -> None:
    """With whatever it has started."""
    os.killpg(each.process, signal.SIGKILL)
    os.waitpid(each.process, 0)


def _settle(each: _Running, status: int) -> None:
    trial = each.trial
    trial.seconds = time.monotonic() - each.began
    trial.noticed_by = each.told()
    trial.outcome = _outcome(trial, status)
    if trial.outcome == UNTESTED:
        sys.stderr.write((each.folder / "output").read_text()[-2000:])
    if keep := os.environ.get("MUTANTS_OUTPUT"):
        shutil.copy(each.folder / "output", Path(keep) / f"{each.process}.txt")
    shutil.rmtree(each.folder, ignore_errors=True)


def _outcome(trial: Trial, status: int) -> str:
    if trial.noticed_by:
        return NOTICED
    if status == -1:
        return ENDLESS
    # 5: none of the tests was chosen. Otherwise a wrong name of a test, a fork that failed: our own mistakes.
    return SURVIVED if status in (0, 5) else UNTESTED
