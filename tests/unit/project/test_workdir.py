"""Which folder a command is about, and what its `.env` files say."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.project.dotenv import parse_dotenv, project_environment
from minato.project.errors import ProjectError
from minato.project.workdir import Workdir, find_workdir


def project(folder: Path) -> Path:
    (folder / "supabase").mkdir(parents=True)
    (folder / "supabase" / "config.toml").touch()
    return folder


def test_the_nearest_folder_with_a_config_file_is_the_project(tmp_path: Path) -> None:
    outer = project(tmp_path / "outer")
    inner = project(outer / "packages" / "inner")
    below = inner / "src"
    below.mkdir()
    assert find_workdir(None, {}, below) == Workdir(inner, was_sought=True)
    assert find_workdir(None, {}, outer / "packages") == Workdir(outer, was_sought=True)
    assert find_workdir(None, {}, inner) == Workdir(inner)


def test_without_a_config_file_the_current_folder_is_the_project(tmp_path: Path) -> None:
    assert find_workdir(None, {}, tmp_path) == Workdir(tmp_path)


def test_a_named_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / "other").mkdir()
    other = Workdir(tmp_path / "other", was_sought=True)
    assert find_workdir(Path("other"), {}, tmp_path) == other
    assert find_workdir(None, {"SUPABASE_WORKDIR": str(tmp_path / "other")}, tmp_path) == other
    assert find_workdir(Path("."), {"SUPABASE_WORKDIR": "other"}, tmp_path) == Workdir(tmp_path)


def test_nearer_and_more_special_files_win_and_the_environment_over_all(tmp_path: Path) -> None:
    workdir = Workdir(project(tmp_path))
    files = {
        "supabase/.env.development.local": "A=1",
        "supabase/.env.local": "A=2\nB=2",
        "supabase/.env.development": "B=3\nC=3",
        "supabase/.env": "C=4\nD=4\nX=file",
        ".env.development.local": "D=5\nE=5",
        ".env": "E=6\nF=6",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = project_environment(workdir, {"X": "shell"})
    assert found == {"A": "1", "B": "2", "C": "3", "D": "4", "E": "5", "F": "6", "X": "shell"}


def test_tests_have_files_of_their_own(tmp_path: Path) -> None:
    workdir = Workdir(project(tmp_path))
    (tmp_path / ".env.local").write_text("A=local")
    (tmp_path / ".env.test").write_text("A=test")
    assert project_environment(workdir, {"SUPABASE_ENV": "test"})["A"] == "test"


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    workdir = Workdir(project(tmp_path))
    (tmp_path / ".env").write_text('A="open')
    with pytest.raises(ProjectError) as caught:
        project_environment(workdir, {})
    assert str(caught.value) == "failed to parse environment file: .env (unterminated quoted value)"


@pytest.mark.parametrize(
    ("text", "said"), [("A-B=1", "unexpected character '-' in variable name"), ("nothing", "syntax error")]
)
def test_what_no_variable_may_be_called_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_dotenv(text)


def test_values_are_read_as_shells_write_them() -> None:
    text = "# first\n\nA = spaced # comment\nB=\nC='single $A'\nD=\"two\\nlines ${A}\" # end\nexport E=x#y\n"
    assert parse_dotenv(text) == {"A": "spaced", "B": "", "C": "single $A", "D": "two\nlines spaced", "E": "x#y"}
