"""Code of the project's that runs in a session of a service finds no superuser there: each test is a way in that
`postgres` has, who may write triggers on the services' tables and functions of any name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest
from minato.database.address import DatabaseAddress
from minato.database.engines import OWNER
from minato.realtime.postgres_changes.catalog import COLUMNS, PUBLISHED
from sqlalchemy import text

from tests.support.as_project import owner_url
from tests.support.server import Minato

# Every way from a session's role to its login's rights; what it found is kept, since the attempts themselves fail.
TRIES = """
create table public.won (who text, login text);
grant all on public.won to public;
create function public.try() returns void language plpgsql as $$
declare
    way text;
begin
    foreach way in array array['set local role supabase_admin', 'set local role none',
        'set local session authorization supabase_admin', 'select 1'] loop
        begin
            execute way;
            insert into public.won values (current_user, session_user);
            execute 'alter role postgres superuser';
        exception when others then null;
        end;
    end loop;
end $$;
create function public.tries() returns trigger language plpgsql as
    $$ begin insert into public.won values (current_user, session_user); perform public.try(); return new; end $$;
"""
TABLES = ("auth.users", "auth.sessions", "storage.buckets", "storage.objects", "realtime.messages")


@pytest.fixture
async def owner(address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    """The attacker's session."""
    connection = await asyncpg.connect(owner_url(address))
    await connection.execute(TRIES)
    try:
        yield connection
    finally:
        admin = await asyncpg.connect(address.admin)
        await admin.execute("alter role postgres nosuperuser")
        await admin.close()
        await connection.close()


async def require_no_superuser(owner: asyncpg.Connection, ran: bool) -> None:
    assert not await owner.fetchval("select rolsuper from pg_roles where rolname = 'postgres'")
    won = {row["who"] for row in await owner.fetch("select who from public.won")}
    assert bool(won) is ran
    assert "supabase_admin" not in won


async def test_a_trigger_on_a_services_table_finds_none(owner: asyncpg.Connection, own_minato: Minato) -> None:
    for table in TABLES:
        await owner.execute(f"create trigger tries before insert or update on {table} for each row "
                            "execute function public.tries()")  # fmt: skip
    password, email = "a good long password", f"{uuid4()}@example.com"
    async with own_minato.client(own_minato.service_role_key) as client:
        person = {"email": email, "password": password, "email_confirm": True}
        assert (await client.post("/auth/v1/admin/users", json=person)).status_code == 200
        signed_in = await client.post("/auth/v1/token?grant_type=password", json={"email": email, "password": password})
        assert signed_in.status_code == 200
        assert (await client.post("/storage/v1/bucket", json={"name": "b", "id": "b"})).status_code == 200
        assert (await client.post("/storage/v1/object/b/a.txt", content=b"x")).status_code == 200
    await require_no_superuser(owner, ran=True)


async def test_what_the_services_log_in_as_is_no_superuser(own_minato: Minato) -> None:
    database = own_minato.backend.database
    for role in ("supabase_auth_admin", "service_role"):
        async with database.engine(role).connect() as connection:
            asked = text("select current_user::text, session_user::text")
            current, login = (await connection.execute(asked)).one()
            assert (current, login) == (role, "authenticator" if role == "service_role" else role)
            await connection.rollback()
            with pytest.raises(Exception, match="permission denied to set role"):
                await connection.execute(text("set role supabase_admin"))
    logins = "select distinct usename::text from pg_stat_activity where datname = current_database() and " \
             "application_name ~ '^minato (supabase|service)'"  # fmt: skip
    async with own_minato.client(own_minato.service_role_key) as client:
        assert (await client.get("/auth/v1/admin/users")).status_code == 200
    assert {row[0] for row in await own_minato.db.fetch(logins)} == {"supabase_auth_admin", "authenticator"}


@pytest.mark.parametrize("function", [
    "quote_ident(name) returns text",
    "format_type(oid, smallint) returns text",
    "has_column_privilege(oid, oid, smallint, name) returns boolean",
    "pg_notify(name, name) returns void",
])  # fmt: skip
async def test_the_superusers_own_sessions_meet_no_function_of_the_projects(
    owner: asyncpg.Connection, own_minato: Minato, function: str
) -> None:
    await owner.execute(f"create function public.{function} language plpgsql as 'begin perform public.try(); "
                        "return null; end'" if "void" not in function else
                        f"create function public.{function} language plpgsql as 'begin perform public.try(); end'"
                        )  # fmt: skip
    await owner.execute("create table public.t (id int primary key, name text)")
    async with own_minato.backend.database.engine(OWNER).connect() as connection:
        await connection.exec_driver_sql(PUBLISHED, ("supabase_realtime", "*", "*"))
        table = await owner.fetchval("select 'public.t'::regclass::oid")
        await connection.exec_driver_sql(COLUMNS, (table, ["anon", "authenticated"]))
    await require_no_superuser(owner, ran=False)


async def test_every_session_of_the_superuser_looks_into_the_catalogue_alone(own_minato: Minato) -> None:
    database = own_minato.backend.database
    async with database.engine(OWNER).connect() as connection:
        assert await connection.scalar(text("show search_path")) == "pg_catalog, pg_temp"
    listener = await database.listener(OWNER, "test")
    try:
        assert [row["search_path"] for row in await listener.fetch("show search_path")] == ["pg_catalog, pg_temp"]
    finally:
        listener.close()


async def test_a_change_of_the_administrator_runs_a_projects_trigger_without_a_superuser(
    owner: asyncpg.Connection, address: DatabaseAddress
) -> None:
    await owner.execute("""
        create trigger tries before update on auth.users for each row execute function public.tries();
        create trigger tries before insert on auth.identities for each row execute function public.tries();
    """)
    email = f"{uuid4()}@example.com"
    member = await owner.fetchval(
        "insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), $1, now()) returning id",
        email,
    )
    admin = await asyncpg.connect(address.admin)
    await admin.execute(
        "insert into minato.operator_settings values ('admin_email', to_jsonb($1::text))"
        " on conflict (name) do update set value = excluded.value",
        email,
    )
    try:
        for connection in (owner, admin):
            for function in ("grant_admin_role", "revoke_admin_role"):
                assert await connection.fetchval(f"select minato.{function}($1)", member)
                await require_no_superuser(owner, ran=True)
    finally:
        await admin.close()
