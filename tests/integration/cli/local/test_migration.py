"""`minato migration …` and `db push` on a database of a connection string, given as a person gives them."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import asyncpg
import pytest

from tests.support.command import START_LIMIT
from tests.support.copies import run
from tests.support.local_project import LocalProject
from tests.support.postgres import Cluster

FIRST, SECOND, THIRD = "20260101000000", "20260102000000", "20260103000000"
AGAIN = "Try rerunning the command with --debug to troubleshoot the error.\n"
REMOTE = "Connecting to remote database...\n"
HEAD = "\n  \n   Local            | Remote           | Time (UTC)            \n"
RULE = "  ------------------|------------------|-----------------------\n"


@dataclass(frozen=True)
class Pushed:
    """A project, and a database that it is pushed to."""

    project: LocalProject
    url: str
    db: asyncpg.Connection

    async def run(self, *words: str, answers: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
        """`minato … --db-url …` with these lines on standard input."""
        return await asyncio.to_thread(
            run,
            [*words, "--db-url", self.url],
            written=answers,
            cwd=self.project.root,
            env=self.project.environment(**settings),
            timeout=START_LIMIT,
        )

    async def versions(self) -> list[str]:
        rows = await self.db.fetch("select version from supabase_migrations.schema_migrations order by 1")
        return [row["version"] for row in rows]

    async def value(self, statement: str) -> Any:
        return await self.db.fetchval(statement)

    def migration(self, version: str, name: str, script: str) -> None:
        self.project.write(f"migrations/{version}_{name}.sql", script)


@pytest.fixture
async def pushed(cluster: Cluster, project: LocalProject) -> AsyncIterator[Pushed]:
    async with cluster.platform_database() as address:
        connection = await asyncpg.connect(address.admin)
        # As hosted ones are.
        name = await connection.fetchval("select current_database()")
        await connection.execute(f"alter database {name} owner to postgres")
        yield Pushed(project, address.admin, connection)
        await connection.close()


def test_a_new_migration_is_a_file_with_what_is_piped_in(project: LocalProject) -> None:
    made = project.minato("migration", "new", "cars")
    assert made.returncode == 0
    path = made.stdout.removeprefix("Created new migration at ").strip()
    assert made.stdout == f"Created new migration at {path}\n"
    assert path.startswith("supabase/migrations/20")
    assert path.endswith("_cars.sql")
    assert (project.root / path).read_text() == ""
    piped = run(
        ("migrations", "new", "bikes"),
        written="create table bikes ();",
        cwd=project.root,
        env=project.environment(),
        timeout=START_LIMIT,
    )
    assert piped.returncode == 0
    written = project.root / piped.stdout.split()[-1]
    assert written.read_text() == "create table bikes ();"


def test_a_project_that_does_not_run_is_told_so(project: LocalProject) -> None:
    refused = project.minato("migration", "up")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "Connecting to local database...\nfailed to connect to postgres: failed to connect to `host=127.0.0.1 "
        "user=postgres database=postgres`: dial error (dial tcp 127.0.0.1:54322: connect: connection refused)\n"
        "Start the project first: minato start\n"
    )
    reset = project.minato("db", "reset")
    assert (reset.returncode, reset.stdout) == (1, "")
    assert reset.stderr == "supabase start is not running.\nStart the project first: minato start\n"
    for flag in ("--linked", "--remote"):
        unlinked = project.minato("migration", "list", flag)
        assert unlinked.returncode == 1
        assert unlinked.stderr.startswith("Cannot find project ref. Have you run supabase link?\n")
    by_name = project.minato("migration", "list", "--remote=abcdefghijklmnopqrst")
    assert (by_name.returncode, by_name.stdout) == (1, "")
    assert by_name.stderr.startswith("--remote=abcdefghijklmnopqrst is not reached from here.\n")
    by_url = project.minato("migration", "list", "--remote=postgresql://a:b@127.0.0.1:1/x")
    assert "host=127.0.0.1 user=a database=x" in by_url.stderr
    assert project.minato("seed", "buckets").returncode == 0


async def test_pending_files_run_once_and_the_list_shows_both_sides(pushed: Pushed) -> None:
    pushed.migration(SECOND, "more", "create table more ();\ncreate table if not exists more ();\n")
    pushed.project.write("migrations/draft.sql", "nonsense")
    up = await pushed.run("migration", "up")
    skipped = 'Skipping migration draft.sql... (file name must match pattern "<timestamp>_name.sql")\n'
    assert (up.returncode, up.stdout) == (0, "Local database is up to date.\n")
    assert up.stderr == (
        f"{REMOTE}{skipped}Applying migration {FIRST}_notes.sql...\nApplying migration {SECOND}_more.sql...\n"
        'NOTICE (42P07): relation "more" already exists, skipping\n'
    )
    owner = "select relowner::regrole::text from pg_class where relname = 'more'"
    assert await pushed.value(owner) == "postgres"
    again = await pushed.run("migration", "up")
    assert (again.stdout, again.stderr) == ("Local database is up to date.\n", f"{REMOTE}{skipped}")
    pushed.migration(THIRD, "third", "")
    listed = await pushed.run("migration", "list")
    assert listed.returncode == 0
    assert listed.stdout == (
        f"{HEAD}{RULE}"
        f"   `{FIRST}` | `{FIRST}` | `2026-01-01 00:00:00` \n"
        f"   `{SECOND}` | `{SECOND}` | `2026-01-02 00:00:00` \n"
        f"   `{THIRD}` | ` `              | `2026-01-03 00:00:00` \n"
    )


async def test_a_file_that_fails_leaves_nothing_and_the_ones_before_it_stay(pushed: Pushed) -> None:
    pushed.migration(SECOND, "bad", "create table bad ();\n\ncreate table worse (\n  a nothing);\n")
    pushed.migration(THIRD, "third", "create table third ();")
    failed = await pushed.run("migration", "up")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr.splitlines()[3:] == [
        f"{SECOND}_bad.sql:4",
        'ERROR: type "nothing" does not exist (SQLSTATE 42704)',
        "",
        "Hint: This type may be defined in a schema that's not in your search_path.",
        "      Use schema-qualified type references to avoid this error:",
        "        CREATE TABLE example (col extensions.nothing);",
        "At statement: 1",
        "create table worse (",
        "  a nothing)",
        "    ^",
        AGAIN.strip(),
    ]
    assert await pushed.versions() == [FIRST]
    assert await pushed.value("select to_regclass('bad') is null and to_regclass('third') is null")


async def test_a_file_that_comes_late_waits_for_include_all(pushed: Pushed) -> None:
    pushed.migration(THIRD, "third", "create table third ();")
    await pushed.run("migration", "up")
    pushed.migration(SECOND, "late", "create table late ();")
    refused = await pushed.run("migration", "up")
    assert refused.returncode == 1
    assert refused.stderr == (
        f"{REMOTE}Found local migration files to be inserted before the last migration on remote database.\n\n"
        "Rerun the command with --include-all flag to apply these migrations:\n"
        f"supabase/migrations/{SECOND}_late.sql\n\n"
    )
    assert await pushed.versions() == [FIRST, THIRD]
    allowed = await pushed.run("migration", "up", "--include-all")
    assert allowed.stderr == f"{REMOTE}Applying migration {SECOND}_late.sql...\n"
    assert await pushed.versions() == [FIRST, SECOND, THIRD]


async def test_the_history_is_repaired(pushed: Pushed) -> None:
    await pushed.run("migration", "up")
    (pushed.project.root / "supabase" / "migrations" / f"{FIRST}_notes.sql").unlink()
    pushed.migration(SECOND, "more", "create table more ();\nselect 1;")
    refused = await pushed.run("db", "push")
    assert refused.returncode == 1
    assert "Remote migration versions not found in local migrations directory.\n" in refused.stderr
    assert f"\nsupabase migration repair --status reverted {FIRST}\n" in refused.stderr
    reverted = await pushed.run("migration", "repair", "--status", "reverted", FIRST)
    assert (reverted.returncode, reverted.stdout) == (0, "Finished supabase migration repair.\n")
    assert reverted.stderr == (
        f"{REMOTE}Repaired migration history: [{FIRST}] => reverted\n"
        "Run supabase migration list to show the updated migration history.\n"
    )
    assert await pushed.versions() == []
    applied = await pushed.run("migration", "repair", SECOND, "--status=applied")
    assert f"Repaired migration history: [{SECOND}] => applied\n" in applied.stderr
    kept = "select array[name] || statements from supabase_migrations.schema_migrations"
    assert await pushed.value(kept) == ["more", "create table more ()", "select 1"]
    assert await pushed.value("select to_regclass('more') is null")
    for version, said in (("x", "failed to parse x: invalid version number"), (THIRD, "file does not exist")):
        wrong = await pushed.run("migration", "repair", version, "--status", "applied")
        assert wrong.returncode == 1
        assert said in wrong.stderr
    missing = await pushed.run("migration", "repair", SECOND)
    assert missing.stderr == f'required flag(s) "status" not set\n{AGAIN}'


async def test_the_whole_history_is_repaired_when_somebody_says_yes(pushed: Pushed) -> None:
    await pushed.db.execute(
        "set role postgres; "
        "create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text "
        "primary key); insert into supabase_migrations.schema_migrations values ('1'), ('2'); "
        "reset role"
    )
    question = "Do you want to repair the entire migration history table to match local migration files? [y/N] "
    declined = await pushed.run("migration", "repair", "--status", "applied")
    assert (declined.returncode, declined.stderr) == (1, f"{question}\ncontext canceled\n")
    assert await pushed.versions() == ["1", "2"]
    accepted = await pushed.run("migration", "repair", "--status", "applied", answers="y\n")
    assert accepted.returncode == 0
    assert accepted.stderr.startswith(f"{question}y\n{REMOTE}")
    assert await pushed.versions() == [FIRST]
    await pushed.run("--yes", "migration", "repair", "--status", "reverted")
    assert await pushed.versions() == []


async def test_files_are_fetched_from_the_history(pushed: Pushed) -> None:
    pushed.migration(SECOND, "more", "create table more (a text default ';');\n-- the end\nselect 1;")
    await pushed.run("migration", "up")
    folder = pushed.project.root / "supabase" / "migrations"
    for path in folder.iterdir():
        path.unlink()
    fetched = await pushed.run("migration", "fetch")
    assert (fetched.returncode, fetched.stdout, fetched.stderr) == (0, "", REMOTE)
    assert (
        folder / f"{SECOND}_more.sql"
    ).read_text() == "create table more (a text default ';');\n-- the end\nselect 1;\n"
    (folder / f"{FIRST}_notes.sql").write_text("mine")
    question = "Do you want to overwrite existing files in supabase/migrations directory? [Y/n] "
    declined = await pushed.run("migration", "fetch", answers="n\n")
    assert (declined.returncode, declined.stderr) == (1, f"{question}n\ncontext canceled\n")
    assert (folder / f"{FIRST}_notes.sql").read_text() == "mine"
    await pushed.db.execute("update supabase_migrations.schema_migrations set name = '../../../evil'")
    assert (await pushed.run("migration", "fetch")).returncode == 1
    assert not (pushed.project.root / "evil.sql").exists()


async def test_the_last_migrations_are_taken_back_when_somebody_says_yes(pushed: Pushed) -> None:
    pushed.project.write("seed.sql", "insert into notes values (1, 'seeded');")
    pushed.migration(SECOND, "more", "create schema app; create table app.more (); create type mood as enum ('a');")
    pushed.migration(THIRD, "third", "create policy p on storage.objects for select using (true);")
    await pushed.run("migration", "up")
    await pushed.db.execute("insert into auth.users (id, email) values (gen_random_uuid(), 'a@example.com')")
    question = (
        f"Do you want to revert the following migrations?\n • {SECOND}\n • {THIRD}\n"
        "WARNING: you will lose all data in this database. [y/N] "
    )
    declined = await pushed.run("migration", "down", "--last", "2")
    assert (declined.returncode, declined.stderr) == (1, f"{REMOTE}{question}\ncontext canceled\n")
    assert await pushed.versions() == [FIRST, SECOND, THIRD]
    down = await pushed.run("migration", "down", "--last", "2", answers="y\n")
    assert (down.returncode, down.stdout) == (0, "")
    said = [line for line in down.stderr.splitlines() if not line.startswith("NOTICE")]
    assert said[-3:] == [
        f"Resetting database to version: {FIRST}",
        f"Applying migration {FIRST}_notes.sql...",
        "Seeding data from supabase/seed.sql...",
    ]
    assert await pushed.versions() == [FIRST]
    assert await pushed.value("select body from notes") == "seeded"
    gone = (
        "select to_regnamespace('app') is null and to_regtype('mood') is null and not exists (select from pg_policies)"
    )
    assert await pushed.value(gone)
    assert await pushed.value("select count(*) from auth.users") == 0
    assert await pushed.value("select count(*) from auth.schema_migrations") > 0
    too_many = await pushed.run("migration", "down")
    assert too_many.stderr == (
        f"{REMOTE}--last must be smaller than total applied migrations: 1\n"
        "Try supabase db reset if you want to revert all migrations.\n"
    )


async def test_a_push_asks_step_by_step(pushed: Pushed) -> None:
    pushed.project.write("seed.sql", "insert into notes values (1, 'seeded');")
    pushed.project.write("roles.sql", "create role minato_test_reader nologin;")
    flags = ("--include-roles", "--include-seed")
    dry = await pushed.run("db", "push", "--dry-run", *flags)
    assert (dry.returncode, dry.stdout) == (0, "Finished supabase db push.\n")
    assert dry.stderr == (
        f"DRY RUN: migrations will *not* be pushed to the database.\n{REMOTE}"
        "Would create custom roles supabase/roles.sql...\n"
        f"Would push these migrations:\n • {FIRST}_notes.sql\nWould seed these files:\n • supabase/seed.sql\n"
    )
    assert await pushed.value("select to_regclass('notes') is null")
    roles = "Do you want to create custom roles in the database cluster? [Y/n] "
    files = f"Do you want to push these migrations to the remote database?\n • {FIRST}_notes.sql\n\n [Y/n] "
    seeds = "Do you want to seed the remote database with these files?\n • supabase/seed.sql\n\n [Y/n] "
    try:
        done = await pushed.run("db", "push", *flags, answers="y\n\n")
        assert (done.returncode, done.stdout) == (0, "Finished supabase db push.\n")
        assert done.stderr == (
            f"{REMOTE}{roles}y\nSeeding globals from roles.sql...\n{files}\nApplying migration {FIRST}_notes.sql...\n"
            f"{seeds}\nSeeding data from supabase/seed.sql...\n"
        )
        assert await pushed.value("select body from notes") == "seeded"
    finally:
        await pushed.db.execute("drop role if exists minato_test_reader")
    again = await pushed.run("db", "push", "--include-seed")
    assert (again.stdout, again.stderr) == ("Remote database is up to date.\n", REMOTE)
    pushed.project.write("seed.sql", "insert into notes values (2, 'changed');")
    changed = await pushed.run("db", "push", "--include-seed", "--yes")
    assert changed.stderr == (
        f"{REMOTE}Schema migrations are up to date.\n"
        "Do you want to seed the remote database with these files?\n • supabase/seed.sql (hash update)\n\n [Y/n] y\n"
        "Updating seed hash to supabase/seed.sql...\n"
    )
    assert await pushed.value("select count(*) from notes") == 1


async def test_a_push_that_is_declined_changes_nothing(pushed: Pushed) -> None:
    declined = await pushed.run("db", "push", answers="n\n")
    assert (declined.returncode, declined.stdout) == (1, "")
    assert declined.stderr.endswith(" [Y/n] n\ncontext canceled\n")
    assert await pushed.value("select to_regnamespace('supabase_migrations') is null")


async def test_another_database_is_reset_only_after_a_yes_and_begins_anew(pushed: Pushed) -> None:
    pushed.migration(SECOND, "more", "create table more ();")
    await pushed.run("migration", "up")
    await pushed.db.execute("set role postgres; create table by_hand (); reset role")
    question = "Do you want to reset the remote database? [y/N] "
    declined = await pushed.run("db", "reset")
    assert (declined.returncode, declined.stderr) == (1, f"{question}\ncontext canceled\n")
    assert await pushed.value("select to_regclass('by_hand') is not null")
    done = await pushed.run("db", "reset", "--last", "1", "--no-seed", answers="yes\n")
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if not line.startswith("NOTICE")]
    assert said == [
        f"{question}yes",
        f"Resetting remote database to version: {FIRST}",
        f"Applying migration {FIRST}_notes.sql...",
    ]
    assert await pushed.value("select to_regclass('by_hand') is null and to_regclass('more') is null")
    assert await pushed.versions() == [FIRST]


@pytest.mark.parametrize("command", [("db", "reset", "--yes"), ("migration", "down", "--yes")])
async def test_a_database_that_is_no_projects_is_refused_untouched(
    cluster: Cluster, project: LocalProject, command: tuple[str, ...]
) -> None:
    async with cluster.bare_database() as address:
        theirs = await asyncpg.connect(address.admin)
        try:
            await theirs.execute("create schema books; create table books.kept (); create table kept ()")
            history = "create schema supabase_migrations; create table supabase_migrations.schema_migrations as select"
            await theirs.execute(f"{history} n::text as version from generate_series(1, 3) n")
            pushed = Pushed(project, address.admin, theirs)
            refused = await pushed.run(*command)
            assert refused.returncode == 1
            assert "This database is neither Supabase's nor Minato's" in refused.stderr
            assert await pushed.value(
                "select to_regclass('books.kept') is not null and to_regclass('kept') is not null"
            )
            assert await pushed.versions() == ["1", "2", "3"]
        finally:
            await theirs.close()


def test_files_are_squashed_as_the_owner_of_the_database_runs_them(project: LocalProject) -> None:
    project.write(f"migrations/{SECOND}_more.sql", "create table more (id int);\ncomment on schema public is 'ours';\n")
    ended = project.minato("migration", "squash")
    assert ended.returncode == 0, ended.stderr
    text = (project.root / "supabase" / "migrations" / f"{SECOND}_more.sql").read_text()
    assert """COMMENT ON SCHEMA "public" IS 'ours';""" in text


def test_a_squashed_file_takes_back_what_its_migrations_took_back(project: LocalProject) -> None:
    revoked = "alter default privileges in schema public revoke execute on functions from anon"
    function = "create function hidden() returns int language sql as 'select 1'"
    project.write(f"migrations/{SECOND}_hidden.sql", f"{revoked};\n{function};\n")
    ended = project.minato("migration", "squash")
    assert ended.returncode == 0, ended.stderr
    text = (project.root / "supabase" / "migrations" / f"{SECOND}_hidden.sql").read_text()
    assert 'revoke execute on function "public"."hidden"() from "anon";' in text
    assert 'revoke execute on functions from "anon";' in text


async def test_many_files_become_one_with_their_schema(pushed: Pushed) -> None:
    pushed.project.write("roles.sql", "create role minato_test_reader nologin;")
    pushed.migration(SECOND, "more", "create table more (id int);\ninsert into more values (1);\ndrop table notes;")
    pushed.migration(
        THIRD,
        "third",
        "grant select on more to minato_test_reader;\ncreate policy mine on storage.objects for select using (true);",
    )
    try:
        await pushed.run("db", "push", "--include-roles", "--yes")
        squashed = await pushed.run("migration", "squash", "--version", THIRD)
        assert squashed.returncode == 0, squashed.stderr
        path = f"supabase/migrations/{THIRD}_third.sql"
        assert squashed.stdout == "Finished supabase migration squash.\n"
        assert f"Squashed local migrations to {path}\n" in squashed.stderr
        assert f"Baselining migration history to {THIRD}\n" in squashed.stderr
        folder = pushed.project.root / "supabase" / "migrations"
        assert [file.name for file in folder.iterdir()] == [f"{THIRD}_third.sql"]
        text = (pushed.project.root / path).read_text()
        assert 'CREATE TABLE IF NOT EXISTS "public"."more"' in text
        assert 'CREATE POLICY "mine" ON "storage"."objects"' in text
        assert "notes" not in text
        assert "INSERT" not in text
        assert await pushed.versions() == [THIRD]
        anew = await pushed.run("db", "reset", "--yes")
        assert anew.returncode == 0, anew.stderr
        assert await pushed.value("select count(*) from more") == 0
        alone = await pushed.run("migration", "squash", answers="n\n")
        assert f"{path} is already the earliest migration.\n" in alone.stderr
    finally:
        await pushed.db.execute("drop owned by minato_test_reader; drop role if exists minato_test_reader")
