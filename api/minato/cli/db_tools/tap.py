"""Reads TAP, the Test Anything Protocol, as TAP::Parser does: which tests ran, which failed, what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

_TEST: Final = re.compile(r"(?P<bad>not )?ok\b(?:\s+(?P<number>\d+))?(?P<rest>.*)")
_PLAN: Final = re.compile(r"1\.\.(?P<count>\d+)\s*(?:#\s*(?P<directive>SKIP)\b\s*(?P<reason>.*))?", re.IGNORECASE)
_BAIL_OUT: Final = re.compile(r"Bail out!\s*(?P<reason>.*)")
_DIRECTIVE: Final = re.compile(r"(?<!\\)#\s*(?P<word>SKIP|TODO)\b", re.IGNORECASE)

Kind = Literal["test", "plan", "comment", "bailout", "other"]


@dataclass
class Tap:
    """What one file has said so far. `failed` and the other lists are the tests' numbers."""

    planned: int | None = None
    ran: int = 0
    failed: list[int] = field(default_factory=list)
    skipped: list[int] = field(default_factory=list)
    todo_passed: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    skip_all: str | None = None
    bailed_out: str | None = None
    _plan_place: int = -1
    _tests_after_plan: int = 0
    _tests_before_plan: int = 0

    def read(self, line: str) -> Kind:
        """Take in the next line, which is without its end."""
        if (match := _TEST.fullmatch(line)) and not line.startswith("ok..."):
            self._note_test(match)
            return "test"
        if match := _PLAN.fullmatch(line):
            self._note_plan(match)
            return "plan"
        if match := _BAIL_OUT.fullmatch(line):
            self.bailed_out = match["reason"]
            return "bailout"
        return "comment" if line.startswith("#") else "other"

    def end(self) -> None:
        """No line follows."""
        if self.bailed_out is not None:
            return
        if self.planned is None:
            self.errors.append("No plan found in TAP output")
            return
        if self._tests_before_plan and self._tests_after_plan:
            plan = f"1..{self.planned}"
            self.errors.append(f"Plan ({plan}) must be at the beginning or end of the TAP output")
        if self.ran != self.planned:
            self.errors.append(f"Bad plan.  You planned {self.planned} tests but ran {self.ran}.")

    @property
    def total(self) -> int:
        return self.ran if self.planned is None else self.planned

    @property
    def missing_or_failed(self) -> int:
        """Tests that failed, and those that were planned and did not run."""
        return len(self.failed) + self.total - self.ran

    def _note_test(self, match: re.Match[str]) -> None:
        self.ran += 1
        if self.planned is None:
            self._tests_before_plan += 1
        else:
            self._tests_after_plan += 1
        number = int(match["number"]) if match["number"] else self.ran
        if number != self.ran:
            self.errors.append(f"Tests out of sequence.  Found ({number}) but expected ({self.ran})")
        directive = _DIRECTIVE.search(match["rest"])
        word = directive["word"].upper() if directive else ""
        if word == "TODO":
            if not match["bad"]:
                self.todo_passed.append(number)
        elif word == "SKIP":
            self.skipped.append(number)
        elif match["bad"]:
            self.failed.append(number)

    def _note_plan(self, match: re.Match[str]) -> None:
        if self.planned is not None:
            self.errors.append("More than one plan found in TAP output")
            return
        self.planned = int(match["count"])
        if self.planned == 0:
            self.skip_all = match["reason"] or ""


def read_tap(lines: Iterable[str]) -> Tap:
    """A whole output.

    >>> tap = read_tap(["1..3", "ok 1 - fine", "not ok 2 - broken", "not ok 3 # TODO later"])
    >>> tap.failed, tap.errors, tap.todo_passed
    ([2], [], [])
    """
    tap = Tap()
    for line in lines:
        tap.read(line)
    tap.end()
    return tap


def ranges(numbers: Iterable[int]) -> str:
    """
    >>> ranges([1, 2, 3, 7, 9, 10])
    '1-3, 7, 9-10'
    """
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
