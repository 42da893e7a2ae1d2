"""Where no server runs, the libraries start one; it ends with whoever started it, and nothing stays."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.integration.testing.conftest import variables
from tests.support.processes import wait_until

PYTHON = """
from minato.testing import Branch, find_server
server = find_server()
print(Branch.open(server.url).url, flush=True)
input()
"""
NODE = """
import { Branch } from 'minato-test';
const branch = await Branch.open();
console.log(branch.url);
setInterval(() => {}, 1000);
"""
NOTING = """
import os
import pathlib
import pytest

@pytest.mark.parametrize("number", range(6))
def test_notes(branch, number):
    pathlib.Path(os.environ["NOTES"], str(number)).write_text(branch.url)
"""
PYTEST = [sys.executable, "-m", "pytest", "-pno:asyncio", "-cpytest/pytest.ini"]
PROGRAMS = {"python": [sys.executable, "-c", PYTHON], "node": ["node", "--input-type=module", "--eval", NODE]}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_runner_that_is_killed_leaves_no_server_and_no_file(program: str, fresh: Path, tmp_path: Path) -> None:
    temporary, elsewhere = tmp_path / "temporary", tmp_path / "elsewhere"
    for folder in (temporary, elsewhere):
        folder.mkdir()
    (elsewhere / "node_modules").symlink_to(fresh / "node_modules")
    environment = variables(TMPDIR=str(temporary), XDG_STATE_HOME=str(tmp_path / "state"))
    runner = subprocess.Popen(
        PROGRAMS[program], cwd=elsewhere, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert runner.stdout is not None
    with runner, runner.stdout:
        url = runner.stdout.readline().strip()
        assert "/b/" in url
        ready = urllib.request.urlopen(f"{url}/auth/v1/health")
        assert ready.status == 200
        runner.kill()
    wait_until(lambda: os.listdir(temporary) == [], "the server's folder is gone")
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url)


def test_processes_of_pytest_share_one_server_which_ends_with_the_run(fresh: Path, tmp_path: Path) -> None:
    temporary, notes = tmp_path / "temporary", tmp_path / "notes"
    for folder in (temporary, notes):
        folder.mkdir()
    (fresh / "pytest" / "test_noting.py").write_text(NOTING)
    settings = {"TMPDIR": str(temporary), "NOTES": str(notes), "XDG_STATE_HOME": str(tmp_path / "state")}
    several = [*PYTEST, "-n3", "-pno:cacheprovider", "pytest/test_noting.py"]
    ended = subprocess.run(several, cwd=fresh, env=variables(**settings), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
    urls = [note.read_text() for note in notes.iterdir()]
    assert len(set(urls)) == len(urls) == 6
    (server,) = {url.partition("/b/")[0] for url in urls}
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"{server}/healthz")
    assert [name for name in os.listdir(temporary) if not name.startswith("pytest-of-")] == []
