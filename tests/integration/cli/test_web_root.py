"""Where `minato serve` finds the web app, and what it says when there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from minato import places
from minato.cli.progress import Progress
from minato.cli.running import look_for_web_app
from minato.config.server import ServerSettings

from tests.support.command import REPOSITORY
from tests.support.starts import started

BUILT = REPOSITORY / "web" / "dist"


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: somebody's own, with a page of theirs."""
    (tmp_path / "web" / "dist").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_checkout_serves_its_own_web_app_and_project_wherever_it_is_started(elsewhere: Path) -> None:
    served = ServerSettings()
    assert (served.web_root, served.project) == (BUILT, REPOSITORY / "migrations" / "marketplace")


def test_a_wheel_serves_no_web_app_and_no_project_unasked(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "REPOSITORY", None)
    served = ServerSettings()
    assert (served.web_root, served.project) == (None, None)


def test_an_empty_name_means_none(elsewhere: Path) -> None:
    served = ServerSettings.of({"MINATO_WEB_ROOT": "", "MINATO_PROJECT": ""})
    assert (served.web_root, served.project) == (None, None)


def test_a_folder_that_was_named_is_taken_as_it_is(elsewhere: Path) -> None:
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
