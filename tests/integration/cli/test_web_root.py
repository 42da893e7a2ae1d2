"""Where `minato serve` finds the web app, and what it says when there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from minato.cli.progress import Progress
from minato.cli.running import look_for_web_app
from minato.config import server
from minato.config.server import ServerSettings

from tests.support.starts import started

DEFAULT = Path("web/dist")


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build beside the program, while the server is started somewhere else."""
    built = tmp_path / "program" / DEFAULT
    built.mkdir(parents=True)
    monkeypatch.setattr(server, "BESIDE_THE_PROGRAM", built)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return built


def test_a_server_started_anywhere_finds_the_web_app_beside_the_program(beside: Path) -> None:
    assert ServerSettings().web_root == beside


def test_the_web_app_of_the_current_folder_comes_first(beside: Path) -> None:
    DEFAULT.mkdir(parents=True)
    assert ServerSettings().web_root == DEFAULT


def test_a_folder_that_was_named_is_taken_as_it_is(beside: Path) -> None:
    assert ServerSettings.of({"MINATO_WEB_ROOT": "somewhere"}).web_root == Path("somewhere")


def test_a_server_without_a_web_app_says_so(tmp_path: Path) -> None:
    said: list[str] = []
    look_for_web_app(tmp_path, Progress(quiet=True, warn=said.append))
    [warning] = said
    assert warning.startswith(f"No web app is served: {tmp_path} holds none.")


def test_a_server_that_was_told_to_serve_none_says_nothing() -> None:
    said: list[str] = []
    look_for_web_app(None, Progress(quiet=True, warn=said.append))
    assert said == []


def test_a_script_reads_that_as_a_line_of_the_log(data_dir: Path, tmp_path: Path) -> None:
    with started(data_dir, "--json", "--no-seed", MINATO_WEB_ROOT=str(tmp_path)) as server:
        server.wait_for(lambda: "\n" in server.out, "the server is ready")
    said = [json.loads(line)["event"] for line in server.err.splitlines()]
    assert [event.startswith("No web app is served") for event in said].count(True) == 1
