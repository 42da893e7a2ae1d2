"""Publications of everything and foreign data wrappers of a project's files, which `postgres` runs, belong to it."""

from __future__ import annotations

import asyncpg
import pytest
from minato.database.address import DatabaseAddress
from minato.project.errors import ProjectError

from tests.support.as_project import run_project_file
from tests.support.postgres import Cluster

TABLES = """
create schema shop;
create table public.a (id int primary key, secret text); create table public.b (id int primary key);
create table shop.c (id int primary key);
"""
MEMBERS = "select schemaname || '.' || tablename from pg_publication_tables where pubname = $1 order by 1"


async def members(owner: asyncpg.Connection, publication: str) -> list[str]:
    return [name for (name,) in await owner.fetch(MEMBERS, publication)]


@pytest.mark.parametrize(("statement", "expected"), [
    ("create publication p for tables in schema shop", ["shop.c"]),
    ('create publication p for tables in schema "shop", table public.b', ["public.b", "shop.c"]),
    ("create publication p for table public.a, public.b where (id > 1), TABLES IN SCHEMA shop",
     ["public.a", "public.b", "shop.c"]),
    ("create publication p for tables in schema shop with (publish = 'insert')", ["shop.c"]),
    ("create publication p; alter publication p add tables in schema shop", ["shop.c"]),
    ("create publication p for table public.b; alter publication p set tables in schema shop", ["shop.c"]),
    ("create publication p for tables in schema shop; alter publication p drop tables in schema shop", []),
    ("create publication p for table public.b; alter publication p add table public.a, tables in schema shop",
     ["public.a", "public.b", "shop.c"]),
    ("set search_path = shop; create publication p for tables in schema current_schema", ["shop.c"]),
])  # fmt: skip
async def test_a_publication_has_what_the_statement_names(
    address: DatabaseAddress, owner: asyncpg.Connection, statement: str, expected: list[str]
) -> None:
    await run_project_file(address, TABLES + statement)
    assert await members(owner, "p") == expected


async def test_a_publication_of_all_tables_is_the_owners_to_change_and_to_drop(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(address, TABLES + "create publication p for all tables with (publish = 'insert, update')")
    kept = "select pubowner::regrole::text, puballtables, pubinsert, pubdelete from pg_publication where pubname = 'p'"
    assert tuple(await owner.fetchrow(kept)) == ("postgres", True, True, False)
    assert {"public.a", "shop.c", "auth.users"} <= set(await members(owner, "p"))
    await owner.execute("alter publication p set (publish = 'delete'); alter publication p rename to q")
    await owner.execute("comment on publication q is 'x'; drop publication q")


async def test_the_platforms_own_publication_is_not_the_projects(address: DatabaseAddress) -> None:
    with pytest.raises(ProjectError, match="must be owner of publication"):
        await run_project_file(
            address, "alter publication supabase_realtime_messages_publication add tables in schema public"
        )


async def test_a_plain_connection_calls_the_functions(owner: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="must be superuser to create FOR ALL TABLES"):
        await owner.execute("create publication p for all tables")
    await owner.execute(
        "select minato.create_publication('p', true), minato.create_publication('q', false, '{public}')"
    )
    await owner.execute("select minato.alter_publication_schemas('q', 'set', '{storage}')")
    assert "storage.objects" in await members(owner, "q")


async def test_a_login_without_a_superuser_hears_postgresqls_own_answer(cluster: Cluster) -> None:
    # As with DATABASE_URL, where whoever migrates is no superuser: the platform has nothing to lend.
    async with cluster.bare_database() as address:
        admin = await asyncpg.connect(address.admin)
        database = await admin.fetchval("select current_database()")
        await admin.execute(f"grant all on database {database} to postgres")
        await admin.close()
        for statement, said in (
            ("create publication p for all tables", "must be superuser to create FOR ALL TABLES"),
            ("create publication p for tables in schema public", "must be superuser to create FOR TABLES IN SCHEMA"),
            ("create foreign data wrapper w handler h validator v", "permission denied to create foreign-data wrapper"),
            ("create event trigger t on sql_drop execute function f()", "permission denied to create event trigger"),
        ):
            with pytest.raises(ProjectError, match=said) as caught:
                await run_project_file(address, statement)
            assert statement in str(caught.value)


WRAPPER = """
create extension if not exists postgres_fdw with schema extensions;
create foreign data wrapper mine handler extensions.postgres_fdw_handler validator extensions.postgres_fdw_validator;
"""


async def test_a_wrapper_of_an_extensions_functions_is_made_and_used(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await _superuser_creates(address)
    await run_project_file(
        address,
        WRAPPER + "create server there foreign data wrapper mine options (host 'nowhere.invalid', dbname 'x');"
        "create user mapping for current_user server there options (user 'x', password 'y');"
        "create foreign table public.far (id int) server there; drop foreign table public.far;"
        "comment on foreign data wrapper mine is 'x'; grant usage on foreign data wrapper mine to service_role",
    )
    assert await owner.fetchval(
        "select fdwowner::regrole::text from pg_foreign_data_wrapper where fdwname = 'mine'"
    ) == ("postgres")
    await owner.execute("drop foreign data wrapper mine cascade")


async def _superuser_creates(address: DatabaseAddress) -> None:
    """Below PostgreSQL 18 nobody else creates postgres_fdw."""
    admin = await asyncpg.connect(address.admin)
    await admin.execute("create extension if not exists postgres_fdw with schema extensions")
    await admin.close()


@pytest.mark.parametrize("options", [
    # Unchecked options would open the socket that trusts everybody.
    "handler extensions.postgres_fdw_handler no validator",
    "handler extensions.postgres_fdw_handler",
    # Called at once, as the superuser.
    "handler extensions.postgres_fdw_handler validator public.mine",
    "handler extensions.postgres_fdw_handler validator pg_catalog.postgresql_fdw_validator",
    "handler extensions.postgres_fdw_handler validator public.postgres_fdw_validator",
    "validator public.mine",
    "",
])  # fmt: skip
async def test_a_wrapper_without_its_own_validator_is_refused(
    address: DatabaseAddress, owner: asyncpg.Connection, options: str
) -> None:
    await _superuser_creates(address)
    await owner.execute("create table public.ran (who text)")
    for name in ("mine", "postgres_fdw_validator"):
        await owner.execute(f"create function public.{name}(text[], oid) returns void language plpgsql as "
                            "'begin insert into public.ran values (current_user); end'")  # fmt: skip
    with pytest.raises(ProjectError, match="permission denied to create foreign-data wrapper"):
        await run_project_file(address, f"create foreign data wrapper bad {options}")
    assert await owner.fetchval("select count(*) from public.ran") == 0
