"""The `minato db` commands, with and without a running server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg2
import pytest
from minato.cli.errors import CommandError
from minato.cli.new_migration import begin_migration
from minato.cli.progress import Progress
from minato.cli.reset import recreate_database
from minato.cli.seed import Seed, is_seeded, load_seed
from minato.cli.target import Target
from minato.database.address import DatabaseAddress
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.project.folder import Project
from psycopg2.extras import LogicalReplicationConnection

from tests.support import server as support
from tests.support.command import run_minato, served


@pytest.fixture
def target(address: DatabaseAddress) -> Target:
    return Target(address, address.admin, address.admin, embedded=True, passwords={})


@pytest.fixture
def seed(tmp_path: Path) -> Seed:
    """Two scripts that need each other's order and read what the runner tells them."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "01_table.sql").write_text("create table public.told (name text, value text);")
    (folder / "02_rows.sql").write_text(
        "insert into public.told select name, current_setting(name)"
        " from unnest(array['minato.seed_password_hash', 'minato.admin_email']) as name;"
    )
    return Seed(folder)


@contextmanager
def cursor(url: str) -> Iterator[psycopg2.extensions.cursor]:
    connection = psycopg2.connect(url)
    try:
        with connection, connection.cursor() as opened:
            yield opened
    finally:
        connection.close()


def value(url: str, statement: str) -> object:
    with cursor(url) as opened:
        opened.execute(statement)
        row = opened.fetchone()
        return row[0] if row else None


def test_migrating_an_up_to_date_database_does_nothing(data_dir: Path) -> None:
    ended = run_minato("db", "migrate", "--data-dir", str(data_dir))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_the_url_opens_the_database_of_a_running_server(data_dir: Path) -> None:
    with served(data_dir) as server:
        url = run_minato("db", "url", "--data-dir", str(data_dir)).stdout.strip()
        assert url == server.info["db_url"]
        assert value(url, "select current_user") == "postgres"


@pytest.mark.parametrize("running", [True, False], ids=["beside a server", "alone"])
def test_psql_gets_its_arguments_and_gives_its_status(data_dir: Path, running: bool) -> None:
    psql = ("db", "psql", "--data-dir", str(data_dir), "-Atc")

    def ask() -> None:
        assert run_minato(*psql, "select 6 * 7").stdout == "42\n"
        assert run_minato(*psql, "select nonsense").returncode == 1

    if running:
        with served(data_dir):
            ask()
    else:
        ask()


def test_the_database_of_minato_serve_is_the_projects_own(data_dir: Path) -> None:
    psql = ("db", "psql", "--data-dir", str(data_dir), "-Atc")
    assert run_minato(*psql, "comment on schema public is 'x'").returncode == 0
    owner = "select datdba::regrole from pg_database where datname = 'postgres'"
    assert run_minato(*psql, owner).stdout == "postgres\n"


def test_status_finds_a_server_and_its_absence(data_dir: Path) -> None:
    status = ("status", "--json", "--data-dir", str(data_dir))
    with served(data_dir) as server:
        found = run_minato(*status)
        assert found.returncode == 0
        assert json.loads(found.stdout)["pid"] == server.process.pid
        assert json.loads(found.stdout)["db_url"] == server.info["db_url"]
        server.stop()
    gone = run_minato(*status)
    assert (gone.returncode, json.loads(gone.stdout)["running"]) == (1, False)


def test_the_doctor_finds_what_is_wrong(data_dir: Path, tmp_path: Path) -> None:
    well = run_minato("doctor", "--data-dir", str(data_dir), MINATO_PORT="0", MINATO_WEB_ROOT=str(tmp_path))
    assert "✓ PostgreSQL 18 starts" in well.stdout
    assert "✗" in well.stdout
    assert "holds no web app" in well.stdout
    assert well.returncode == 1


async def test_a_seed_runs_in_order_knows_its_settings_and_is_noted(target: Target, seed: Seed, tmp_path: Path) -> None:
    settings = support.settings_for(tmp_path)
    assert not is_seeded(target, seed)
    await load_seed(settings, target, support.JWT_SECRET, seed, Progress(quiet=True))
    assert is_seeded(target, seed)
    url = target.address.admin
    assert value(url, "select value from public.told where name = 'minato.admin_email'") == settings.server.admin_email
    hashed = value(url, "select value from public.told where name = 'minato.seed_password_hash'")
    assert str(hashed).startswith("$2a$10$")


async def test_a_seed_runs_as_the_projects_owner(target: Target, seed: Seed, tmp_path: Path) -> None:
    """What its rows set off, triggers of the project's among them, has no other rights."""
    (seed.folder / "03_who.sql").write_text("insert into public.told values ('who', current_user);")
    settings = support.settings_for(tmp_path)
    await load_seed(settings, target, support.JWT_SECRET, seed, Progress(quiet=True))
    assert value(target.address.admin, "select value from public.told where name = 'who'") == "postgres"


async def test_a_seed_that_fails_leaves_nothing_and_can_be_repeated(target: Target, seed: Seed, tmp_path: Path) -> None:
    broken = seed.folder / "03_broken.sql"
    broken.write_text("select 1 / 0;")
    settings = support.settings_for(tmp_path)
    with pytest.raises(CommandError, match="division by zero"):
        await load_seed(settings, target, support.JWT_SECRET, seed, Progress(quiet=True))
    assert value(target.address.admin, "select to_regclass('public.told')") is None
    broken.unlink()
    await load_seed(settings, target, support.JWT_SECRET, seed, Progress(quiet=True))
    assert is_seeded(target, seed)


def test_a_seed_lists_its_files_by_bucket_and_key(seed: Seed) -> None:
    nested = seed.folder / "objects" / "pictures" / "a" / "b.jpg"
    nested.parent.mkdir(parents=True)
    nested.write_bytes(b"x")
    assert seed.objects == [("pictures", "a/b.jpg", nested)]


def test_an_unknown_seed_is_one_sentence(data_dir: Path) -> None:
    ended = run_minato("db", "seed", "nonsense", "--data-dir", str(data_dir))
    assert ended.returncode == 1
    assert ended.stderr.startswith("minato: There is no seed called 'nonsense'")


def test_a_database_in_use_is_recreated_empty(tmp_path: Path) -> None:
    """Sessions and a replication slot hold on to it, as a running server's do."""
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path, durable=False))
    address = postgres.start_now()
    try:
        url = address.socket_url()
        target = Target(DatabaseAddress(url, url), url, url, embedded=True, passwords={})
        with cursor(url) as opened:
            opened.execute("create table left_over (id int)")
        idle = psycopg2.connect(url)
        value(url, "select pg_create_logical_replication_slot('left_over', 'pgoutput')")
        reading = psycopg2.connect(url, connection_factory=LogicalReplicationConnection)
        reader = reading.cursor()
        reader.create_replication_slot("read", output_plugin="pgoutput")
        reader.start_replication("read", options={"proto_version": "1", "publication_names": "none"})
        recreate_database(target)
        assert value(url, "select to_regclass('left_over')") is None
        assert value(url, "select count(*) from pg_replication_slots") == 0
        idle.close()
        reading.close()
    finally:
        postgres.stop_now()


def test_a_foreign_database_is_not_destroyed_without_a_yes(tmp_path: Path) -> None:
    url = "postgresql://postgres@127.0.0.1:1/postgres"
    ended = run_minato("db", "reset", "small", "--data-dir", str(tmp_path), DATABASE_URL=url)
    assert ended.returncode == 1
    assert "Recreating" not in ended.stderr


def test_a_new_migration_is_the_projects_next_file(tmp_path: Path) -> None:
    sql = begin_migration(Project(tmp_path), "create Listings!", datetime(2026, 9, 1, 8, 5, tzinfo=UTC))
    assert sql == tmp_path / "supabase" / "migrations" / "20260901080500_create_listings.sql"
    assert sql.read_text() == "-- Create Listings!.\n"


def test_a_migration_without_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="what the migration does"):
        begin_migration(Project(tmp_path), " !", datetime(2026, 9, 1, tzinfo=UTC))


def test_what_a_crash_left_behind_is_not_taken_for_a_running_server(data_dir: Path) -> None:
    cluster, run = data_dir / "postgres", data_dir / "run"
    lines = ["1", str(cluster), "1700000000", "1", str(run), "127.0.0.1", "1 1", "ready   "]
    (cluster / "postmaster.pid").write_text("\n".join(lines))
    run.mkdir(mode=0o700, exist_ok=True)  # in a deep folder the socket lives elsewhere
    (run / ".s.PGSQL.1").touch()
    ended = run_minato("db", "psql", "--data-dir", str(data_dir), "-Atc", "select 1")
    assert (ended.stdout, ended.stderr) == ("1\n", "")


@pytest.mark.parametrize("command", [("migrate",), ("reset", "--yes")])
def test_a_database_that_does_not_answer_is_one_sentence(tmp_path: Path, command: tuple[str, ...]) -> None:
    url = "postgresql://postgres@127.0.0.1:1/postgres"
    ended = run_minato("db", *command, "--data-dir", str(tmp_path), DATABASE_URL=url)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
