"""A project whose migrations ask for what the embedded PostgreSQL does not have."""

from __future__ import annotations

from tests.support.local_project import LocalProject

ASKS = """
create extension if not exists "postgis" with schema "extensions";
do $$ begin create extension if not exists plv8; end $$;
create table places (id int primary key);
"""


def test_an_extension_that_is_not_there_stops_the_start_with_the_ways_to_it(project: LocalProject) -> None:
    project.write("migrations/20260102000000_places.sql", ASKS)
    ended = project.minato("start", "--port", "0")
    assert ended.returncode == 1
    assert "20260102000000_places.sql:2" in ended.stderr
    assert 'ERROR: extension "postgis" is not available (SQLSTATE 0A000)' in ended.stderr
    for way in ("MINATO_POSTGRES_BIN", "DATABASE_URL", 'missing_extensions = "skip"', "supabase/minato.toml"):
        assert way in ended.stderr


def test_it_is_left_out_where_the_project_says_so_and_everything_after_it_is_run(project: LocalProject) -> None:
    project.write("migrations/20260102000000_places.sql", ASKS)
    project.write("minato.toml", '[db]\nmissing_extensions = "skip"\n')
    said = project.start().stderr
    assert "WARN: this PostgreSQL does not have, and missing_extensions leaves out: plv8, postgis" in said
    assert project.sql("select count(*) from places") == 0
    # The shadow of a comparison has the same ones.
    compared = project.minato("db", "diff")
    assert compared.returncode == 0, compared.stderr
    assert compared.stdout.strip() in ("", "No schema changes found")
    # A reset tells of each as PostgreSQL does, and leaves the same behind.
    assert project.minato("db", "reset").returncode == 0
    assert project.sql("select string_agg(extname, ' ' order by extname) from pg_extension"
                       " where extversion = 'left-out'") == "plv8 postgis"  # fmt: skip


def test_lint_says_what_it_needs_also_where_the_project_leaves_missing_extensions_out(project: LocalProject) -> None:
    project.write("minato.toml", '[db]\nmissing_extensions = "skip"\n')
    project.start()
    ended = project.minato("db", "lint", "--local")
    assert ended.returncode == 1
    assert "db lint needs the extension plpgsql_check, which this PostgreSQL does not have" in ended.stderr
    assert "plpgsql_check_function" not in ended.stderr
    assert project.sql("select count(*) from pg_extension where extname = 'plpgsql_check'") == 0
