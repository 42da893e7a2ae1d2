"""`minato exec -- CMD…` and `minato init`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.support.command import START_LIMIT
from tests.support.local_project import LocalProject
from tests.support.processes import wait_until

SHOW = (
    "import json, os, sys, urllib.request as r;"
    "q = r.Request(os.environ['REST_URL'] + '/notes', headers={'apikey': os.environ['SECRET_KEY']});"
    "print(json.dumps([r.urlopen(q).status, dict(os.environ)])); sys.exit(7)"
)


def test_a_command_finds_its_own_backend_and_nothing_is_left(project: LocalProject, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    ended = project.minato("exec", "--", sys.executable, "-c", SHOW, TMPDIR=str(folder))
    assert ended.returncode == 7, ended.stderr
    status, variables = json.loads(ended.stdout)
    assert status == 200
    assert variables["NEXT_PUBLIC_SUPABASE_URL"] == variables["VITE_API_URL"] == variables["API_URL"]
    assert "NEXT_PUBLIC_SERVICE_ROLE_KEY" not in variables
    assert variables["MINATO_URL"] == variables["API_URL"]
    assert list(folder.iterdir()) == []
    assert not project.data.exists()


def test_a_folder_without_a_project_gives_a_command_an_empty_platform(tmp_path: Path) -> None:
    bare = LocalProject(tmp_path / "bare", tmp_path / "state")
    bare.root.mkdir()
    asked = "import os, urllib.request as r; print(r.urlopen(os.environ['API_URL'] + '/readyz').status)"
    ended = bare.minato("exec", "--", sys.executable, "-c", asked)
    assert (ended.returncode, ended.stdout) == (0, "200\n"), ended.stderr
    assert list(bare.root.iterdir()) == []


def test_a_project_that_runs_is_used_and_goes_on(project: LocalProject) -> None:
    project.start()
    url = project.values()["API_URL"]
    asked = [sys.executable, "-c", "import os; print(os.environ['API_URL'])"]
    assert project.minato("exec", "--", *asked).stdout == f"{url}\n"
    assert project.minato("exec", "--fresh", "--", *asked).stdout != f"{url}\n"
    assert project.values()["API_URL"] == url


def test_a_command_that_is_not_there_is_told(project: LocalProject) -> None:
    project.start()
    ended = project.minato("exec", "--", "no-such-command")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "no-such-command: command not found" in ended.stderr


def test_signals_reach_the_command_and_its_status_is_ours(project: LocalProject) -> None:
    handler = "import signal, sys; signal.signal(signal.SIGTERM, lambda *a: sys.exit(9))"
    waiting = f"{handler}; print('up', flush=True); signal.pause()"
    process = subprocess.Popen(
        [sys.executable, "-m", "minato", "exec", "--", sys.executable, "-c", waiting],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=project.root,
        env=project.environment(),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=START_LIMIT)
    assert process.returncode == 9


def test_a_backend_ends_with_the_process_it_was_started_for(project: LocalProject, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "minato", "exec", "--", sys.executable, "-c", "print('up', flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=project.root,
        env=project.environment(TMPDIR=str(folder)),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    assert list(folder.glob("*/data/postgres")) != []
    process.kill()
    process.communicate(timeout=START_LIMIT)
    wait_until(lambda: not list(folder.glob("*/data/postgres")), "the data are gone")


def test_init_makes_a_config_file_once(tmp_path: Path) -> None:
    project = LocalProject(tmp_path / "My shop", tmp_path / "state")
    project.root.mkdir()
    (project.root / ".git").mkdir()
    made = project.minato("init")
    assert (made.returncode, made.stdout, made.stderr) == (0, "Finished supabase init.\n", "")
    file = project.root / "supabase" / "config.toml"
    assert tomllib.loads(file.read_text())["project_id"] == "My_shop"
    assert sorted(path.name for path in file.parent.iterdir()) == [".gitignore", "config.toml"]
    file.write_text("kept")
    refused = project.minato("init")
    assert (refused.returncode, refused.stdout, file.read_text()) == (1, "", "kept")
    assert "failed to create config file: open supabase/config.toml: file exists" in refused.stderr
    assert "Run supabase init --force to overwrite existing config file." in refused.stderr
    assert project.minato("init", "--force").returncode == 0
    assert "project_id" in file.read_text()
    assert (file.parent / ".gitignore").read_text().count(".temp") == 1


def test_init_leaves_a_configuration_of_json_alone_until_it_is_forced(project: LocalProject) -> None:
    file = project.root / "supabase" / "config.toml"
    json_file = file.rename(file.with_name("config.json"))
    json_file.write_text("{}")
    refused = project.minato("init")
    assert (refused.returncode, file.exists(), json_file.read_text()) == (1, False, "{}")
    assert "open supabase/config.json: file exists" in refused.stderr
    assert project.minato("init", "--force").returncode == 0
    assert (file.exists(), json_file.exists()) == (True, False)
