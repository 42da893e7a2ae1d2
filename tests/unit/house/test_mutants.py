"""The tool behind `make mutants`: the wrong lines it knows, the conditions it drops, what it counts as noticed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.mutation.conditions import Policy, conditions, dropped_once
from tests.mutation.operators import mutants_of
from tests.mutation.owners import IMPORT, owners
from tests.mutation.policy_trials import of_tables
from tests.mutation.report import Report, argued
from tests.mutation.sources import changed_lines, room_of, sampled
from tests.mutation.trial import ENDLESS, NOTICED, SURVIVED, Trial
from tests.support.command import REPOSITORY


@pytest.mark.parametrize(
    ("expression", "dropped"),
    [
        ("(a = b)", ["true"]),
        ("((a = b) AND c)", ["(true AND c)", "((a = b) AND true)"]),
        ("(a OR (b AND c))", ["(false OR (b AND c))", "(a OR false)", "(a OR (true AND c))", "(a OR (b AND true))"]),
        ("(a = ' AND (')", ["true"]),
        ("(x IN (SELECT y FROM t WHERE (y = z)))", ["(x IN (SELECT y FROM t WHERE true))"]),
        ("(x IN (SELECT y FROM t WHERE (b AND c)))", ["… WHERE (true AND c)))", "… WHERE (b AND true)))"]),
    ],
)
def test_every_condition_of_an_expression_is_dropped_once(expression: str, dropped: list[str]) -> None:
    found = [f"{expression[:start]}{then}{expression[end:]}" for start, end, then in conditions(expression)]
    expected = [each.replace("… WHERE", "(x IN (SELECT y FROM t WHERE") for each in dropped]
    assert found == expected


def test_a_policy_is_altered_clause_by_clause_and_what_is_always_true_is_left_alone() -> None:
    policy = Policy("public", "posts", 'The "own"', "true", "(a AND b)")
    assert [each.statement for each in dropped_once(policy)] == [
        'alter policy "The ""own""" on "public"."posts" with check ((true AND b))',
        'alter policy "The ""own""" on "public"."posts" with check ((a AND true))',
    ]


def test_policies_are_those_of_the_named_tables_and_a_table_without_any_is_a_mistake() -> None:
    reviews, rooms = (Policy("public", table, "own", "a", "") for table in ("reviews", "room_reviews"))
    assert of_tables([reviews, rooms], ["public.reviews"]) == [reviews]
    assert of_tables([reviews, rooms], []) == [reviews, rooms]
    with pytest.raises(SystemExit, match=r"no policy on public\.review$"):
        of_tables([reviews, rooms], ["public.reviews", "public.review"])


SOURCE = '''"""Words."""
LIMIT = 10

def allowed(size: "Literal['x']", name):
    """Whether it is."""
    if size > LIMIT and not name:
        log.warning("too large")
        return False
    return other.check(name)
'''


def test_wrong_lines_are_conditions_values_and_calls_but_neither_words_types_nor_logs() -> None:
    found = {mutant.lines for mutant in mutants_of("file.py", SOURCE)}
    assert ("LIMIT = 10", "LIMIT = 11") in found
    assert ("if size > LIMIT and not name:", "if size >= LIMIT and not name:") in found
    assert ("if size > LIMIT and not name:", "if size > LIMIT or not name:") in found
    assert ("if size > LIMIT and not name:", "if not (size > LIMIT and not name):") in found
    assert ("return other.check(name)", "return") in found
    assert not any("Words" in before or "log" in before or "Literal" in before for before, _ in found)


def test_a_line_belongs_to_the_outermost_function_whose_body_it_is_in() -> None:
    source = (
        "x = 1\nclass A:\n    def f(self,\n        y=2):\n        def g():\n            return 1\n        return g\n"
    )
    assert owners(source) == {5: "A.f", 6: "A.f", 7: "A.f"}
    assert [mutant.function for mutant in mutants_of("a.py", source) if mutant.line == 1] == [IMPORT, IMPORT]


def test_the_lines_of_a_change_are_those_that_are_new() -> None:
    assert changed_lines("@@ -1,2 +3,2 @@ def f\n+a\n+b\n@@ -9 +11 @@\n+c\n@@ -20,3 +21,0 @@\n") == {3, 4, 11}


def test_a_sample_is_the_same_for_the_same_seed_and_spread_over_the_rooms() -> None:
    one, same, other = ([mutant.lines for mutant in sampled(4, seed)] for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert [room_of(mutant.file) for mutant in sampled(4, 1)] == ["auth", "rest", "storage", "realtime"]


def test_a_process_reads_the_wrong_line_and_the_file_stays_as_it_is() -> None:
    file = REPOSITORY / "api/minato/storage/ranges.py"
    before = file.read_text()
    script = (
        "from tests.mutation.wrong_source import WrongSource;"
        "WrongSource('api/minato/storage/ranges.py', 'WRONG = 1').install();"
        "import minato.storage.ranges as module; print(module.WRONG)"
    )
    said = subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    assert said.stdout == "1\n"
    assert file.read_text() == before


@pytest.fixture
def trial() -> Callable[[str, str], Trial]:
    def made(name: str, outcome: str) -> Trial:
        return Trial(name, lambda: None, [], 1.0, outcome=outcome, noticed_by="tests/a.py::test_a")

    return made


def test_less_than_95_of_100_is_not_enough(trial: Callable[[str, str], Trial]) -> None:
    report = Report()
    for number in range(20):
        report.add(trial(f"rest/{number}", (NOTICED, ENDLESS)[number % 2]))
    assert report.is_enough()
    report.add(trial("rest/20", SURVIVED))
    assert report.is_enough()
    report.add(trial("auth/21", SURVIVED))
    assert not report.is_enough()
    assert "survived: auth/21" in report.table()


def test_who_notices_what_is_right_has_noticed_nothing(trial: Callable[[str, str], Trial]) -> None:
    report = Report()
    report.add(trial("rest/1", NOTICED))
    report.doubt("tests/a.py::test_a")
    assert not report.is_enough()


def test_every_argued_survivor_is_a_line_that_is_still_there() -> None:
    assert [name for name in argued() if ".py | " in name and not _is_there(name)] == []


def _is_there(label: str) -> bool:
    file, _, change = label.split(" | ", 2)
    source = " ".join((REPOSITORY / "api/minato" / file).read_text().split())
    return change.partition(" → ")[0] in source


ENDLESS_TRIAL = """
import os, signal
from tests.mutation import trial
from tests.mutation.__main__ import end_in_order
from tests.mutation.trial import Trial, tried

begun = trial._begun

def begun_until_told(one):
    # the worst moment: begun, and not yet noted
    found = begun(one)
    while signal.SIGTERM not in signal.sigpending():
        os.sched_yield()
    return found

trial._begun = begun_until_told
told = os.dup(1)

def prepare():
    os.write(told, f"{os.getpid()}\\n".encode())
    signal.pause()

end_in_order()
list(tried([Trial("endless", prepare, ["none"], 600)], lambda process: None))
"""


def test_a_tool_that_is_told_to_end_leaves_no_tests_behind() -> None:
    command = [sys.executable, "-c", ENDLESS_TRIAL]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY) as tool:
        assert tool.stdout is not None
        trial = int(tool.stdout.readline())
        tool.terminate()
        assert tool.wait() == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(trial, 0)
