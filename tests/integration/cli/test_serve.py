"""`minato serve` as a person and as a script meet it: real processes, real signals."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

import httpx
import minato
import psycopg2
import pytest
from minato.postgres.address import running_address
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.postgres.layout import Layout
from minato.postgres.leftovers import cluster_processes

from tests.support.command import ELSEWHERE, environment, run_minato, served
from tests.support.copies import Copy
from tests.support.processes import wait_until
from tests.support.waiting import PATIENCE

FIELDS = [
    "url",
    "anon_key",
    "service_role_key",
    "publishable_key",
    "secret_key",
    "jwt_secret",
    "s3_access_key_id",
    "s3_access_key_secret",
    "db_url",
    "mailbox_url",
    "console_url",
    "pid",
]
UNPRIVILEGED = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
# For an interpreter that is not the environment's: it reads no .pth file there, by which the checkout is found.
PACKAGES = os.pathsep.join((str(Path(minato.__file__).parents[1]), sysconfig.get_path("purelib")))
EXAMPLE_SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"


def unprivileged_python() -> str | None:
    """An interpreter that every user may run: ours, or the system's of the same version with our packages."""
    for python in (sys.executable, f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"):
        # By a shell, because setpriv itself still passes root's folders.
        attempt = [*UNPRIVILEGED, "sh", "-c", 'exec "$0" -c "import minato.cli.app"', python]
        ended = subprocess.run(attempt, cwd=ELSEWHERE, env=environment(PYTHONPATH=PACKAGES), check=False)
        if ended.returncode == 0:
            return python
    return None


def execute(url: str, statement: str) -> object:
    connection = psycopg2.connect(url)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchone()[0] if cursor.description else None
    finally:
        connection.close()


def is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").status_code == 200
    except httpx.HTTPError:
        return False


def test_one_json_line_says_where_everything_is(data_dir: Path) -> None:
    with served(data_dir) as server:
        assert list(server.info) == FIELDS
        assert server.info["pid"] == server.process.pid
        assert is_ready(server.info["url"])
        assert execute(server.info["db_url"], "select current_user") == "postgres"
        assert httpx.get(server.info["mailbox_url"]).status_code == 200
        server.stop()
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""


def test_a_new_data_folder_is_migrated_and_private(tmp_path: Path) -> None:
    with served(tmp_path / "new") as server:
        assert execute(server.info["db_url"], "select count(*) from auth.users") == 0
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new" / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_keys_and_addresses_of_the_database_survive_a_restart(data_dir: Path) -> None:
    with served(data_dir) as first:
        first.stop()
    with served(data_dir) as second:
        same = [name for name in FIELDS if name not in ("url", "mailbox_url", "console_url", "pid")]
        assert {name: second.info[name] for name in same} == {name: first.info[name] for name in same}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_and_postgresql_without_a_trace(data_dir: Path, number: signal.Signals) -> None:
    with served(data_dir) as server:
        assert server.stop(number) == 0
    assert not cluster_processes(Layout(data_dir).tag)


# What is there as soon as initdb begins, as PostgreSQL does, as migrations may, and as the rooms start.
MOMENTS = ["postgres.unfinished", "vault.key", "postgres.port", "uploads"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_while_it_starts_leaves_nothing_behind(tmp_path: Path, moment: str) -> None:
    command = [sys.executable, "-m", "minato", "serve", "--port", "0", "--data-dir", str(tmp_path)]
    pipe = subprocess.PIPE
    # A shell that runs tests in the background lets its children ignore Ctrl-C; a terminal does not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        server = subprocess.Popen(command, cwd=ELSEWHERE, env=environment(), stdout=pipe, stderr=pipe, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with server:
        try:
            wait_until((tmp_path / moment).exists, moment)
            server.send_signal(signal.SIGINT)
            assert "Traceback" not in server.communicate(timeout=PATIENCE)[1]
            assert server.returncode in (0, 130)
        finally:
            server.kill()
    assert not cluster_processes(Layout(tmp_path).tag)


def test_a_killed_server_leaves_no_process_and_loses_no_committed_row(data_dir: Path) -> None:
    with served(data_dir) as server:
        execute(server.info["db_url"], "create table public.kept as select generate_series(1, 1000) as id")
        server.stop(signal.SIGKILL)
        wait_until(lambda: not cluster_processes(Layout(data_dir).tag), "the end of every PostgreSQL process")
    with served(data_dir) as server:
        assert execute(server.info["db_url"], "select count(*) from public.kept") == 1000


def test_a_server_answers_again_after_its_postgresql_crashed(data_dir: Path) -> None:
    with served(data_dir) as server:
        killed = [0]
        for _ in range(2):
            killed.append(int(Layout(data_dir).pid_file.read_text().split()[0]))
            os.kill(killed[-1], signal.SIGKILL)
            wait_until(lambda: postmaster_of(data_dir) not in killed, "a new PostgreSQL")
            wait_until(lambda: running_address(Layout(data_dir)) is not None, "its address")
            wait_until(lambda: is_ready(server.info["url"]), "answers from the new PostgreSQL")


def postmaster_of(data_dir: Path) -> int:
    """The process that says it serves the folder, 0 while there is none; one that was killed says so for a while."""
    with suppress(FileNotFoundError, IndexError):
        return int(Layout(data_dir).pid_file.read_text().split()[0])
    return 0


def test_two_servers_on_one_data_folder_are_one_too_many(data_dir: Path) -> None:
    with served(data_dir) as first:
        second = run_minato("serve", "--port", "0", "--data-dir", str(data_dir))
        assert second.returncode == 1
        assert f"Another Minato (process {first.process.pid}) uses {data_dir}" in second.stderr
        assert is_ready(first.info["url"])


def test_two_servers_on_two_data_folders_do_not_know_each_other(data_dir: Path, migrated: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(migrated, other)
    with served(data_dir) as first, served(other) as second:
        assert is_ready(first.info["url"])
        assert is_ready(second.info["url"])
        assert first.info["db_url"] != second.info["db_url"]


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = run_minato("serve", "--port", port, "--data-dir", str(tmp_path / "data"))
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        f"minato: Port {port} is taken: stop what uses it, or choose another with --port (0 takes a free one)."
    ]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, "Development mode shows everybody's mail"),
        ({"MINATO_ENVIRONMENT": "production", "MINATO_JWT_SECRET": EXAMPLE_SECRET}, "is the published example"),
    ],
)
def test_a_public_address_is_refused_to_what_is_meant_for_one_developer(
    tmp_path: Path, settings: dict[str, str], reason: str
) -> None:
    command = ("serve", "--host", "0.0.0.0", "--port", "0", "--data-dir", str(tmp_path))
    ended = run_minato(*command, **settings)
    assert ended.returncode == 1
    assert reason in ended.stderr


def test_a_short_jwt_secret_is_one_sentence(tmp_path: Path) -> None:
    ended = run_minato("serve", "--port", "0", "--data-dir", str(tmp_path), MINATO_JWT_SECRET="short")
    assert (ended.returncode, ended.stderr) == (1, "minato: MINATO_JWT_SECRET must have at least 32 characters.\n")


def test_a_senseless_setting_is_one_sentence(tmp_path: Path) -> None:
    ended = run_minato("serve", "--data-dir", str(tmp_path), MINATO_PORT="many")
    assert ended.returncode == 1
    assert "MINATO_PORT" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("az://files", "account must be specified; AZURE_STORAGE_ACCOUNT_NAME names it"),
        ("gs://files?region=eu", "configuration key: 'region' is not valid for store 'GCS'"),
    ],
)
def test_a_store_that_lacks_a_setting_is_one_sentence(data_dir: Path, url: str, told: str) -> None:
    ended = run_minato("serve", "--port", "0", "--data-dir", str(data_dir), STORAGE_URL=url)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == f"minato: STORAGE_URL: {told}."
    assert "Traceback" not in ended.stderr


def test_a_port_that_is_none_is_told_by_the_name_it_was_given_by(tmp_path: Path) -> None:
    by_flag = run_minato("serve", "--port", "70000", "--data-dir", str(tmp_path))
    assert by_flag.returncode == 2
    assert "Invalid value for '--port'" in by_flag.stderr
    by_variable = run_minato("serve", "--data-dir", str(tmp_path), MINATO_PORT="70000")
    told = "minato: MINATO_PORT: Input should be less than or equal to 65535.\n"
    assert (by_variable.returncode, by_variable.stderr) == (1, told)


def test_the_environment_gives_the_secret_that_every_key_follows_from(data_dir: Path) -> None:
    with served(data_dir, MINATO_JWT_SECRET=EXAMPLE_SECRET) as server:
        assert server.info["jwt_secret"] == EXAMPLE_SECRET
        assert server.info["anon_key"].endswith(".CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0")


def test_any_other_postgresql_serves_by_database_url(tmp_path: Path) -> None:
    other = EmbeddedPostgres(EmbeddedOptions(tmp_path / "other", durable=False))
    url = other.start_now().tcp_url()
    try:
        for _ in range(2):
            with served(tmp_path / "data", DATABASE_URL=url) as server:
                assert server.info["db_url"] == url
                assert is_ready(server.info["url"])
                assert server.stop() == 0
        assert execute(url, "select count(*) from auth.users") == 0
    finally:
        other.stop_now()
    assert not (tmp_path / "data" / "postgres").exists()


def test_nobody_is_said_not_to_run_who_could_not_be_seen(tmp_path: Path) -> None:
    elsewhere = {"DATABASE_URL": "postgresql://postgres@127.0.0.1:1/postgres"}
    asked = [run_minato("status", "--data-dir", str(tmp_path), *form, **elsewhere) for form in ((), ("--json",))]
    assert [ended.returncode for ended in asked] == [1, 1]
    assert asked[0].stdout.startswith("Not known: with DATABASE_URL")
    assert json.loads(asked[1].stdout)["running"] is None
    assert run_minato("status", "--data-dir", str(tmp_path)).stdout == f"Not running on {tmp_path}\n"


def test_a_database_url_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    url = "postgresql://postgres@127.0.0.1:1/postgres"
    ended = run_minato("serve", "--port", "0", "--data-dir", str(tmp_path), DATABASE_URL=url)
    assert ended.returncode == 1
    assert ended.stderr.startswith("minato: The database does not answer:")


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root, to become another user")
def test_a_normal_user_serves_as_well(tmp_path: Path) -> None:
    python = unprivileged_python()
    if python is None:
        pytest.skip("no interpreter finds our packages that everybody may read")
    home = Path("/var/tmp", f"minato-test-{os.getpid()}")
    home.mkdir(mode=0o700)
    os.chown(home, 65534, 65534)
    try:
        with served(home / "data", prefix=UNPRIVILEGED, python=python, PYTHONPATH=PACKAGES) as server:
            assert is_ready(server.info["url"])
            assert (home / "data" / "postgres").stat().st_uid == 65534
            assert server.stop() == 0
    finally:
        shutil.rmtree(home)


def test_the_banner_shows_a_person_everything_to_begin(data_dir: Path) -> None:
    command = ("serve", "--port", "0", "--no-seed", "--data-dir", str(data_dir))
    pipe = subprocess.PIPE
    with Copy(command, cwd=ELSEWHERE, env=environment(), stdout=pipe, stderr=pipe, text=True) as server:
        assert server.stdout is not None
        lines: list[str] = []
        while "Secret key" not in "".join(lines):
            lines.append(server.stdout.readline())
            assert lines[-1], server.communicate()[1]
        server.send_signal(signal.SIGINT)
        rest, errors = server.communicate(timeout=PATIENCE)
    shown = "".join([*lines, rest])
    for name in (
        "URL",
        "Console",
        "Mailbox",
        "Database",
        "anon key",
        "service_role key",
        "Publishable key",
        "Secret key",
    ):
        assert re.search(rf"^\s+{name}\s+\S+$", shown, re.MULTILINE), name
    assert "Starting PostgreSQL" in errors
    assert "Traceback" not in errors


def test_keys_match_what_the_server_announces(data_dir: Path) -> None:
    printed = json.loads(run_minato("keys", "--json", "--data-dir", str(data_dir)).stdout)
    with served(data_dir) as server:
        assert printed == {name: server.info[name] for name in printed}
