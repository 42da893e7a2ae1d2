"""`db query`, `db lint`, `db diff`, `db dump` and `db restore`, as a person gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import START_LIMIT
from tests.support.copies import run
from tests.support.local_project import LocalProject, local_project

SCHEMA = """
create table notes (id int primary key, body text);
alter table notes enable row level security;
create policy own on notes for select to authenticated using (id > 0);
create view short as select id from notes;
create function twice(n int) returns int language sql as 'select n * 2';
create role helper;
comment on table notes is 'what people wrote';
comment on schema public is 'ours';
grant usage on schema public to supabase_auth_admin;
"""
ROWS = "insert into notes values (1, E'two\\n-- lines'), (2, null), (3, 'it''s')"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    """A project that runs for all of these tests; none of them leaves anything behind."""
    with local_project(tmp_path_factory.mktemp("tools"), migration=SCHEMA) as project:
        project.start()
        project.sql(f"{ROWS} returning 1")
        yield project


def test_rows_are_shown_as_a_table_as_json_and_as_csv(running: LocalProject) -> None:
    question = "select id, body, id > 1 as big from notes where id > 1 order by id"
    table = running.minato("db", "query", question)
    assert (table.returncode, table.stderr) == (0, "Connecting to local database...\n")
    assert table.stdout == (
        "┌────┬──────┬──────┐\n│ id │ body │ big  │\n├────┼──────┼──────┤\n"
        "│ 2  │ NULL │ true │\n│ 3  │ it's │ true │\n└────┴──────┴──────┘\n"
    )
    found = running.minato("db", "query", "-o", "json", question)
    assert json.loads(found.stdout) == [
        {"id": 2, "body": None, "big": True},
        {"id": 3, "body": "it's", "big": True},
    ]
    assert found.stdout.startswith('[\n  {\n    "big": true,\n')
    written = running.minato("db", "query", question, "--output=csv")
    assert written.stdout == "id,body,big\n2,NULL,true\n3,it's,true\n"


def test_a_statement_comes_from_a_file_an_argument_or_standard_input(running: LocalProject) -> None:
    (running.root / "ask.sql").write_text("select 1 as one")
    assert "one" in running.minato("db", "query", "-f", "ask.sql", "select 2 as two").stdout
    piped = run(
        ("db", "query", "-o", "csv"),
        written="select 3 as three",
        cwd=running.root,
        env=running.environment(),
        timeout=START_LIMIT,
    )
    assert (piped.returncode, piped.stdout) == (0, "three\n3\n")
    made = running.minato("db", "query", "create table made ()")
    assert made.stdout == "CREATE TABLE\n"
    assert running.minato("db", "query", "drop table made").stdout == "DROP TABLE\n"


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("selec", 'failed to execute query: ERROR: syntax error at or near "selec" (SQLSTATE 42601)'),
        ("select 1/0", "query error: ERROR: division by zero (SQLSTATE 22012)"),
        ("select 1; select 2", "failed to execute query: ERROR: cannot insert multiple commands into a prepared"),
    ],
)
def test_a_wrong_statement_is_told_with_its_code(running: LocalProject, statement: str, sentence: str) -> None:
    ended = running.minato("db", "query", statement)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert sentence in ended.stderr


def test_a_program_that_asks_gets_rows_it_can_tell_from_instructions(running: LocalProject) -> None:
    ended = running.minato("db", "query", "--agent", "yes", "select 1 as one")
    found = json.loads(ended.stdout)
    assert found["rows"] == [{"one": 1}]
    assert re.fullmatch("[0-9a-f]{32}", found["boundary"])
    assert found["boundary"] in found["warning"]
    assert running.minato("db", "query", "--agent=no", "select 1 as one", CLAUDECODE="1").stdout.startswith("┌")


def test_linting_without_plpgsql_check_is_one_clear_failure(running: LocalProject) -> None:
    ended = running.minato("db", "lint")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "failed to enable pgsql_check: " in ended.stderr
    assert "--db-url" in ended.stderr
    refused = running.minato("db", "lint", "--level", "loud")
    assert refused.returncode == 1
    assert 'invalid argument "loud" for "--level" flag' in refused.stderr


def test_what_a_database_has_besides_is_pulled_as_a_migration_and_noted_there(running: LocalProject) -> None:
    migrations = running.root / "supabase" / "migrations"
    running.sql("alter table notes add column at date; select 1")
    try:
        pulled = running.minato("db", "pull", "--local", "seen", "--yes")
        (made,) = migrations.glob("*_seen.sql")
        version = made.name.partition("_")[0]
        noted = running.sql(f"select name from supabase_migrations.schema_migrations where version = '{version}'")
        again = running.minato("db", "pull", "--db-url", running.values()["DB_URL"])
        stated = made.read_text()
        made.unlink()
        refused = running.minato("db", "pull", "--local")
    finally:
        for path in migrations.glob("*_seen.sql"):
            path.unlink()
        running.sql(
            "alter table notes drop column at;"
            "delete from supabase_migrations.schema_migrations where name = 'seen'; select 1"
        )
    assert (pulled.returncode, pulled.stdout) == (0, "Finished supabase db pull.\n")
    assert stated == 'alter table "public"."notes" add column "at" date;\n'
    assert pulled.stderr.endswith(
        f"Schema written to supabase/migrations/{version}_seen.sql\n"
        "Update remote migration history table? [Y/n] y\n"
        "Connecting to local database...\n"
        f"Repaired migration history: [{version}] => applied\n"
    )
    assert noted == "seen"
    assert (again.returncode, "No schema changes found\n" in again.stderr) == (1, True)
    assert refused.returncode == 1
    assert (
        "The remote database's migration history does not match local files in supabase/migrations directory."
        in refused.stderr
    )
    assert refused.stderr.endswith(f"\nsupabase migration repair --status reverted {version}\n")


def test_what_hurts_is_told_as_the_cli_tells_it_with_the_statements_that_mend_it(running: LocalProject) -> None:
    ended = running.minato("db", "advisors")
    (view,) = json.loads(ended.stdout)
    assert ended.returncode == 0
    assert re.fullmatch(
        r"Connecting to local database\.\.\.\nLooked through the database in \d+ ms: 1 ERROR\.\n", ended.stderr
    )
    assert list(view) == [
        *("name", "title", "level", "facing", "categories", "description", "detail", "remediation", "metadata"),
        "cache_key",
    ]
    assert (view["name"], view["level"], view["categories"]) == ("security_definer_view", "ERROR", ["SECURITY"])
    assert view["remediation"] == 'alter view "public"."short" set (security_invoker = true);'
    assert view["metadata"] == {"name": "short", "schema": "public", "type": "view"}
    assert view["cache_key"] == "security_definer_view_public_short"
    assert running.minato("db", "advisors", "--json", "-o", "pretty").stdout == ended.stdout


def test_people_read_what_hurts_as_text(running: LocalProject) -> None:
    assert running.minato("db", "advisors", "-o", "pretty").stdout == (
        "ERROR security_definer_view public.short\n"
        "  View public.short reads its tables with the rights of its owner.\n"
        "  A view reads with the rights of its owner, past the policies of its tables, unless it is a security_invoker."
        '\n    alter view "public"."short" set (security_invoker = true);\n'
    )


@pytest.mark.parametrize(
    ("flags", "status", "names"),
    [
        (["--type", "performance"], 0, []),
        (["--type", "security", "--fail-on", "warn"], 1, ["security_definer_view"]),
        (["--type", "performance", "--fail-on", "info"], 0, []),
        (["--fail-on", "error"], 1, ["security_definer_view"]),
    ],
)
def test_a_build_fails_on_what_is_as_bad_as_it_says(
    running: LocalProject, flags: list[str], status: int, names: list[str]
) -> None:
    ended = running.minato("db", "advisors", *flags)
    assert (ended.returncode, [each["name"] for each in json.loads(ended.stdout or "[]")]) == (status, names)
    assert ("No issues found\n" in ended.stderr) == (not names)
    assert (f"fail-on is set to {flags[-1]}, non-zero exit\n" in ended.stderr) == bool(status)


def test_what_the_project_says_is_meant_is_no_finding(running: LocalProject) -> None:
    reasons = """[advisors]
"security_definer_view public.short" = "The numbers are everybody's."
"no_primary_key public.gone" = "It has been dropped since."
"""
    running.write("minato.toml", reasons)
    try:
        ended = running.minato("db", "advisors", "--level", "info", "--fail-on", "info")
    finally:
        (running.root / "supabase" / "minato.toml").unlink()
    assert (ended.returncode, ended.stdout) == (0, "")
    assert re.search(r" ms: no issues, 1 allowed by minato\.toml\.\n", ended.stderr)
    assert "WARN: [advisors] of minato.toml allows no_primary_key public.gone, which was not found.\n" in ended.stderr
    assert ended.stderr.endswith("No issues found\n")


def test_a_kind_of_advice_that_there_is_not_is_refused_in_the_words_of_the_cli(running: LocalProject) -> None:
    ended = running.minato("db", "advisors", "--type", "style")
    assert ended.returncode == 1
    assert 'invalid argument "style" for "--type" flag: must be one of [ all | security | performance' in ended.stderr


def test_a_database_like_its_migrations_has_no_differences(running: LocalProject) -> None:
    ended = running.minato("db", "diff", GITHUB_HEAD_REF="topic")
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr.splitlines() == [
        "Creating shadow database...",
        "Initialising schema...",
        "Seeding globals from roles.sql...",
        "Applying migration 20260101000000_notes.sql...",
        "Diffing schemas...",
        "Finished supabase db diff on branch topic.",
        "",
        "No schema changes found",
    ]


def test_what_was_changed_by_hand_becomes_a_migration(running: LocalProject) -> None:
    migrations = running.root / "supabase" / "migrations"
    running.sql("alter table notes add column at date; drop function twice; select 1")
    try:
        shown = running.minato("db", "diff", "--schema", "public")
        written = running.minato("db", "diff", "-f", "by_hand", "-s", "public")
    finally:
        running.sql("alter table notes drop column at; select 1")
        running.sql("create function twice(n int) returns int language sql as 'select n * 2'; select 1")
    assert 'alter table "public"."notes" add column "at" date;\n' in shown.stdout
    assert 'drop function "public"."twice"(n integer);\n' in shown.stdout
    assert "Diffing schemas: public\n" in shown.stderr
    drops = 'Please double check if these are expected:\ndrop function "public"."twice"(n integer)\n'
    assert drops in shown.stderr
    (made,) = migrations.glob("*_by_hand.sql")
    try:
        assert re.fullmatch(r"\d{14}_by_hand\.sql", made.name)
        assert made.read_text() + "\n" == shown.stdout
        assert written.stdout == ""
        assert "WARNING: " in written.stderr
    finally:
        made.unlink()


def test_a_migration_that_fails_is_told_and_the_real_database_is_not_touched(running: LocalProject) -> None:
    running.write("migrations/20260102000000_bad.sql", "create table made ();\nselect nonsense;\n")
    before = set(Path("/tmp").glob("minato-shadow-*"))
    try:
        ended = running.minato("db", "diff")
    finally:
        (running.root / "supabase" / "migrations" / "20260102000000_bad.sql").unlink()
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "20260102000000_bad.sql:2" in ended.stderr
    assert running.sql("select to_regclass('made') is null") is True
    assert set(Path("/tmp").glob("minato-shadow-*")) <= before


def test_declarative_files_say_what_the_schema_is_to_be(running: LocalProject) -> None:
    running.write("schemas/b.sql", "create table wished (id int);")
    running.write("schemas/a.sql", SCHEMA.replace("create role helper;", ""))
    try:
        ended = running.minato("db", "diff")
    finally:
        for name in ("a.sql", "b.sql"):
            (running.root / "supabase" / "schemas" / name).unlink()
        (running.root / "supabase" / "schemas").rmdir()
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith('create table "public"."wished" (\n    "id" integer\n);\n')
    assert " • supabase/schemas/a.sql\n • supabase/schemas/b.sql\n" in ended.stderr


def test_a_dump_is_rewritten_for_a_platform_that_is_there(running: LocalProject) -> None:
    ended = running.minato("db", "dump", "--local")
    assert (ended.returncode, ended.stderr) == (0, "Dumping schemas from local database...\n")
    text = ended.stdout
    for words in (
        'CREATE TABLE IF NOT EXISTS "public"."notes" (',
        'CREATE OR REPLACE VIEW "public"."short" AS',
        'CREATE OR REPLACE FUNCTION "public"."twice"("n" integer)',
        'CREATE POLICY "own" ON "public"."notes"',
    ):
        assert words in text
    for words in ("\n--", "restrict", '"auth"', '"minato"', "transaction_timeout", "COMMENT ON EXTENSION"):
        assert words not in text
    kept = running.minato("db", "dump", "--local", "--keep-comments").stdout
    assert "\n-- PostgreSQL database dump\n" in kept
    assert "\n-- SET transaction_timeout = 0;\n" in kept


def test_rows_and_roles_are_dumped_by_themselves(running: LocalProject) -> None:
    rows = running.minato("db", "dump", "--local", "--data-only", "-f", "rows.sql")
    path = (running.root / "rows.sql").resolve()
    assert rows.stderr == f"Dumping data from local database...\nDumped schema to {path}.\n"
    text = path.read_text()
    assert text.startswith("SET session_replication_role = replica;\n\n")
    assert text.endswith("\nRESET ALL;\n")
    assert 'INSERT INTO "public"."notes" ("id", "body") VALUES\n\t(1, \'two\n-- lines\'),\n' in text
    assert "schema_migrations" not in text
    copied = running.minato("db", "dump", "--local", "--data-only", "--use-copy", "-x", "public.notes").stdout
    assert "INSERT" not in copied
    assert 'COPY "public"."notes"' not in copied
    roles = running.minato("db", "dump", "--local", "--role-only").stdout
    assert 'CREATE ROLE "helper";\n' in roles
    assert "PASSWORD" not in roles
    assert 'CREATE ROLE "anon"' not in roles
    assert 'ALTER ROLE "anon" SET "statement_timeout" TO \'3s\';\n' in roles


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--use-copy"], 'required flag(s) "data-only" not set'),
        (["--data-only", "--role-only"], "[role-only data-only] are set none of the others can be"),
        (["--role-only", "-s", "public"], "[schema role-only] are set none of the others can be"),
        (["--data-only", "--keep-comments"], "[keep-comments data-only] are set none of the others can be"),
        (["-f", "nowhere/x.sql"], "failed to open dump file: open "),
    ],
)
def test_flags_that_contradict_each_other_are_refused(running: LocalProject, flags: list[str], sentence: str) -> None:
    ended = running.minato("db", "dump", "--local", *flags)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert sentence in ended.stderr


def test_a_dry_run_prints_a_script_without_the_password(running: LocalProject) -> None:
    ended = running.minato("db", "dump", "--local", "--dry-run")
    assert ended.returncode == 0
    assert ended.stderr.startswith("DRY RUN: *only* printing the pg_dump script to console.\n")
    assert ended.stdout.startswith("#!/usr/bin/env bash\n")
    assert "pg_dump --schema-only --quote-all-identifiers --role postgres" in ended.stdout
    assert "PGPASSWORD=postgres" not in ended.stdout


def test_a_dump_that_is_restored_gives_the_same_dump(running: LocalProject, tmp_path: Path) -> None:
    schema = running.minato("db", "dump", "--local", "-f", "schema.sql")
    rows = running.minato("db", "dump", "--local", "--data-only", "-f", "data.sql", "--use-copy")
    assert (schema.returncode, rows.returncode) == (0, 0)
    with local_project(tmp_path, migration=None) as other:
        other.start()
        for name in ("schema.sql", "data.sql"):
            ended = other.minato("db", "restore", str(running.root / name))
            assert ended.returncode == 0, ended.stderr
            assert ended.stdout == ""
        assert other.minato("db", "dump", "--local").stdout == (running.root / "schema.sql").read_text()
        again = other.minato("db", "dump", "--local", "--data-only", "--use-copy").stdout
        assert comparable(again) == comparable((running.root / "data.sql").read_text())
        (other.root / "half.sql").write_text("create table half ();\nselect nonsense;\n")
        failed = other.minato("db", "restore", "half.sql")
        assert failed.returncode == 1
        assert "nothing was changed" in failed.stderr
        assert other.sql("select to_regclass('half') is null") is True


def comparable(dump: str) -> str:
    """Without the key that every dump has another of."""
    return re.sub(r"restrict \w+", "restrict", dump)


def test_a_dump_reaches_no_shell(running: LocalProject) -> None:
    (running.root / "evil.sql").write_text("\\restrict x\n\\unrestrict x\n\\! touch reached\nselect 1;\n")
    ended = running.minato("db", "restore", "evil.sql")
    assert ended.returncode == 1
    assert not (running.root / "reached").exists()


def test_without_a_running_project_the_commands_say_to_start_it(tmp_path: Path) -> None:
    with local_project(tmp_path) as project:
        for command in (["db", "diff"], ["db", "dump", "--local"], ["db", "query", "select 1"], ["test", "db"]):
            project.write("tests/a_test.sql", "select 1;")
            ended = project.minato(*command)
            assert ended.returncode == 1, command
            assert "failed to connect to postgres" in ended.stderr, command
            assert "minato start" in ended.stderr, command
        unlinked = project.minato("db", "dump", "--linked")
        assert "Cannot find project ref. Have you run supabase link?" in unlinked.stderr
