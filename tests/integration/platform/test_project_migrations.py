"""A project's migrations run once, in order, as `postgres`, each whole or not at all, and the history says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from minato.project.errors import ProjectError
from minato.project.folder import Project
from minato.project.migrate import migrate_project, needs_migration

from tests.support.postgres import Cluster

HISTORY = "select version, name, statements from supabase_migrations.schema_migrations order by version"


@pytest.fixture
async def db(cluster: Cluster) -> AsyncIterator[asyncpg.Connection]:
    """On a database of the platform alone; `dsn` is its address."""
    async with cluster.platform_database() as address:
        connection = await asyncpg.connect(address.admin)
        connection.dsn = address.admin  # type: ignore[attr-defined]
        yield connection
        await connection.close()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "supabase" / "migrations").mkdir(parents=True)
    return Project(tmp_path)


def write(project: Project, name: str, script: str) -> None:
    (project.migrations_folder / name).write_text(script)


async def run(db: Any, project: Project) -> list[str]:
    return await asyncio.to_thread(migrate_project, db.dsn, project)


async def test_files_run_in_the_order_of_their_names_and_only_once(db: Any, project: Project) -> None:
    write(project, "20260102000000_second.sql", "insert into cars values (1);\ninsert into cars values (2);")
    write(project, "20260101000000_first.sql", "create table cars (id int); -- the first")
    write(project, "README.md", "no migration")
    write(project, "draft.sql", "no migration either")
    assert needs_migration(db.dsn, project)
    assert await run(db, project) == ["20260101000000", "20260102000000"]
    assert not needs_migration(db.dsn, project)
    assert await run(db, project) == []
    assert [tuple(row) for row in await db.fetch(HISTORY)] == [
        ("20260101000000", "first", ["create table cars (id int)", "-- the first"]),
        ("20260102000000", "second", ["insert into cars values (1)", "insert into cars values (2)"]),
    ]
    assert await db.fetchval("select count(*) from cars") == 2
    assert await db.fetchval("select relowner::regrole::text from pg_class where relname = 'cars'") == "postgres"


async def test_a_file_that_fails_leaves_nothing_and_says_where_and_why(db: Any, project: Project) -> None:
    write(project, "1_good.sql", "create table good ();")
    write(project, "2_bad.sql", "create table bad ();\n\nselect 1,\n  nonsense;\n")
    with pytest.raises(ProjectError) as raised:
        await run(db, project)
    assert str(raised.value).splitlines() == [
        "2_bad.sql:4",
        'ERROR: column "nonsense" does not exist (SQLSTATE 42703)',
        "At statement: 1",
        "select 1,",
        "  nonsense",
        "  ^",
    ]
    assert await db.fetchval("select to_regclass('public.bad') is null and to_regclass('public.good') is not null")
    assert [row["version"] for row in await db.fetch(HISTORY)] == ["1"]
    write(project, "2_bad.sql", "create table bad ();")
    assert await run(db, project) == ["2"]


async def test_what_a_file_set_for_its_session_is_gone_in_the_next(db: Any, project: Project) -> None:
    write(project, "1_dump.sql", "select pg_catalog.set_config('search_path', '', false); create table public.a ();")
    write(project, "2_next.sql", "create table b as select current_user::text as who;")
    await run(db, project)
    assert await db.fetchval("select who from public.b") == "postgres"


async def test_a_file_may_commit_in_between(db: Any, project: Project) -> None:
    write(
        project, "1_enum.sql", "begin; create type kind as enum ('a'); commit; alter type kind add value 'b'; select 1;"
    )
    assert await run(db, project) == ["1"]
    assert await db.fetchval("select 'b'::kind::text") == "b"


async def test_a_history_that_is_not_this_projects_is_refused(db: Any, project: Project, tmp_path: Path) -> None:
    write(project, "5_fifth.sql", "create table fifth ();")
    await run(db, project)
    write(project, "3_third.sql", "create table third ();")
    with pytest.raises(ProjectError, match="inserted before the last migration on the database: 3_third.sql"):
        await run(db, project)
    other = Project(tmp_path / "other")
    with pytest.raises(ProjectError, match=r"ran migrations that are not in .*: 5\."):
        await run(db, other)
    assert await db.fetchval("select to_regclass('public.third')") is None


async def test_two_servers_that_start_at_once_run_every_file_once(db: Any, project: Project) -> None:
    write(project, "1_slow.sql", "select pg_sleep(0.2); create table slow ();")
    ran = await asyncio.gather(*(run(db, project) for _ in range(3)))
    assert sorted(ran) == [[], [], ["1"]]
