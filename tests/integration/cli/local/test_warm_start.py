"""What a person waits for at every `minato start`: counted, for time depends on the machine."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import START_LIMIT
from tests.support.local_project import LocalProject

# Every process writes down what it has imported when it writes its last word, or tells that it is ready.
SPY = """
import atexit, os, sys
def note(kind):
    with open(os.path.join({folder!r}, f"{{kind}}-{{os.getpid()}}"), "w") as file:
        file.write(" ".join(sys.modules))
def spy(event, arguments):
    if event == "open" and str(arguments[0]).endswith(f"server.{{os.getpid()}}"):
        note("server")
sys.addaudithook(spy)
atexit.register(note, "command")
"""
# The settings, the services, the database: who only waits for a server needs none of them.
LATE = {"minato.config", "pydantic_settings", "asyncio", "rich", "psycopg2", "sqlalchemy"}
NEVER = {"alembic", "minato.cli.db_tools", "minato.schema_diff", "minato.cli.app", "rich", "fastapi"}


@pytest.fixture
def warm(project: LocalProject, tmp_path: Path) -> tuple[LocalProject, Path]:
    """A project that was started once, and the folder in which the processes of its next start write."""
    project.start()
    project.minato("stop")
    spies = tmp_path / "spies"
    spies.mkdir()
    (spies / "sitecustomize.py").write_text(SPY.format(folder=str(spies)))
    return project, spies


def test_a_warm_start_imports_only_what_it_needs_and_opens_few_connections(warm: tuple[LocalProject, Path]) -> None:
    project, spies = warm
    with (project.data / "postgres" / "postgresql.auto.conf").open("a") as settings:
        settings.write("log_connections = on\n")
    (project.data / "postgres.log").write_text("")
    started = subprocess.run(
        [sys.executable, "-m", "minato", "start", "--port", "0"],
        cwd=project.root,
        env=project.environment(PYTHONPATH=os.pathsep.join([str(spies), os.environ.get("PYTHONPATH", "")])),
        capture_output=True,
        text=True,
        timeout=START_LIMIT,
        check=True,
    )
    assert "Started supabase local development setup." in started.stderr

    [command] = spies.glob("command-*")
    [server] = spies.glob("server-*")
    assert server.name == f"server-{json.loads((project.data / 'server.lock').read_text())['pid']}"
    assert LATE.isdisjoint(command.read_text().split())
    assert NEVER.isdisjoint(server.read_text().split())
    # What says no name of its own is opened by the start itself: the revision, the password that people know, the
    # project's migrations, the settings. Services begin theirs when it is ready.
    said = re.findall(r"LOG:  connection authorized: (.*)", (project.data / "postgres.log").read_text())
    logins = [login.split()[0] for login in said if "application_name" not in login]
    assert logins == ["user=supabase_admin", "user=postgres", "user=postgres", "user=supabase_admin"]
