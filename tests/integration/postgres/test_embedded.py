"""The embedded PostgreSQL through everything that happens to a database on somebody's laptop."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from minato.postgres.address import PostgresAddress, running_address
from minato.postgres.binaries import find_binaries
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.postgres.errors import PostgresError
from minato.postgres.layout import Layout
from minato.postgres.leftovers import cluster_processes

from tests.support.processes import wait_until


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder on which PostgreSQL ran once; tests work on copies, which spares them initdb."""
    folder = tmp_path_factory.mktemp("pristine") / "data"
    postgres = EmbeddedPostgres(EmbeddedOptions(folder))
    postgres.start_now()
    postgres.stop_now()
    return folder


@pytest.fixture
def data_dir(pristine: Path, tmp_path: Path) -> Path:
    shutil.copytree(pristine, tmp_path / "data")
    return tmp_path / "data"


@asynccontextmanager
async def running(data_dir: Path, **options: object) -> AsyncIterator[EmbeddedPostgres]:
    postgres = EmbeddedPostgres(EmbeddedOptions(data_dir, **options))  # type: ignore[arg-type]
    await postgres.start()
    try:
        yield postgres
    finally:
        await postgres.stop()


async def query(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


async def answers_again(address: PostgresAddress) -> None:
    """Connect until it works, as a pool does."""
    for _ in range(500):
        try:
            await query(address.socket_url(), "select 1")
            return
        except (OSError, asyncpg.PostgresError):
            await asyncio.sleep(0.02)
    raise AssertionError("PostgreSQL did not come back")


def start_in_another_process(data_dir: Path, has_death_signal: bool = True) -> subprocess.Popen[str]:
    """A process that starts PostgreSQL, says so and waits; without a death signal, as on macOS."""
    program = (
        "import sys, pathlib\n"
        "from minato.postgres import process\n"
        "process.HAS_DEATH_SIGNAL = process.HAS_DEATH_SIGNAL and sys.argv[2] == 'True'\n"
        "from minato.postgres.cluster import EmbeddedOptions\n"
        "from minato.postgres.embedded import EmbeddedPostgres\n"
        "postgres = EmbeddedPostgres(EmbeddedOptions(pathlib.Path(sys.argv[1])))\n"
        "postgres.start_now()\n"
        "print(postgres.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, str(data_dir), str(has_death_signal)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


async def test_a_new_data_folder_becomes_a_database(tmp_path: Path) -> None:
    async with running(tmp_path / "new", durable=False) as postgres:
        assert await query(postgres.address.socket_url(), "show wal_level") == "logical"
        assert await query(postgres.address.socket_url(), "show server_encoding") == "UTF8"
        assert await query(postgres.address.socket_url(), "show timezone") == "UTC"


async def test_tcp_asks_for_the_password_and_the_socket_does_not(data_dir: Path) -> None:
    async with running(data_dir) as postgres:
        address = postgres.address
        assert await query(address.tcp_url(), "select current_user") == "supabase_admin"
        wrong = address.tcp_url().replace(address.password, "wrong")
        with pytest.raises(asyncpg.InvalidPasswordError):
            await query(wrong, "select 1")
        assert await query(address.tcp_url(), "show listen_addresses") == "127.0.0.1"
        stored = await query(address.tcp_url(), "select rolpassword from pg_authid where rolname = current_user")
        assert str(stored).startswith("SCRAM-SHA-256$")
        assert len(address.password) >= 32


async def test_nobody_else_can_enter_the_data_folder_or_read_the_password(data_dir: Path) -> None:
    async with running(data_dir) as postgres:
        for folder in (data_dir, data_dir / "postgres", postgres.address.socket_folder):
            assert folder.stat().st_mode & 0o777 == 0o700
        assert (data_dir / "postgres.password").stat().st_mode & 0o777 == 0o600
        assert postgres.address.password not in repr(postgres.address)


async def test_committed_writes_are_on_disk_unless_a_test_says_otherwise(data_dir: Path) -> None:
    async with running(data_dir) as postgres:
        assert await query(postgres.address.socket_url(), "show fsync") == "on"
        assert await query(postgres.address.socket_url(), "show synchronous_commit") == "on"
    async with running(data_dir, durable=False) as postgres:
        assert await query(postgres.address.socket_url(), "show fsync") == "off"


async def test_the_port_stays_the_same_from_run_to_run(data_dir: Path) -> None:
    async with running(data_dir) as first:
        port = first.address.port
    async with running(data_dir) as second:
        assert second.address.port == port


async def test_a_second_start_on_the_same_folder_is_refused_with_the_first_ones_process(data_dir: Path) -> None:
    async with running(data_dir) as first:
        with pytest.raises(PostgresError, match=rf"Another Minato \(process {os.getpid()}\) uses"):
            await EmbeddedPostgres(EmbeddedOptions(data_dir)).start()
        assert await query(first.address.socket_url(), "select 1") == 1


async def test_a_killed_postmaster_is_started_again_at_the_same_address(data_dir: Path) -> None:
    async with running(data_dir) as postgres:
        await query(postgres.address.socket_url(), "create table kept as select 42 as answer")
        killed = postgres.pid
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        await answers_again(postgres.address)
        assert postgres.pid not in (None, killed)
        assert await query(postgres.address.socket_url(), "select answer from kept") == 42


async def test_a_busy_child_of_a_killed_postmaster_does_not_hold_up_the_restart(data_dir: Path) -> None:
    async with running(data_dir) as postgres:
        busy = await asyncpg.connect(postgres.address.socket_url())
        work = asyncio.create_task(busy.execute("do $$ begin loop end loop; end $$"))
        assert postgres.pid is not None
        while not await query(
            postgres.address.socket_url(), "select count(*) from pg_stat_activity where query like 'do %'"
        ):
            pass
        os.kill(postgres.pid, signal.SIGKILL)
        await answers_again(postgres.address)
        with pytest.raises((asyncpg.PostgresError, OSError)):
            await work


@pytest.mark.parametrize("recycled", ["by this process", "by nobody"])
async def test_a_stale_pid_file_does_not_prevent_a_start(data_dir: Path, recycled: str) -> None:
    pid = os.getpid() if recycled == "by this process" else 2**22 - 1
    lines = [str(pid), str(data_dir / "postgres"), "1700000000", "5432", str(data_dir / "run"), "127.0.0.1", ""]
    (data_dir / "postgres" / "postmaster.pid").write_text("\n".join(lines))
    async with running(data_dir) as postgres:
        assert await query(postgres.address.socket_url(), "select 1") == 1


@pytest.mark.parametrize("has_death_signal", [True, False], ids=["linux", "elsewhere"])
async def test_a_killed_owner_takes_postgresql_along_and_loses_no_committed_row(
    data_dir: Path, has_death_signal: bool
) -> None:
    layout = Layout(data_dir)
    owner = start_in_another_process(data_dir, has_death_signal)
    with owner:
        assert owner.stdout is not None
        owner.stdout.readline()
        address = running_address(layout)
        assert address is not None
        await query(address.socket_url(), "create table kept as select generate_series(1, 1000) as id")
        owner.kill()
        wait_until(lambda: not cluster_processes(layout.tag), "the end of every PostgreSQL process")
    async with running(data_dir) as postgres:
        assert await query(postgres.address.socket_url(), "select count(*) from kept") == 1000


@pytest.mark.parametrize("has_death_signal", [True, False], ids=["linux", "elsewhere"])
async def test_a_start_right_after_a_killed_owner_waits_for_its_postgresql_to_end(
    data_dir: Path, has_death_signal: bool
) -> None:
    owner = start_in_another_process(data_dir, has_death_signal)
    with owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        owner.kill()
    async with running(data_dir) as postgres:
        assert postgres.pid != pid
        assert await query(postgres.address.socket_url(), "select 1") == 1


async def test_an_interrupted_initdb_is_repeated(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    interrupted = EmbeddedPostgres(EmbeddedOptions(data_dir, durable=False))
    interrupted.begin()
    interrupted.stop_now()
    assert not (data_dir / "postgres").exists()
    async with running(data_dir, durable=False) as postgres:
        assert await query(postgres.address.socket_url(), "select 1") == 1


async def test_a_path_too_long_for_a_socket_gets_a_short_private_one(pristine: Path, tmp_path: Path) -> None:
    data_dir = tmp_path / ("long" * 30) / "data"
    shutil.copytree(pristine, data_dir)
    async with running(data_dir) as postgres:
        folder = postgres.address.socket_folder
        assert not folder.is_relative_to(data_dir)
        assert folder.stat().st_mode & 0o777 == 0o700
        assert await query(postgres.address.socket_url(), "select 1") == 1
    assert not folder.exists()


async def test_nobody_guesses_where_the_sockets_are_without_reading_the_data_folder(
    pristine: Path, tmp_path: Path
) -> None:
    data_dir = tmp_path / "data"
    shutil.copytree(pristine, data_dir)
    word = data_dir / "postgres.socket-word"
    # as whoever made it was cut off
    word.write_text("")
    async with running(data_dir) as postgres:
        assert re.fullmatch("[0-9a-f]{16}", word.read_text())
        assert postgres.address.socket_folder.name.endswith(word.read_text())
    assert not (data_dir / "run").exists()


async def test_data_of_another_major_version_is_refused_with_a_sentence(data_dir: Path) -> None:
    (data_dir / "postgres" / "PG_VERSION").write_text("14\n")
    with pytest.raises(PostgresError, match="was made by PostgreSQL 14"):
        await EmbeddedPostgres(EmbeddedOptions(data_dir)).start()


async def test_a_folder_without_postgresql_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PostgresError, match="holds no initdb and no postgres"):
        await EmbeddedPostgres(EmbeddedOptions(tmp_path / "data", binaries=tmp_path)).start()


async def test_a_data_folder_that_postgresql_cannot_use_says_why(data_dir: Path) -> None:
    shutil.rmtree(data_dir / "postgres" / "global")
    with pytest.raises(PostgresError, match="PostgreSQL did not start"):
        await EmbeddedPostgres(EmbeddedOptions(data_dir)).start()


async def test_stopping_leaves_no_process_and_frees_the_folder(data_dir: Path) -> None:
    for _ in range(2):
        async with running(data_dir):
            assert cluster_processes(Layout(data_dir).tag)
        assert not cluster_processes(Layout(data_dir).tag)


async def test_the_folder_of_programs_can_be_chosen(data_dir: Path) -> None:
    async with running(data_dir, binaries=find_binaries(None).folder) as postgres:
        assert await query(postgres.address.socket_url(), "select 1") == 1
