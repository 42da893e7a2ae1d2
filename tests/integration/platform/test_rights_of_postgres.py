"""What `postgres` may do on a hosted project it may do here, the API's roles may not, and nobody becomes superuser."""

from __future__ import annotations

import asyncpg
import pytest

CALLERS = ("anon", "authenticated", "service_role", "authenticator")
DENIED = (asyncpg.InsufficientPrivilegeError, asyncpg.CantChangeRuntimeParamError)

# Statements of real projects' migrations, seeds and dumps.
HANDS_ON = (
    "create role app_login login; grant authenticated to app_login",
    "create role app nologin; grant app to authenticator; grant anon, service_role to app with admin option",
    "create role reader; grant pg_read_all_data to reader",
    "alter role authenticator set statement_timeout = '8s'",
    "alter role anon set statement_timeout = '1s'",
    "alter role authenticated set statement_timeout to default",
    "alter role service_role set lock_timeout = '10s'",
)
PARAMETERS = (
    *("session_replication_role = replica", "track_io_timing = on", "wal_compression = on"),
    *("log_lock_waits = on", "log_min_duration_statement = 250", "log_min_messages = warning"),
    *("log_parameter_max_length = 10", "log_replication_commands = on", "log_statement = 'ddl'", "log_temp_files = 0"),
)
STORED = (
    *("pgrst.db_schemas = 'public,api'", "pgrst.db_max_rows = '10'", "pgrst.db_aggregates_enabled = 'true'"),
    *("pgrst.db_extra_search_path = 'public,extensions'", "pgrst.db_pre_request = 'public.check_request'"),
    *("pgrst.openapi_mode = 'disabled'", "pgrst.server_timing_enabled = 'true'", "pgrst.db_plan_enabled = 'true'"),
    *("pgrst.jwt_secret = 'x'", "pgaudit.log = 'ddl'", "auto_explain.log_min_duration = '1s'"),
    *("pg_stat_statements.track = 'all'", "safeupdate.enabled = '1'", "plan_filter.statement_cost_limit = '1'"),
)
# What makes a superuser, or what only one may do.
ESCALATIONS = (
    "alter role postgres superuser",
    "create role evil superuser",
    "set role supabase_admin",
    "grant supabase_admin to postgres",
    "alter role supabase_admin password 'x'",
    "alter role supabase_admin set search_path = public",
    "grant pg_read_server_files to postgres",
    "grant pg_write_server_files to postgres",
    "grant pg_execute_server_program to postgres",
    "copy (select 1) to program 'true'",
    "copy (select 1) to '/dev/null'",
    "select pg_read_file('PG_VERSION')",
    "select lo_import('/etc/hostname')",
    "create function f() returns int language c as 'x', 'y'",
    "set session_preload_libraries = 'x'",
    "alter role postgres set session_preload_libraries = 'x'",
    "alter role postgres set local_preload_libraries = '/tmp/x'; load '/tmp/x'",
    "set dynamic_library_path = '/tmp'",
    "alter role authenticator set dynamic_library_path = '/tmp'",
    "update pg_extension set extowner = 10",
    "select minato.give_extension('plpgsql', 'postgres')",
    "set lo_compat_privileges = on",
    "set allow_system_table_mods = on",
)


async def becomes(db: asyncpg.Connection, role: str) -> None:
    """As one who logged in as `role`: RESET ROLE gives nothing back."""
    await db.execute(f"set session authorization {role}")


@pytest.mark.parametrize("statement", HANDS_ON)
async def test_postgres_hands_the_roles_on_and_changes_their_settings(db: asyncpg.Connection, statement: str) -> None:
    await becomes(db, "postgres")
    await db.execute(statement)


@pytest.mark.parametrize("statement", HANDS_ON)
@pytest.mark.parametrize("role", CALLERS)
async def test_a_caller_does_neither(db: asyncpg.Connection, role: str, statement: str) -> None:
    await becomes(db, role)
    if statement.startswith(f"alter role {role} "):
        await db.execute(statement)  # its own settings are everybody's
        return
    with pytest.raises(DENIED):
        await db.execute(statement)


@pytest.mark.parametrize("setting", PARAMETERS)
async def test_postgres_sets_what_a_superuser_sets_elsewhere(db: asyncpg.Connection, setting: str) -> None:
    await becomes(db, "postgres")
    await db.execute(f"set {setting}; alter role postgres set {setting}")
    for role in CALLERS:
        async with db.transaction():
            await db.execute(f"alter role {role} set {setting}")


@pytest.mark.parametrize("setting", PARAMETERS)
@pytest.mark.parametrize("role", CALLERS)
async def test_a_caller_sets_none_of_it(db: asyncpg.Connection, role: str, setting: str) -> None:
    await becomes(db, role)
    with pytest.raises(DENIED):
        async with db.transaction():
            await db.execute(f"set {setting}")
    with pytest.raises(DENIED):
        await db.execute(f"alter role {role} set {setting}")


@pytest.mark.parametrize("setting", PARAMETERS)
async def test_postgres_writes_none_of_it_into_the_servers_files_and_hands_none_on(
    db: asyncpg.Connection, setting: str
) -> None:
    asked = "select has_parameter_privilege('postgres', $1, $2)"
    for privilege in ("alter system", "set with grant option"):
        assert not await db.fetchval(asked, setting.partition(" ")[0], privilege)


@pytest.mark.parametrize("setting", STORED)
async def test_postgres_keeps_settings_for_the_login_of_requests(db: asyncpg.Connection, setting: str) -> None:
    await becomes(db, "postgres")
    await db.execute(f"alter role authenticator set {setting}")
    name = setting.partition(" ")[0]
    kept = await db.fetchval("select rolconfig from pg_roles where rolname = 'authenticator'")
    assert name in [entry.partition("=")[0] for entry in kept]
    await db.execute(f"alter role authenticator reset {name}")


@pytest.mark.parametrize("setting", STORED)
@pytest.mark.parametrize("role", CALLERS)
async def test_a_caller_keeps_none(db: asyncpg.Connection, role: str, setting: str) -> None:
    await becomes(db, role)
    with pytest.raises(DENIED):
        await db.execute(f"alter role authenticator set {setting}")


@pytest.mark.parametrize("statement", ESCALATIONS)
@pytest.mark.parametrize("role", ["postgres", "authenticated"])
async def test_neither_of_them_becomes_superuser(db: asyncpg.Connection, role: str, statement: str) -> None:
    version = await db.fetchval("select current_setting('server_version_num')::int")
    await becomes(db, role)
    if version < 160000 and role == "postgres" and statement.startswith("grant pg_"):
        # Up to PostgreSQL 15 whoever may create roles may grant every one that is no superuser's.
        await db.execute(statement)
        return
    with pytest.raises(
        (*DENIED, asyncpg.PostgresError), match=r"permission denied|must (be|have)|is not allowed|[Oo]nly roles with"
    ):
        await db.execute(statement)


async def test_a_dump_of_data_alone_is_loaded(db: asyncpg.Connection) -> None:
    await becomes(db, "postgres")
    await db.execute("""
        create table public.parents (id int primary key);
        create table public.children (id int primary key, parent int references public.parents);
        create function public.refuse() returns trigger language plpgsql as 'begin raise ''fired''; end';
        create trigger t before insert on public.children for each row execute function public.refuse();
        set session_replication_role = replica;
        insert into public.children values (1, 1);
        insert into auth.identities (provider_id, user_id, identity_data, provider, id)
            values ('x', gen_random_uuid(), '{}', 'email', gen_random_uuid());
        insert into public.parents values (1);
        reset all;
    """)
    with pytest.raises(asyncpg.RaiseError, match="fired"):
        async with db.transaction():
            await db.execute("insert into public.children values (2, 1)")
    await db.execute("alter table public.children disable trigger t; insert into public.children values (2, 1)")


@pytest.mark.parametrize("statement", [
    "comment on schema public is 'x'",
    "alter schema public owner to postgres",
    "alter schema extensions rename to more",
    "alter database {database} set timezone to 'Europe/Berlin'",
    "create schema mine; grant usage on schema mine to anon; alter default privileges in schema mine"
    " grant select on tables to anon",
    "alter publication supabase_realtime set (publish = 'insert')",
    "create publication mine for table public.parents",
])  # fmt: skip
async def test_postgres_owns_what_is_the_projects(db: asyncpg.Connection, statement: str) -> None:
    database = await db.fetchval("select current_database()")
    await db.execute(f"alter database {database} owner to postgres; create table public.parents (id int primary key)")
    await db.execute("alter table public.parents owner to postgres")
    await becomes(db, "postgres")
    await db.execute(statement.format(database=database))


@pytest.mark.parametrize("schema", ["auth", "storage", "realtime", "vault", "graphql", "minato"])
async def test_a_schema_of_a_service_is_not_the_projects(db: asyncpg.Connection, schema: str) -> None:
    await becomes(db, "postgres")
    for statement in (f"drop schema {schema} cascade", f"alter schema {schema} owner to postgres"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with db.transaction():
                await db.execute(statement)
