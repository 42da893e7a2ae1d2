"""PostgreSQL refuses to be root; a person who is root must not notice. Tests of root alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from minato.postgres.account import Account, choose_account, unprivileged_user
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.postgres.layout import Layout
from minato.postgres.leftovers import cluster_processes

from tests.support.processes import wait_until

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run PostgreSQL as somebody else")

START_AND_STOP = (
    "import sys, pathlib\n"
    "from minato.postgres.cluster import EmbeddedOptions\n"
    "from minato.postgres.embedded import EmbeddedPostgres\n"
    "postgres = EmbeddedPostgres(EmbeddedOptions(pathlib.Path(sys.argv[1]), durable=False))\n"
    "postgres.start_now()\n"
    "print(pathlib.Path('/proc', str(postgres.pid)).stat().st_uid)\n"
    "postgres.stop_now()\n"
)


@pytest.fixture
def unprivileged() -> Account:
    return Account("setuid", *unprivileged_user())


@pytest.fixture
def world_without_namespaces() -> Iterator[list[str]]:
    """The prefix of a command that runs as root where no user namespace can be made, as in many containers."""
    if shutil.which("nsenter") is None or shutil.which("unshare") is None:
        pytest.skip("needs unshare and nsenter")
    with subprocess.Popen(["unshare", "--user", "cat"], stdin=subprocess.PIPE) as holder:
        namespace = Path("/proc", str(holder.pid), "ns", "user")
        wait_until(lambda: namespace.readlink() != Path("/proc/self/ns/user").readlink(), "a namespace")
        for name in ("uid_map", "gid_map"):
            Path("/proc", str(holder.pid), name).write_text("0 0 70000")
        enter = ["nsenter", "-t", str(holder.pid), "-U", "--preserve-credentials"]
        subprocess.run([*enter, "sh", "-c", "echo 0 > /proc/sys/user/max_user_namespaces"], check=True)
        yield enter


def test_files_of_a_postgresql_in_a_namespace_stay_roots(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path, durable=False))
    postgres.start_now()
    try:
        assert choose_account(tmp_path / "postgres").mode == "namespace"
        assert {path.lstat().st_uid for path in (tmp_path / "postgres").rglob("*")} == {0}
    finally:
        postgres.stop_now()


def test_where_namespaces_are_refused_it_runs_as_an_unprivileged_user(
    tmp_path: Path, world_without_namespaces: list[str], unprivileged: Account
) -> None:
    command = [*world_without_namespaces, sys.executable, "-c", START_AND_STOP, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.stdout.strip() == str(unprivileged.uid), ended.stderr
    assert (tmp_path / "postgres").stat().st_uid == unprivileged.uid


def test_data_made_in_a_namespace_serves_an_unprivileged_user_and_back(tmp_path: Path, unprivileged: Account) -> None:
    in_namespace = Account("namespace", unprivileged.uid, unprivileged.gid)
    for account in (in_namespace, unprivileged, in_namespace):
        postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path, durable=False, account=account))
        postgres.start_now()
        postgres.stop_now()
        assert (tmp_path / "postgres").stat().st_uid == account.owner


def test_an_unprivileged_postgresql_dies_with_its_owner_too(tmp_path: Path) -> None:
    program = START_AND_STOP.replace("postgres.stop_now()", "import os; os.kill(os.getpid(), 9)").replace(
        "durable=False", "durable=False, account=account"
    )
    account = "from minato.postgres.account import *\naccount = Account('setuid', *unprivileged_user())\n"
    subprocess.run([sys.executable, "-c", account + program, str(tmp_path)], check=False)
    wait_until(lambda: not cluster_processes(Layout(tmp_path).tag), "the end of every PostgreSQL process")
