"""What the commands of a database print: tables, notices, the branch they end with, and their questions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from minato.cli.local.git_branch import git_branch
from minato.cli.local.migrations import version_table
from minato.cli.local.notices import shown_notice

ASK = """
from minato.cli.local.prompts import Console
console = Console({yes})
print([console.confirm("First?", True), console.confirm("Second?", False)])
"""


def test_the_table_of_versions_has_both_sides() -> None:
    table = version_table(["20220727064246", "20220727064247", "7"], ["20220727064246", "20220727064248", "draft"])
    assert table == (
        "\n  \n"
        "   Local            | Remote           | Time (UTC)            \n"
        "  ------------------|------------------|-----------------------\n"
        "   `7`              | ` `              | `7`                   \n"
        "   `20220727064246` | `20220727064246` | `2022-07-27 06:42:46` \n"
        "   `20220727064247` | ` `              | `2022-07-27 06:42:47` \n"
        "   ` `              | `20220727064248` | `2022-07-27 06:42:48` \n"
    )


def test_without_versions_the_table_has_its_head_alone() -> None:
    assert version_table([], []) == "\n  \n   Local | Remote | Time (UTC) \n  -------|--------|------------\n"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ('NOTICE:  schema "app" already exists, skipping\n', 'NOTICE (42P06): schema "app" already exists, skipping'),
        ('NOTICE:  extension "x" already exists, skipping', 'NOTICE (42710): extension "x" already exists, skipping'),
        (
            'NOTICE:  column "a" of relation "b" already exists, skipping',
            'NOTICE (42701): column "a" of relation "b" already exists, skipping',
        ),
        ('NOTICE:  table "x" does not exist, skipping\n', 'NOTICE (00000): table "x" does not exist, skipping'),
        ("WARNING:  careful\nHINT:  do not\n", "WARNING (01000): careful"),
        (
            "NOTICE:  drop cascades to 2 other objects\nDETAIL:  a\nb\n",
            "NOTICE (00000): drop cascades to 2 other objects",
        ),
        ("NOTICE:  two\nlines\n", "NOTICE (00000): two\nlines"),
        ('NOTICE:  relation "seed_files" already exists, skipping\n', None),
        ('NOTICE:  schema "supabase_migrations" already exists, skipping\n', None),
    ],
)
def test_notices_are_one_line_with_their_code(said: str, shown: str | None) -> None:
    assert shown_notice(said) == shown


def test_the_branch_is_githubs_then_the_repositorys_then_main(tmp_path: Path) -> None:
    repository, deep = tmp_path / "repository", tmp_path / "repository" / "a" / "b"
    deep.mkdir(parents=True)
    assert git_branch(deep, {}) == "main"
    (repository / ".git").mkdir()
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/feature/x\n")
    assert git_branch(deep, {}) == "feature/x"
    assert git_branch(deep, {"GITHUB_HEAD_REF": "pull"}) == "pull"
    (repository / ".git" / "HEAD").write_text("1234567890\n")
    assert git_branch(deep, {}) == "HEAD"
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text("gitdir: ../repository/.git\n")
    assert git_branch(tree, {}) == "HEAD"


def asked(given: str, yes: bool = False) -> tuple[str, str]:
    ended = subprocess.run(
        [sys.executable, "-c", ASK.format(yes=yes)],
        input=given,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=60,
    )
    return ended.stdout.strip(), ended.stderr


@pytest.mark.parametrize(
    ("given", "answers", "echoed"),
    [
        ("", "[True, False]", "First? [Y/n] \nSecond? [y/N] \n"),
        ("n\ny\n", "[False, True]", "First? [Y/n] n\nSecond? [y/N] y\n"),
        ("NO\nYes\n", "[False, True]", "First? [Y/n] NO\nSecond? [y/N] Yes\n"),
        ("perhaps\nperhaps\n", "[True, False]", "First? [Y/n] perhaps\nSecond? [y/N] perhaps\n"),
    ],
)
def test_what_is_piped_in_answers_one_question_a_line(given: str, answers: str, echoed: str) -> None:
    assert asked(given) == (answers, echoed)


def test_yes_answers_everything() -> None:
    assert asked("n\nn\n", yes=True) == ("[True, True]", "First? [Y/n] y\nSecond? [y/N] y\n")
