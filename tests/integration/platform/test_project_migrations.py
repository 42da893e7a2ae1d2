"""A project's migrations run once, in order, as `postgres`, each whole or not at all, and the history says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest
from minato.project.errors import ProjectError
from minato.project.folder import Migration, Project
from minato.project.migrate import migrate_project, needs_migration

from tests.support.postgres import Cluster

HISTORY = "select version, name, statements from supabase_migrations.schema_migrations order by version"


@dataclass(frozen=True)
class Place:
    """A database of the platform alone, and a connection of its owner."""

    dsn: str
    db: asyncpg.Connection

    async def run(self, project: Project) -> list[str]:
        return await asyncio.to_thread(migrate_project, self.dsn, project)


@pytest.fixture
async def place(cluster: Cluster) -> AsyncIterator[Place]:
    async with cluster.platform_database() as address:
        connection = await asyncpg.connect(address.admin)
        yield Place(address.admin, connection)
        await connection.close()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "supabase" / "migrations").mkdir(parents=True)
    return Project(tmp_path)


def write(project: Project, name: str, script: str) -> None:
    (project.migrations_folder / name).write_text(script)


async def test_files_run_in_the_order_of_their_names_and_only_once(place: Place, project: Project) -> None:
    write(project, "20260102000000_second.sql", "insert into cars values (1);\ninsert into cars values (2);")
    write(project, "20260101000000_first.sql", "create table cars (id int); -- the first")
    write(project, "README.md", "no migration")
    write(project, "draft.sql", "no migration either")
    assert needs_migration(place.dsn, project)
    assert await place.run(project) == ["20260101000000", "20260102000000"]
    assert not needs_migration(place.dsn, project)
    assert await place.run(project) == []
    assert [tuple(row) for row in await place.db.fetch(HISTORY)] == [
        ("20260101000000", "first", ["create table cars (id int)", "-- the first"]),
        ("20260102000000", "second", ["insert into cars values (1)", "insert into cars values (2)"]),
    ]
    assert await place.db.fetchval("select count(*) from cars") == 2
    assert await place.db.fetchval("select relowner::regrole::text from pg_class where relname = 'cars'") == "postgres"


async def test_a_file_that_fails_leaves_nothing_and_says_where_and_why(place: Place, project: Project) -> None:
    write(project, "1_good.sql", "create table good ();")
    write(project, "2_bad.sql", "create table bad ();\n\nselect 1,\n  nonsense;\n")
    with pytest.raises(ProjectError) as raised:
        await place.run(project)
    assert str(raised.value).splitlines() == [
        "2_bad.sql:4",
        'ERROR: column "nonsense" does not exist (SQLSTATE 42703)',
        "At statement: 1",
        "select 1,",
        "  nonsense",
        "  ^",
    ]
    assert await place.db.fetchval(
        "select to_regclass('public.bad') is null and to_regclass('public.good') is not null"
    )
    assert [row["version"] for row in await place.db.fetch(HISTORY)] == ["1"]
    write(project, "2_bad.sql", "create table bad ();")
    assert await place.run(project) == ["2"]


async def test_what_a_file_set_for_its_session_is_gone_in_the_next(place: Place, project: Project) -> None:
    write(project, "1_dump.sql", "select pg_catalog.set_config('search_path', '', false); create table public.a ();")
    write(project, "2_next.sql", "create table b as select current_user::text as who;")
    await place.run(project)
    assert await place.db.fetchval("select who from public.b") == "postgres"


async def test_a_file_may_commit_in_between(place: Place, project: Project) -> None:
    write(
        project, "1_enum.sql", "begin; create type kind as enum ('a'); commit; alter type kind add value 'b'; select 1;"
    )
    assert await place.run(project) == ["1"]
    assert await place.db.fetchval("select 'b'::kind::text") == "b"


async def test_a_history_that_is_not_this_projects_is_refused(place: Place, project: Project, tmp_path: Path) -> None:
    write(project, "5_fifth.sql", "create table fifth ();")
    await place.run(project)
    write(project, "3_third.sql", "create table third ();")
    with pytest.raises(ProjectError, match=r"inserted before the last migration on the database: 3_third\.sql"):
        await place.run(project)
    other = Project(tmp_path / "other")
    with pytest.raises(ProjectError, match=r"ran migrations that are not in .*: 5\."):
        await place.run(other)
    assert await place.db.fetchval("select to_regclass('public.third')") is None


class Unreadable(Project):
    def migrations(self) -> list[Migration]:
        raise OSError("the disk is gone")


async def test_a_start_that_dies_while_it_takes_over_a_history_loses_none_of_it(place: Place, project: Project) -> None:
    write(project, "20261121000020_settings.sql", "create table settings ();")
    await place.db.execute(
        "create table minato.former_chain (revision text); insert into minato.former_chain values ('0020')"
    )
    with pytest.raises(OSError, match="the disk is gone"):
        await place.run(Unreadable(project.root))
    assert await place.run(project) == []
    assert [row["version"] for row in await place.db.fetch(HISTORY)] == ["20261121000020"]


async def test_two_servers_that_start_at_once_run_every_file_once(place: Place, project: Project) -> None:
    write(project, "1_slow.sql", "select pg_sleep(0.2); create table slow ();")
    ran = await asyncio.gather(*(place.run(project) for _ in range(3)))
    assert sorted(ran) == [[], [], ["1"]]


async def test_an_index_is_made_concurrently_between_the_transactions_of_its_file(
    place: Place, project: Project
) -> None:
    write(
        project,
        "1_index.sql",
        "create table cars (id int);\n"
        "-- without a lock\ncreate unique index concurrently cars_id on cars (id);\n"
        "insert into cars values (1);\nvacuum analyze cars;\nreindex index concurrently cars_id;\n"
        "drop index /* again */ concurrently cars_id;\ninsert into cars values (1);",
    )
    assert await place.run(project) == ["1"]
    assert await place.db.fetchval("select count(*) from cars") == 2
    assert await place.db.fetchval("select cardinality(statements) from supabase_migrations.schema_migrations") == 7


async def test_what_stood_before_a_concurrent_index_stays_when_the_rest_fails(place: Place, project: Project) -> None:
    write(
        project,
        "1_index.sql",
        "create table cars (id int);\ncreate index concurrently cars_id on cars (id);\n"
        "insert into cars values (1);\nselect nonsense;",
    )
    with pytest.raises(ProjectError, match="At statement: 3"):
        await place.run(project)
    assert await place.db.fetchval("select to_regclass('cars_id') is not null")
    assert await place.db.fetchval("select count(*) from cars") == 0
    assert await place.db.fetch(HISTORY) == []


async def test_a_concurrent_index_within_the_files_own_transaction_is_refused(place: Place, project: Project) -> None:
    write(
        project, "1_index.sql", "begin;\ncreate table cars (id int);\ncreate index concurrently on cars (id);\ncommit;"
    )
    with pytest.raises(ProjectError, match="CREATE INDEX CONCURRENTLY cannot run inside a transaction block"):
        await place.run(project)
    assert await place.db.fetchval("select to_regclass('cars')") is None


async def test_a_server_that_waits_for_its_turn_is_no_transaction_to_a_concurrent_index(
    place: Place, project: Project
) -> None:
    write(project, "1_table.sql", "create table cars (id int);\nselect pg_sleep(1);")
    write(project, "2_index.sql", "create index concurrently cars_id on cars (id);")
    assert sorted(await asyncio.gather(place.run(project), place.run(project))) == [[], ["1", "2"]]
