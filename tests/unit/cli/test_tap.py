"""TAP, and the report on it."""

from __future__ import annotations

from functools import partial

import pytest
from minato.cli.db_tools.prove import Report, Times
from minato.cli.db_tools.tap import ranges, read_tap

NO_TIME = Times(0, 0, 0, 0, 0)
SUMS = " 0 wallclock secs ( 0.00 usr  0.00 sys +  0.00 cusr  0.00 csys =  0.00 CPU)\n"


def reported(outputs: dict[str, tuple[list[str], int]], verbose: bool = False) -> str:
    """The whole report on what these files have said."""
    said: list[str] = []
    report = Report(said.append, list(outputs), verbose)
    outcomes = [report.run(name, lines, partial(int, status)) for name, (lines, status) in outputs.items()]
    report.summary(outcomes, NO_TIME)
    return "".join(said)


@pytest.mark.parametrize(
    ("lines", "failed", "errors"),
    [
        (["1..2", "ok 1", "ok 2 - named"], [], []),
        (["ok 1", "not ok 2", "1..2"], [2], []),
        (["1..1", "ok"], [], []),
        (["1..2", "ok 1", "ok 3"], [], ["Tests out of sequence.  Found (3) but expected (2)"]),
        (["1..3", "ok 1"], [], ["Bad plan.  You planned 3 tests but ran 1."]),
        (["ok 1"], [], ["No plan found in TAP output"]),
        ([], [], ["No plan found in TAP output"]),
        (["1..1", "1..1", "ok 1"], [], ["More than one plan found in TAP output"]),
        (["ok 1", "1..2", "ok 2"], [], ["Plan (1..2) must be at the beginning or end of the TAP output"]),
        (["1..1", "okay, this is a row", "ok 1"], [], []),
        (["1..1", "not ok 1 # TODO later"], [], []),
    ],
)
def test_what_went_wrong_is_found(lines: list[str], failed: list[int], errors: list[str]) -> None:
    tap = read_tap(lines)
    assert (tap.failed, tap.errors) == (failed, errors)


def test_skipped_and_unexpected_successes_are_noted() -> None:
    tap = read_tap(["1..3", "ok 1 # SKIP no reason", "ok 2 # TODO not yet", "not ok 3 - a \\# SKIP in a name"])
    assert (tap.skipped, tap.todo_passed, tap.failed) == ([1], [2], [3])
    assert read_tap(["1..0 # SKIP nothing here"]).skip_all == "nothing here"
    assert ranges([4, 2, 3, 9]) == "2-4, 9"


def test_names_are_padded_to_the_longest() -> None:
    good = (["1..1", "ok 1"], 0)
    assert reported({"a": good, "long": good}) == (
        f"a ..... ok\nlong .. ok\nAll tests successful.\nFiles=2, Tests=2, {SUMS}Result: PASS\n"
    )


def test_comments_are_shown_and_the_other_lines_only_when_asked_for() -> None:
    lines = ["1..1", "# a word", "ok 1"]
    assert reported({"a": (lines, 0)}).startswith("a .. \n# a word\nok\n")
    assert reported({"a": (lines, 0)}, verbose=True).startswith("a .. \n1..1\n# a word\nok 1\nok\n")


def test_failures_are_counted_and_summed_up() -> None:
    lines = ["1..4", "ok 1", "not ok 2", "ok 3 # SKIP", "ok 4 # TODO"]
    assert reported({"a": (lines, 1)}) == (
        "a .. \nDubious, test returned 1 (wstat 256, 0x100)\n"
        "Failed 1/4 subtests \n\t(less 1 skipped subtest: 2 okay)\n\t(1 TODO test unexpectedly succeeded)\n"
        "\nTest Summary Report\n-------------------\n"
        "a (Wstat: 256 (exited 1) Tests: 4 Failed: 1)\n"
        "  Failed test:  2\n  TODO passed:   4\n  Non-zero exit status: 1\n"
        f"Files=1, Tests=4, {SUMS}Result: FAIL\n"
    )


def test_a_file_without_tests_a_skipped_one_and_one_that_gives_up() -> None:
    assert "a .. \nNo subtests run \n" in reported({"a": ([], 0)})
    assert reported({"a": (["1..0 # SKIP later"], 0)}).startswith("a .. skipped: later\n")
    assert reported({"a": ([], 0)}).endswith("Result: FAIL\n")
    assert "Bailout called.  Further testing stopped:  too bad\n" in reported({"a": (["Bail out! too bad"], 0)})
