"""Roles are those of a hosted project: who may log in, who inherits, who bypasses row-level security."""

from __future__ import annotations

import asyncpg
import pytest

# role: (superuser, inherit, createrole, createdb, login, replication, bypassrls)
ATTRIBUTES = {
    "anon": (False, True, False, False, False, False, False),
    "authenticated": (False, True, False, False, False, False, False),
    "service_role": (False, True, False, False, False, False, True),
    "authenticator": (False, False, False, False, True, False, False),
    "supabase_admin": (True, True, True, True, True, True, True),
    "postgres": (False, True, True, True, True, True, True),
    "supabase_auth_admin": (False, False, True, False, True, False, False),
    "supabase_storage_admin": (False, False, True, False, True, False, False),
    "supabase_realtime_admin": (False, False, False, False, False, False, False),
    "supabase_functions_admin": (False, False, True, False, True, False, False),
    "dashboard_user": (False, True, True, True, False, True, False),
}

SETTINGS = {
    "anon": {"statement_timeout": "3s"},
    "authenticated": {"statement_timeout": "8s"},
    "authenticator": {"statement_timeout": "8s", "lock_timeout": "8s"},
    "postgres": {"search_path": '"$user", public, extensions'},
    "supabase_auth_admin": {"search_path": "auth", "idle_in_transaction_session_timeout": "60s"},
    "supabase_storage_admin": {"search_path": "storage"},
    "supabase_functions_admin": {"search_path": "supabase_functions"},
    "supabase_realtime_admin": {"search_path": "public, extensions, realtime"},
}


@pytest.mark.parametrize("role", ATTRIBUTES)
async def test_a_role_has_the_attributes_of_a_hosted_project(db: asyncpg.Connection, role: str) -> None:
    row = await db.fetchrow(
        "select rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls"
        " from pg_roles where rolname = $1",
        role,
    )
    assert tuple(row) == ATTRIBUTES[role]


@pytest.mark.parametrize("role", SETTINGS)
async def test_a_role_logs_in_with_the_settings_of_a_hosted_project(db: asyncpg.Connection, role: str) -> None:
    settings = await db.fetchval("select rolconfig from pg_roles where rolname = $1", role)
    assert dict(setting.split("=", 1) for setting in settings) == SETTINGS[role]


@pytest.mark.parametrize("caller", ["anon", "authenticated", "service_role"])
async def test_authenticator_may_become_each_caller_but_nothing_else(db: asyncpg.Connection, caller: str) -> None:
    await db.execute("set session authorization authenticator")
    await db.execute(f"set local role {caller}")
    assert await db.fetchval("select current_user") == caller
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute("set role supabase_auth_admin")


async def test_authenticator_itself_may_read_nothing(db: asyncpg.Connection) -> None:
    await db.execute("set role authenticator")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute("select from storage.objects")


@pytest.mark.parametrize("statement", [
    "create policy p on storage.objects for select using (true)",
    "create policy p on realtime.messages for select using (true)",
    "create function public.f() returns trigger language plpgsql as 'begin return new; end';"
    "create trigger t after insert on auth.users for each row execute function public.f()",
    "create table public.t (id int primary key); alter publication supabase_realtime add table public.t",
    "create table public.t (id uuid references auth.users (id) on delete cascade)",
    "create schema mine",
    "insert into storage.buckets (id, name) values ('b', 'b')",
])  # fmt: skip
async def test_postgres_may_do_what_users_migrations_do(db: asyncpg.Connection, statement: str) -> None:
    await db.execute("set role postgres")
    await db.execute(statement)
