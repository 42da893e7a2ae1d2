"""`minato branch` and `minato snapshot`, beside a project that runs and wants a token at its developer's pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
