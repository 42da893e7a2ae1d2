"""Tells how tests went, as pg_prove does (TAP::Harness): a line a file, what failed, the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from minato.cli.db_tools.tap import Tap, ranges

_MOST_ERRORS: Final = 5


@dataclass(frozen=True)
class Outcome:
    """One file: what it said and the exit status of what ran it."""

    name: str
    tap: Tap
    status: int

    @property
    def has_problems(self) -> bool:
        tap = self.tap
        return bool(tap.failed or tap.errors or tap.todo_passed or self.status or tap.bailed_out is not None)

    @property
    def is_good(self) -> bool:
        """Tests that succeed although nobody expected it are told, but fail nothing."""
        tap = self.tap
        return not (tap.failed or tap.errors or self.status or tap.bailed_out is not None)


@dataclass(frozen=True)
class Times:
    """Seconds: of the wall clock, and of the processor in this process and in those it started."""

    wall: float
    user: float
    system: float
    children_user: float
    children_system: float


class Report:
    """Prints while files run; `longest` is the length of the longest name, `verbose` repeats every line."""

    def __init__(self, write: Callable[[str], None], names: Sequence[str], verbose: bool) -> None:
        self._write = write
        self._longest = max((len(name) for name in names), default=0)
        self._verbose = verbose

    def run(self, name: str, lines: Iterable[str], status: Callable[[], int]) -> Outcome:
        """Read one file's lines as they come."""
        tap, is_on_own_line = Tap(), True
        self._write(f"{name} {'.' * (self._longest + 2 - len(name))} ")
        for line in lines:
            kind = tap.read(line)
            if kind == "bailout":
                self._write(f"Bailout called.  Further testing stopped:  {tap.bailed_out}\n")
                break
            if self._verbose or kind == "comment":
                self._write(("\n" if is_on_own_line else "") + line + "\n")
                is_on_own_line = False
        outcome = Outcome(name, tap, status())
        tap.end()
        self._close(outcome, is_on_own_line)
        return outcome

    def _close(self, outcome: Outcome, is_on_own_line: bool) -> None:
        tap = outcome.tap
        if tap.bailed_out is not None:
            return
        if tap.skip_all is not None and not outcome.has_problems:
            self._write(f"skipped: {tap.skip_all or '(no reason given)'}\n")
        elif not outcome.has_problems:
            self._write("ok\n")
        else:
            self._write(("\n" if is_on_own_line else "") + _failure(outcome))

    def summary(self, outcomes: Sequence[Outcome], times: Times) -> bool:
        """The end of the report; whether all is well."""
        is_good = all(outcome.is_good for outcome in outcomes)
        total = sum(outcome.tap.ran for outcome in outcomes)
        bailed_out = next((o for o in outcomes if o.tap.bailed_out is not None), None)
        if bailed_out is not None:
            self._write(f"FAILED--Further testing stopped: {bailed_out.tap.bailed_out or '(no reason given)'}\n")
            return False
        if is_good and total:
            self._write("All tests successful.\n")
        if any(outcome.has_problems for outcome in outcomes):
            self._write("\nTest Summary Report\n-------------------\n")
            for outcome in outcomes:
                self._write(self._summary_of(outcome))
        self._write(f"Files={len(outcomes)}, Tests={total}, {_shown(times)}\n")
        self._write(f"Result: {'NOTESTS' if is_good and not total else 'PASS' if is_good else 'FAIL'}\n")
        return is_good

    def _summary_of(self, outcome: Outcome) -> str:
        tap = outcome.tap
        if not outcome.has_problems:
            return ""
        spaces = " " * max(self._longest - len(outcome.name), 1)
        wait = outcome.status << 8
        described = f"{wait} (exited {outcome.status})" if wait else "0"
        lines = [f"{outcome.name}{spaces}(Wstat: {described} Tests: {tap.ran} Failed: {len(tap.failed)})"]
        if tap.failed:
            lines.append(f"  Failed test{'s' if len(tap.failed) > 1 else ''}:  {ranges(tap.failed)}")
        if tap.todo_passed:
            lines.append(f"  TODO passed:   {ranges(tap.todo_passed)}")
        if outcome.status:
            lines.append(f"  Non-zero exit status: {outcome.status}")
        if tap.errors:
            shown = tap.errors[:_MOST_ERRORS]
            lines += [f"  Parse errors: {shown[0]}", *(" " * 16 + error for error in shown[1:])]
            if len(tap.errors) > _MOST_ERRORS:
                lines.append(f"Displayed the first {_MOST_ERRORS} of {len(tap.errors)} TAP syntax errors.")
        return "\n".join(lines) + "\n"


def _failure(outcome: Outcome) -> str:
    tap, said = outcome.tap, ""
    if outcome.status:
        wait = outcome.status << 8
        said += f"Dubious, test returned {outcome.status} (wstat {wait}, 0x{wait:x})\n"
    if tap.missing_or_failed == 0:
        said += f"All {tap.total} subtests passed " if tap.total else "No subtests run "
    else:
        said += f"Failed {tap.missing_or_failed}/{tap.total} subtests "
    if tap.skipped:
        okay = tap.ran - len(tap.failed) - len(tap.skipped)
        noun = "subtest" if len(tap.skipped) == 1 else "subtests"
        said += f"\n\t(less {len(tap.skipped)} skipped {noun}: {okay} okay)"
    if tap.todo_passed:
        noun = "test" if len(tap.todo_passed) == 1 else "tests"
        said += f"\n\t({len(tap.todo_passed)} TODO {noun} unexpectedly succeeded)"
    return said + "\n"


def _shown(times: Times) -> str:
    """As Perl's Benchmark writes it."""
    total = times.user + times.system + times.children_user + times.children_system
    own = f"{times.user:5.2f} usr {times.system:5.2f} sys"
    children = f"{times.children_user:5.2f} cusr {times.children_system:5.2f} csys"
    return f"{round(times.wall):2d} wallclock secs ({own} + {children} = {total:5.2f} CPU)"
