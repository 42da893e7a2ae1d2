"""The examples of docs/how-to/test-your-app.md, run by the real runners in a project of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.integration.testing.conftest import variables
from tests.support.command import START_LIMIT
from tests.support.local_project import LocalProject

# The plugin itself is there because minato is installed.
WITHOUT = ("asyncio", "xdist", "cacheprovider")
RUNNERS = {
    "vitest": ["vitest", "run", "--root", "vitest"],
    "playwright": ["playwright", "test", "--config", "playwright", "--workers", "1"],
    "pytest": [sys.executable, "-m", "pytest", *(f"-pno:{name}" for name in WITHOUT), "-cpytest/pytest.ini", "pytest"],
}


def test_the_examples_pass_on_the_projects_own_server_and_leave_no_branch(fresh: Path, tmp_path: Path) -> None:
    project = LocalProject(fresh, tmp_path / "state")
    try:
        project.start()
        started = {name: _begin(command, fresh) for name, command in RUNNERS.items()}
        ended = {name: (process.communicate(timeout=START_LIMIT)[0], process) for name, process in started.items()}
        assert {name: process.returncode for name, (_, process) in ended.items()} == dict.fromkeys(RUNNERS, 0), ended
        branches = json.load(urllib.request.urlopen(f"{project.values()['API_URL']}/_dev/v1/branches"))
        assert branches["branches"] == []
    finally:
        project.remove()


def _begin(command: list[str], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, cwd=folder, env=variables(CI="1"), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
