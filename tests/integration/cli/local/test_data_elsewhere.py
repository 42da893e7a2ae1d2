"""A project that was started with `--data-dir` is found by the commands that are not told of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from minato.cli.local.data_folder import DataFolder
from minato.cli.local.registry import Registry

from tests.support.local_project import LocalProject


def test_every_command_finds_a_project_where_it_was_started(project: LocalProject) -> None:
    project.start("--data-dir", "elsewhere")
    assert not project.data.exists()
    assert project.values() == json.loads(project.minato("status", "--data-dir", "elsewhere", "-o", "json").stdout)
    assert project.sql("select count(*) from notes") == 0
    project.write("migrations/20260102000000_more.sql", "create table more (id int primary key);")
    assert project.minato("migration", "up").returncode == 0
    assert project.sql("select to_regclass('more') is not null") is True

    again = project.minato("start")
    assert again.returncode == 0
    assert "supabase start is already running." in again.stderr
    assert not project.data.exists()

    stopped = project.minato("stop")
    assert (stopped.returncode, stopped.stdout) == (0, "Stopped supabase local development setup.\n")
    assert str(project.root / "elsewhere") in stopped.stderr
    gone = project.minato("status")
    assert gone.returncode == 1
    assert "The project does not run" in gone.stderr


def test_data_elsewhere_are_deleted_when_that_is_asked_for_where_they_run(project: LocalProject) -> None:
    project.start("--data-dir", "elsewhere")
    assert project.minato("stop", "--no-backup").returncode == 0
    assert not (project.root / "elsewhere").exists()


def test_a_command_is_not_taken_for_another_projects(project: LocalProject, tmp_path: Path) -> None:
    project.start("--data-dir", "elsewhere")
    other = LocalProject(tmp_path / "other", project.state)
    other.root.mkdir()
    other.write("config.toml", "")
    assert other.minato("status").returncode == 1
    assert other.minato("stop").returncode == 0
    assert project.minato("status").returncode == 0


def test_whose_data_run_in_several_folders_names_one(project: LocalProject) -> None:
    project.start("--data-dir", "first")
    project.start("--data-dir", "second")
    for command in ("status", "stop"):
        refused = project.minato(command)
        assert refused.returncode == 1
        assert f"{project.root / 'first'} and {project.root / 'second'}: name one by --data-dir" in refused.stderr
    assert project.minato("stop", "--data-dir", "first").returncode == 0
    assert project.minato("stop").returncode == 0
    assert project.minato("status").returncode == 1


@pytest.mark.parametrize("note", ["{folder}", "{folder}\n{project}", "{folder}\n/other"])
def test_a_note_of_a_folder_that_nothing_serves_is_no_place_to_go(tmp_path: Path, note: str) -> None:
    registry = Registry({"XDG_STATE_HOME": str(tmp_path)})
    folder = DataFolder(tmp_path / "data")
    folder.path.mkdir()
    registry.note(folder, tmp_path)
    [kept] = (tmp_path / "minato" / "projects").iterdir()
    kept.write_text(note.format(folder=folder.path, project=tmp_path))
    assert registry.folders() == [folder]
    assert registry.serving(tmp_path) == []
