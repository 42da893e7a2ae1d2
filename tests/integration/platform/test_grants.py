"""What the API's roles may touch: everything in public subject to row-level security, nothing in auth."""

from __future__ import annotations

import asyncpg
import pytest

CALLERS = ("anon", "authenticated", "service_role")
PUBLIC_TABLE = "create table public.notes (id int primary key, body text); insert into public.notes values (1, 'x')"


@pytest.mark.parametrize("owner", ["postgres", "supabase_admin"])
@pytest.mark.parametrize("caller", CALLERS)
async def test_a_table_in_public_is_reachable_at_once(db: asyncpg.Connection, owner: str, caller: str) -> None:
    await db.execute(f"set role {owner}; {PUBLIC_TABLE}; set role {caller}")
    assert await db.fetchval("select count(*) from public.notes") == 1
    await db.execute(
        "insert into public.notes values (2); update public.notes set body = 'y'; delete from public.notes"
    )


async def test_row_level_security_hides_rows_from_all_but_service_role(db: asyncpg.Connection) -> None:
    await db.execute(f"set role postgres; {PUBLIC_TABLE}; alter table public.notes enable row level security")
    seen = {}
    for caller in CALLERS:
        await db.execute(f"set role {caller}")
        seen[caller] = await db.fetchval("select count(*) from public.notes")
    assert seen == {"anon": 0, "authenticated": 0, "service_role": 1}


@pytest.mark.parametrize("caller", CALLERS)
async def test_functions_and_sequences_in_public_are_reachable_at_once(db: asyncpg.Connection, caller: str) -> None:
    await db.execute("set role postgres")
    await db.execute("create function public.one() returns int language sql as 'select 1'; create sequence public.s")
    await db.execute(f"set role {caller}")
    assert await db.fetchval("select public.one() + nextval('public.s')") == 2


async def test_a_function_revoked_from_public_stays_callable_by_the_callers(db: asyncpg.Connection) -> None:
    await db.execute("set role postgres; create function public.one() returns int language sql as 'select 1'")
    await db.execute("revoke execute on function public.one() from public; set role anon")
    assert await db.fetchval("select public.one()") == 1


@pytest.mark.parametrize("caller", CALLERS)
async def test_the_tables_of_auth_are_closed_to_callers(db: asyncpg.Connection, caller: str) -> None:
    tables = await db.fetch(
        "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'auth'"
    )
    open_tables = [
        name
        for (name,) in tables
        if await db.fetchval("select has_any_column_privilege($1, $2, 'select')", caller, name)
    ]
    assert len(tables) > 20
    assert open_tables == []


async def test_callers_may_not_create_in_public(db: asyncpg.Connection) -> None:
    await db.execute("set role authenticated")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute("create table public.mine ()")


async def test_callers_cannot_see_the_platforms_bookkeeping(db: asyncpg.Connection) -> None:
    await db.execute("set role service_role")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute("select * from minato.schema_version")


async def test_each_service_owns_its_tables(db: asyncpg.Connection) -> None:
    owners = await db.fetch(
        "select distinct schemaname, tableowner from pg_tables"
        " where schemaname in ('auth', 'storage', 'realtime') and tablename <> 'schema_migrations' order by 1"
    )
    assert [tuple(row) for row in owners] == [
        ("auth", "supabase_auth_admin"),
        ("realtime", "supabase_realtime_admin"),
        ("storage", "supabase_storage_admin"),
    ]


async def test_every_table_says_what_it_is_for(db: asyncpg.Connection) -> None:
    silent = await db.fetch(
        "select oid::regclass::text from pg_class where relkind in ('r', 'p') and not relispartition"
        " and relnamespace in ('auth'::regnamespace, 'storage'::regnamespace, 'realtime'::regnamespace)"
        " and obj_description(oid, 'pg_class') is null"
    )
    assert silent == []


@pytest.mark.parametrize(
    "table", ["auth.users", "auth.sessions", "storage.objects", "storage.buckets", "realtime.messages"]
)
async def test_row_level_security_is_on_without_policies(db: asyncpg.Connection, table: str) -> None:
    assert await db.fetchval("select relrowsecurity from pg_class where oid = $1::regclass", table)
    assert await db.fetchval("select count(*) from pg_policy where polrelid = $1::regclass", table) == 0


@pytest.mark.parametrize("table", ["auth.users", "auth.sessions", "auth.mfa_factors", "storage.buckets"])
async def test_the_project_empties_a_table_of_the_platform_with_all_that_follows_it(
    db: asyncpg.Connection, table: str
) -> None:
    await db.execute(f"set role postgres; truncate {table} cascade")
    assert await db.fetchval(f"select count(*) from {table}") == 0
