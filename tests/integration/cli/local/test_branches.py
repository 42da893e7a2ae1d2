"""`minato branch` and `minato snapshot`, beside a project that runs and wants a token at its developer's pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.local_project import LocalProject, local_project

TOKEN = "a-token-that-only-the-developers-of-this-test-know"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    with local_project(tmp_path_factory.mktemp("branches")) as project:
        project.start(MINATO_DEV_TOKEN=TOKEN)
        yield project


def done(project: LocalProject, *arguments: str) -> str:
    ended = project.minato(*arguments)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def told(project: LocalProject, *arguments: str) -> Any:
    return json.loads(done(project, *arguments, "--json"))


def test_a_branch_is_made_told_of_and_dropped(project: LocalProject) -> None:
    made = told(project, "branch", "create", "shop", "--label", "checkout", "--ttl", "1h")
    assert (made["id"], made["label"], made["ttl"]) == ("shop", "checkout", 3600)
    assert [each["id"] for each in told(project, "branch", "list")] == ["shop"]
    assert done(project, "branch", "list").splitlines()[1].split()[:3] == ["shop", "base", "checkout"]
    assert told(project, "branch", "show", "shop")["connections"] >= 0
    assert done(project, "branch", "show", "shop").splitlines()[0] == "id           shop"
    page = done(project, "branch", "env", "shop", "--prefix", "VITE_").splitlines()
    assert page[0] == f"VITE_SUPABASE_URL={made['url']}"
    assert told(project, "branch", "env", "shop")["SUPABASE_URL"] == made["url"]
    assert done(project, "branch", "drop", "--label", "check") == ""
    assert told(project, "branch", "list") == []


def test_a_snapshot_is_saved_restored_and_dropped(project: LocalProject) -> None:
    told(project, "branch", "create", "paid")
    assert told(project, "snapshot", "save", "before", "--of", "paid")["of"] == "paid"
    assert [each["name"] for each in told(project, "snapshot", "list")] == ["before"]
    assert told(project, "snapshot", "restore", "before", "--into", "paid")["from"] == "snapshot:before"
    assert told(project, "branch", "reset", "paid", "--to", "base")["from"] == "base"
    done(project, "branch", "drop", "paid")
    done(project, "snapshot", "drop", "before")
    assert done(project, "snapshot", "list").split() == ["name", "of", "bytes", "files", "created_at"]


def test_a_snapshot_leaves_in_a_file_and_comes_into_another_project(project: LocalProject, tmp_path: Path) -> None:
    file = tmp_path / "notes.tar.gz"
    told(project, "snapshot", "save", "notes")
    assert done(project, "snapshot", "export", "notes", str(file)) == ""
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["notes.tar.gz"]
    with local_project(tmp_path / "elsewhere", migration=None) as other:
        other.start()
        assert told(other, "snapshot", "import", str(file))["name"] == "notes"
        assert told(other, "snapshot", "import", str(file), "--name", "again")["name"] == "again"
        twice = other.minato("snapshot", "import", str(file))
        assert twice.stderr.splitlines()[0] == 'There is a snapshot "notes" already.'
        assert told(other, "snapshot", "import", str(file), "--replace")["of"] == "main"
        assert told(other, "snapshot", "restore", "notes", "--force")["from"] == "snapshot:notes"
        url = other.values()["API_URL"]
        key = other.values()["SERVICE_ROLE_KEY"]
        headers = {"apikey": key, "authorization": f"Bearer {key}"}
        assert httpx.get(f"{url}/rest/v1/notes", headers=headers, timeout=30).json() == []
    done(project, "snapshot", "drop", "notes")


def test_a_file_that_cannot_be_is_refused_and_the_one_that_is_there_stays(
    project: LocalProject, tmp_path: Path
) -> None:
    file = tmp_path / "mine"
    file.write_text("mine")
    for arguments, said in (
        (("export", "nothing", str(tmp_path / "out")), 'There is no snapshot "nothing".'),
        (("export", "nothing", str(tmp_path / "nowhere" / "out")), f"{tmp_path}/nowhere/out cannot be written:"),
        (("export", "nothing", str(file)), f"There is a file {file} already."),
        (("export", "nothing", str(file), "--replace"), 'There is no snapshot "nothing".'),
        (("import", str(file)), "The file is no whole snapshot:"),
        (("import", str(tmp_path / "nowhere")), f"{tmp_path}/nowhere cannot be read: No such file"),
    ):
        ended = project.minato("snapshot", *arguments)
        assert (ended.returncode, ended.stdout) == (1, ""), arguments
        assert ended.stderr.startswith(said), ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert file.read_text() == "mine"


def test_a_refusal_is_the_server_s_sentence_and_its_hint(project: LocalProject) -> None:
    ended = project.minato("branch", "show", "chekout")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.splitlines() == ['There is no branch "chekout".', "Known: main."]


def test_who_names_the_server_brings_the_token_in_the_environment(project: LocalProject) -> None:
    url = project.values()["API_URL"]
    refused = project.minato("branch", "list", "--server", url)
    assert (refused.returncode, "MINATO_DEV_TOKEN" in refused.stderr) == (1, True)
    ended = project.minato("branch", "list", "--server", url, MINATO_DEV_TOKEN=TOKEN)
    assert ended.returncode == 0, ended.stderr


def test_the_server_s_word_is_for_its_owner_alone(project: LocalProject) -> None:
    path = project.data / "dev.json"
    assert path.stat().st_mode & 0o777 == 0o600
    left = json.loads(path.read_text())
    assert (left["url"], left["token"]) == (project.values()["API_URL"], TOKEN)


def test_without_a_server_the_sentence_says_what_to_do(tmp_path: Path) -> None:
    with local_project(tmp_path) as project:
        ended = project.minato("snapshot", "list")
        assert (ended.returncode, ended.stderr.splitlines()[0]) == (1, "No server runs here.")
