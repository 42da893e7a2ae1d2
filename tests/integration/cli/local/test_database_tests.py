"""`test db`: a project's pgTAP files, told as pg_prove tells them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.support.local_project import NOTES, LocalProject, local_project

GOOD = "begin;\nselect plan(2);\nselect ok(true, 'fine');\nselect is(1, 1);\nselect * from finish();\nrollback;\n"
BAD = GOOD.replace("is(1, 1)", "is(1, 2, 'one is two')")
SUMS = re.compile(
    r"Files=\d+, Tests=\d+, [ \d]\d wallclock secs "
    r"\( ?\d+\.\d\d usr +\d+\.\d\d sys \+ +\d+\.\d\d cusr +\d+\.\d\d csys = +\d+\.\d\d CPU\)"
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    """A running project."""
    with local_project(tmp_path_factory.mktemp("tap"), migration=NOTES) as project:
        project.start()
        yield project


@pytest.fixture
def project(shared: LocalProject) -> Iterator[LocalProject]:
    """The same without the tests of another test."""
    yield shared
    for path in sorted((shared.root / "supabase" / "tests").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def test_tests_that_succeed_are_a_line_each_and_the_sums(project: LocalProject) -> None:
    project.write("tests/b_test.sql", GOOD)
    project.write("tests/deep/a.test.sql", GOOD)
    project.write("tests/a.pg", GOOD)
    project.write("tests/notes.txt", "no test")
    ended = project.minato("test", "db")
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[:4] == [
        "supabase/tests/a.pg ............. ok",
        "supabase/tests/b_test.sql ....... ok",
        "supabase/tests/deep/a.test.sql .. ok",
        "All tests successful.",
    ]
    assert lines[4].startswith("Files=3, Tests=6, ")
    assert SUMS.fullmatch(lines[4])
    assert lines[5:] == ["Result: PASS"]
    assert ended.stderr == "Connecting to local database...\n"


def test_a_test_that_fails_is_told_with_what_it_said(project: LocalProject) -> None:
    project.write("tests/bad_test.sql", BAD)
    ended = project.minato("db", "test", "--local")
    assert ended.returncode == 1
    before, after = ended.stdout.split("Files=1, Tests=2")
    assert before == (
        "supabase/tests/bad_test.sql .. \n"
        '# Failed test 2: "one is two"\n#         have: 1\n#         want: 2\n'
        "# Looks like you failed 1 test of 2\n"
        "Failed 1/2 subtests \n"
        "\nTest Summary Report\n-------------------\n"
        "supabase/tests/bad_test.sql (Wstat: 0 Tests: 2 Failed: 1)\n"
        "  Failed test:  2\n"
    )
    assert after.endswith("\nResult: FAIL\n")


def test_a_statement_that_fails_and_a_plan_that_is_not_kept_are_failures(project: LocalProject) -> None:
    project.write("tests/broken_test.sql", GOOD.replace("select is(1, 1)", "select nonsense"))
    ended = project.minato("test", "db")
    assert ended.returncode == 1
    assert "broken_test.sql:4: ERROR:  column" in ended.stderr
    for words in (
        "Dubious, test returned 3 (wstat 768, 0x300)\nFailed 1/2 subtests \n",
        "(Wstat: 768 (exited 3) Tests: 1 Failed: 0)\n  Non-zero exit status: 3\n",
        "  Parse errors: Bad plan.  You planned 2 tests but ran 1.\n",
    ):
        assert words in ended.stdout


def test_files_and_folders_are_named_from_the_folder_where_the_person_is(project: LocalProject) -> None:
    project.write("tests/bad_test.sql", BAD)
    project.write("tests/deep/good_test.sql", GOOD)
    assert project.minato("test", "db", "supabase/tests/deep").returncode == 0
    assert project.minato("test", "db", "supabase/tests/deep/good_test.sql").returncode == 0
    assert project.minato("test", "db", "supabase/tests").returncode == 1
    missing = project.minato("test", "db", "nowhere")
    assert missing.returncode == 1
    assert "nowhere" in missing.stderr


def test_a_rolled_back_test_leaves_nothing(project: LocalProject) -> None:
    insert = "insert into notes values (1, 'x');\nselect is(count(*)::int, 1) from notes"
    project.write("tests/rows_test.sql", GOOD.replace("select is(1, 1)", insert))
    assert project.minato("test", "db").returncode == 0
    assert project.sql("select count(*) from notes") == 0


def test_a_new_test_is_written_once(project: LocalProject) -> None:
    made = project.minato("test", "new", "signing")
    assert (made.returncode, made.stdout) == (
        0,
        "Created new pgtap test at supabase/tests/signing_test.sql.\n",
    )
    again = project.minato("test", "new", "signing")
    assert again.returncode == 1
    assert again.stderr.startswith("supabase/tests/signing_test.sql already exists.\n")


def test_pgtap_is_there_while_tests_run_and_one_that_was_there_stays(project: LocalProject) -> None:
    project.write("tests/good_test.sql", GOOD)
    there = "select exists (select from pg_extension where extname = 'pgtap')"
    assert not project.sql(there)
    assert project.minato("test", "db").returncode == 0
    assert not project.sql(there)
    project.sql("create extension pgtap with schema extensions; select 1")
    try:
        assert project.minato("test", "db").returncode == 0
        assert project.sql(there)
    finally:
        project.sql("drop extension pgtap; select 1")


def test_where_pgtap_cannot_be_made_one_sentence_says_so(project: LocalProject) -> None:
    """In a database that has neither the extension nor its functions."""
    project.write("tests/good_test.sql", GOOD)
    project.sql("alter schema extensions rename to elsewhere; select 1")
    try:
        ended = project.minato("test", "db")
    finally:
        project.sql("alter schema elsewhere rename to extensions; select 1")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert 'failed to enable pgTAP: ERROR: schema "extensions" does not exist (SQLSTATE 3F000)\n' in ended.stderr
    assert "--db-url" in ended.stderr


def test_files_are_read_in_relative_to_the_folder_that_was_asked_for(project: LocalProject) -> None:
    project.write("tests/shared/setup.txt", "\\set answer 42\n")
    reading = GOOD.replace("is(1, 1)", "is(:answer, 42)")
    project.write("tests/deep/deeper/from_above_test.sql", "\\i shared/setup.txt\n" + reading)
    project.write("tests/deep/beside.txt", "\\set answer 42\n")
    project.write("tests/deep/relative_test.sql", "\\ir beside.txt\n" + reading)
    ended = project.minato("test", "db")
    assert ended.returncode == 0, ended.stdout
    named = project.minato("test", "db", "supabase/tests/deep/relative_test.sql", "supabase/tests")
    assert (named.returncode, "shared/setup.txt: No such file" in named.stderr) == (1, True)
