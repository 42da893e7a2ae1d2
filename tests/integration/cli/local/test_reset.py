"""`minato db reset` of a project whose server runs on, with everybody connected; `db start` and `seed buckets`."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.integration.realtime.phoenix import Phoenix
from tests.support.command import START_LIMIT
from tests.support.copies import Copy, run
from tests.support.local_project import NOTES, LocalProject, local_project

FIRST, SECOND = "20260101000000", "20260102000000"
AGAIN = "Try rerunning the command with --debug to troubleshoot the error.\n"
CONFIG = '[storage.buckets.pictures]\npublic = true\nobjects_path = "./pictures"\n'
PUBLISHED = f"""{NOTES}
create policy all_of_them on notes using (true);
alter publication supabase_realtime add table notes;
"""
BEGINNING = "Resetting local database...\nRecreating database...\nInitialising schema...\n"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    """A project with a role, a seed and a bucket, which runs; every test begins with a reset of its own."""
    folder = tmp_path_factory.mktemp("reset")
    with local_project(folder, migration=PUBLISHED, config=CONFIG) as project:
        project.write("roles.sql", "create role reader nologin;")
        project.write("seed.sql", "insert into notes values (1, 'seeded');")
        project.write("pictures/a.txt", "hello")
        # However long a reset takes: the feed looks often whether the new database is there.
        project.start(REALTIME_FEED_RETRY_MAX="0.2")
        yield project


def rows(project: LocalProject, table: str = "notes") -> object:
    values = project.values()
    answer = httpx.get(f"{values['REST_URL']}/{table}", headers={"apikey": values["SECRET_KEY"]})
    return answer.json()


async def test_everything_is_new_and_whoever_is_connected_goes_on(running: LocalProject) -> None:
    # Whatever blocks is done in a thread: the socket's pings are answered all the time.
    values = await asyncio.to_thread(running.values)
    url, key = values["API_URL"], values["ANON_KEY"]
    account = {"email": "a@example.com", "password": "secret-1"}
    await asyncio.to_thread(running.sql, "create role by_hand; insert into notes values (2, 'mine') returning 1")
    socket = f"{url.replace('http', 'ws', 1)}/realtime/v1/websocket?vsn=1.0.0&apikey={key}"
    async with (
        httpx.AsyncClient(base_url=url, headers={"apikey": key}, timeout=30) as client,
        connect(socket) as connection,
    ):
        assert (await client.post("/auth/v1/signup", json=account)).status_code == 200
        phoenix = Phoenix(connection, "1.0.0")
        await phoenix.follow("notes", {"event": "INSERT", "schema": "public", "table": "notes"})
        done = await asyncio.to_thread(running.minato, "db", "reset")
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == (
            f"{BEGINNING}Seeding globals from roles.sql...\nApplying migration {FIRST}_notes.sql...\n"
            "Seeding data from supabase/seed.sql...\nRestarting containers...\nCreating Storage bucket: pictures\n"
            "Uploading: supabase/pictures/a.txt => pictures/a.txt\nFinished supabase db reset on branch main.\n"
        )
        assert (await client.get("/rest/v1/notes")).json() == [{"id": 1, "body": "seeded"}]
        assert (await client.get("/storage/v1/object/public/pictures/a.txt")).text == "hello"
        gone = await client.post("/auth/v1/token?grant_type=password", json=account)
        assert gone.status_code == 400
        assert (await client.post("/auth/v1/signup", json=account)).status_code == 200
        roles = "select array_agg(rolname::text) from pg_roles where rolname in ('by_hand', 'reader')"
        assert await asyncio.to_thread(running.sql, roles) == ["reader"]
        assert await asyncio.to_thread(running.sql, "select current_setting('app.settings.jwt_exp')") == "3600"
        await _changes_arrive(running, phoenix)
    assert not (running.data / "unfinished").exists()


async def _changes_arrive(project: LocalProject, phoenix: Phoenix) -> None:
    """Insert until one is heard: the feed comes back by itself; it may have told of the seed, too."""

    async def insert() -> None:
        for number in range(100, 1000):
            await asyncio.to_thread(project.sql, f"insert into notes values ({number}, 'new') returning 1")

    inserting = asyncio.create_task(insert())
    try:
        while (await phoenix.change())["record"]["body"] != "new":
            pass
    finally:
        inserting.cancel()


def test_a_reset_stops_at_a_version_and_leaves_seeds_out(running: LocalProject) -> None:
    running.write(f"migrations/{SECOND}_more.sql", "create table more (id int);")
    try:
        last = running.minato("db", "reset", "--last", "1")
        assert last.returncode == 0
        assert last.stderr.startswith(f"Resetting local database to version: {FIRST}\n")
        assert running.sql("select to_regclass('more') is null and count(*) = 1 from notes") is True
        version = running.minato("db", "reset", "--version", SECOND, "--no-seed")
        assert f"Applying migration {SECOND}_more.sql...\n" in version.stderr
        assert "Seeding data" not in version.stderr
        assert running.sql("select to_regclass('more') is not null and count(*) = 0 from notes") is True
        for flags, said in (
            (("--version", "x"), "invalid version number"),
            (("--version", "7"), "glob supabase/migrations/7_*.sql: file does not exist"),
            (
                ("--version", FIRST, "--last", "1"),
                "if any flags in the group [version last] are set none of the others can be; "
                "[last version] were all set",
            ),
        ):
            refused = running.minato("db", "reset", *flags)
            assert (refused.returncode, refused.stderr) == (1, f"{said}\n{AGAIN}")
        assert running.sql("select to_regclass('more') is not null") is True
    finally:
        (running.root / "supabase" / "migrations" / f"{SECOND}_more.sql").unlink()


def test_a_migration_that_fails_leaves_the_ones_before_it_and_a_server_that_works(running: LocalProject) -> None:
    running.write(f"migrations/{SECOND}_bad.sql", "create table bad ();\nselect nonsense;")
    try:
        failed = running.minato("db", "reset")
        assert (failed.returncode, failed.stdout) == (1, "")
        assert f'{SECOND}_bad.sql:2\nERROR: column "nonsense" does not exist (SQLSTATE 42703)\n' in failed.stderr
        assert running.sql("select to_regclass('bad') is null and count(*) = 0 from notes") is True
        running.write(f"migrations/{SECOND}_bad.sql", "create table bad (id int);")
        mended = running.minato("migration", "up")
        assert mended.stderr == f"Connecting to local database...\nApplying migration {SECOND}_bad.sql...\n"
        assert rows(running, "bad") == []
    finally:
        (running.root / "supabase" / "migrations" / f"{SECOND}_bad.sql").unlink()


def reset_process(project: LocalProject) -> Copy:
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    return Copy(("db", "reset"), stdout=null, stderr=pipe, text=True, cwd=project.root, env=project.environment())


def test_two_resets_at_once_come_one_after_the_other(running: LocalProject) -> None:
    both = [reset_process(running), reset_process(running)]
    said = [process.communicate(timeout=START_LIMIT)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert rows(running) == [{"id": 1, "body": "seeded"}]


@pytest.mark.parametrize("line", ["Recreating database...\n", "Applying migration"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_reset_that_is_cut_off_is_mended_by_the_next(
    running: LocalProject, line: str, number: signal.Signals
) -> None:
    process = reset_process(running)
    assert process.stderr is not None
    assert any(said.startswith(line) for said in iter(process.stderr.readline, ""))
    process.send_signal(number)
    rest = process.communicate(timeout=START_LIMIT)[1]
    if process.returncode == 1:
        assert rest.endswith("context canceled\n")
    again = running.minato("db", "reset")
    assert again.returncode == 0, again.stderr
    assert rows(running) == [{"id": 1, "body": "seeded"}]
    text = httpx.get(f"{running.values()['API_URL']}/storage/v1/object/public/pictures/a.txt").text
    assert text == "hello"


def test_buckets_are_seeded_again_when_nobody_says_no(running: LocalProject) -> None:
    running.minato("db", "reset")
    running.write("pictures/a.txt", "changed")
    seeded = running.minato("seed", "buckets")
    assert (seeded.returncode, seeded.stdout) == (0, "")
    assert seeded.stderr == (
        "Bucket pictures already exists. Do you want to overwrite its properties? [Y/n] \n"
        "Updating Storage bucket: pictures\nUploading: supabase/pictures/a.txt => pictures/a.txt\n"
    )
    shown = f"{running.values()['API_URL']}/storage/v1/object/public/pictures/a.txt"
    assert httpx.get(shown).text == "changed"
    running.write("pictures/a.txt", "hello")


def test_the_database_alone_is_started_with_everything_in_it(project: LocalProject) -> None:
    started = project.minato("db", "start", MINATO_PORT="0", MINATO_POSTGRES_PORT="0")
    assert (started.returncode, started.stdout) == (0, "")
    assert started.stderr.startswith(
        "Starting database...\nInitialising schema...\nSeeding globals from roles.sql...\n"
        f"Applying migration {FIRST}_notes.sql...\n"
    )
    assert "Starting containers" not in started.stderr
    assert project.sql("select count(*) from notes") == 0
    assert "supabase_rest_app" in project.minato("status").stderr
    again = project.minato("db", "start")
    assert (again.returncode, again.stderr) == (0, "Postgres database is already running.\n")
    assert project.minato("db", "reset").returncode == 0


def test_outside_a_project_reset_means_the_data_of_serve(tmp_path: Path) -> None:
    url = "postgresql://postgres@127.0.0.1:1/postgres"
    for words in (("db", "reset"), ("db", "reset", "small"), ("db", "reset", "--data-dir", "x")):
        ended = run(
            words,
            cwd=tmp_path,
            env=LocalProject(tmp_path, tmp_path).environment(DATABASE_URL=url),
            timeout=START_LIMIT,
        )
        assert ended.returncode == 1
        assert "There is no seed called" in ended.stderr or "destroys the database" in ended.stdout + ended.stderr


def test_a_bucket_that_takes_larger_files_than_storage_is_told_with_both_settings(project: LocalProject) -> None:
    config = '[storage]\nfile_size_limit = "1MiB"\n[storage.buckets.films]\nfile_size_limit = "2MiB"\n'
    project.write("config.toml", config)
    ended = project.minato("start", "--port", "0")
    assert ended.returncode == 1
    assert (
        "storage.buckets.films.file_size_limit in config.toml is more than storage.file_size_limit, which no bucket "
        "may exceed: raise the one or lower the other." in ended.stderr
    )
