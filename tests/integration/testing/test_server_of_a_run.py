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
