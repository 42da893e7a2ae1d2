"""A test that never ends fails, and tells what it waited for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.command import REPOSITORY

CONFTEST = "from tests.support.hanging import pytest_runtest_makereport, watched_loop\n"
HANGING = """
import asyncio

async def outer():
    await what_never_comes()

async def what_never_comes():
    await asyncio.Event().wait()

async def test_hangs():
    await asyncio.create_task(outer(), name="the outer one")

async def test_goes_on():
    pass
"""


def test_a_test_that_hangs_fails_with_what_its_tasks_await_and_the_next_one_runs(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(HANGING)
    config = ["-c", str(REPOSITORY / "pyproject.toml"), "--rootdir", str(tmp_path), "--timeout", "1"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *config, str(tmp_path / "test_it.py")]
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=120)
    assert "1 failed, 1 passed" in ended.stdout, ended.stdout + ended.stderr
    assert "the outer one" in ended.stdout
    assert "await what_never_comes()" in ended.stdout
    assert "await asyncio.Event().wait()" in ended.stdout
