"""A start that is cut off half way: nothing half made counts as a database, and whoever starts again is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg2
from minato.postgres.address import running_address
from minato.postgres.layout import Layout

from tests.support.copies import Copy
from tests.support.local_project import LocalProject
from tests.support.processes import wait_until

BACKUP = Path(__file__).parents[3] / "fixtures" / "hosted_backup.sql"
# Goes on as soon as anybody logs in by this name.
WAITS = """
do $$ begin
    while not exists (select from pg_catalog.pg_stat_activity where application_name = 'go on') loop
        perform pg_catalog.pg_sleep(0.01);
        perform pg_catalog.pg_stat_clear_snapshot();
    end loop;
end $$;
"""


@contextmanager
def half_way(project: LocalProject, *arguments: str) -> Iterator[Copy]:
    """The command, whose server has come to what waits."""
    with Copy(
        arguments,
        cwd=project.root,
        env=project.environment(MINATO_PORT="0", MINATO_POSTGRES_PORT="0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        wait_until(lambda: is_waiting(project), "the start is half way")
        yield command


def database(project: LocalProject) -> str | None:
    address = running_address(Layout(project.data))
    return address.socket_url("postgres") if address is not None else None


def is_waiting(project: LocalProject) -> bool:
    url = database(project)
    if url is None:
        return False
    try:
        connection = psycopg2.connect(url)
    except psycopg2.OperationalError:
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute("select count(*) from pg_stat_activity where ltrim(query, e'\\n') like 'do $$ %go on%'")
            row = cursor.fetchone()
            return row is not None and row[0] > 0
    finally:
        connection.close()


def server_pid(project: LocalProject) -> int:
    return int(json.loads((project.data / "server.lock").read_text())["pid"])


def test_a_restore_whose_server_was_killed_counts_as_nothing_and_the_next_start_says_so(
    project: LocalProject, tmp_path: Path
) -> None:
    text = BACKUP.read_text().replace("CREATE SCHEMA shop;", f"CREATE SCHEMA shop;\n{WAITS}")
    (tmp_path / "backup.sql").write_text(text)
    with half_way(project, "db", "start", "--from-backup", "../backup.sql") as command:
        os.kill(server_pid(project), signal.SIGKILL)
        assert command.wait(60) != 0

    again = project.minato("db", "start", MINATO_PORT="0", MINATO_POSTGRES_PORT="0")
    assert again.returncode == 0, again.stderr
    assert "was cut off, and nothing of it is kept" in again.stderr
    assert f"minato db start --from-backup {tmp_path / 'backup.sql'}" in again.stderr
    assert "Applying migration 20260101000000_notes.sql" in again.stderr
    assert project.sql("select to_regnamespace('shop') is null and not exists (select from notes)") is True

    project.minato("stop")
    assert "cut off" not in project.start().stderr


def test_a_start_goes_on_when_its_command_and_terminal_are_gone(project: LocalProject) -> None:
    project.write("migrations/20260102000000_waits.sql", WAITS)
    project.write("migrations/20260103000000_last.sql", "create table last (id int);")
    with half_way(project, "start", "--port", "0") as command:
        command.kill()
        assert command.wait(60) == -signal.SIGKILL
    url = database(project)
    assert url is not None
    with psycopg2.connect(url, application_name="go on"):
        wait_until(lambda: project.minato("status").returncode == 0, "the server is ready")
    assert project.sql("select to_regclass('last') is not null") is True
    assert "Traceback" not in (project.data / "server.log").read_text()
