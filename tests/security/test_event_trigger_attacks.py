"""An event trigger of the project's never acts with a superuser's rights, whoever's statement fires it. Each test is a
way that was tried as `postgres`, logged in as such."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.as_project import owner_url, run_project_file

# Every attempt is caught, so that one that fails hides neither the next nor that the function ran.
BODY = """
begin
    insert into public.seen values (current_user, session_user, tg_tag);
    begin set local role supabase_admin; exception when others then null; end;
    begin set local session authorization supabase_admin; exception when others then null; end;
    begin execute 'set role none'; exception when others then null; end;
    begin
        execute 'create role ' || quote_ident('taken_by_' || current_user || '_%(mark)s') || ' superuser';
    exception when others then null;
    end;
    begin alter role postgres superuser; exception when others then null; end;
end
"""
EVENTS = "ddl_command_start", "ddl_command_end", "sql_drop", "table_rewrite"
# By everybody who acts as a superuser, or could.
DDL = """
create table %(schema)s.mine (id int);
alter table %(schema)s.mine alter id type bigint;
create view %(schema)s.v as select * from %(schema)s.mine;
create function %(schema)s.f() returns int language sql as 'select 1';
drop table %(schema)s.mine cascade;
"""


@dataclass
class Attack:
    """`owner` is the attacker's session, `admin` the superuser's; `function` is what the event triggers call."""

    address: DatabaseAddress
    owner: asyncpg.Connection
    admin: asyncpg.Connection
    mark: str
    function: str

    async def set_trap(self) -> None:
        """Let the function lie in wait behind every event there is."""
        await run_project_file(self.address, "create table public.seen (who text, login text, tag text); "
                               "grant all on public.seen to public; " + self.function)  # fmt: skip
        for event in (*EVENTS, *(["login"] if await self.version() >= 170000 else [])):
            await run_project_file(
                self.address, f"create event trigger evil_{event} on {event} execute function public.evil()"
            )

    async def version(self) -> int:
        return int(await self.owner.fetchval("select current_setting('server_version_num')"))

    async def works(self) -> int:
        """How often the trap went off since it was asked; the attacker's own DDL does it."""
        gone = "with gone as (delete from public.seen returning *) select count(*) from gone"
        return int(await self.admin.fetchval(gone))

    async def require_nothing_won(self, ran: bool = False) -> None:
        """Nobody became superuser, and unless it may have `ran`, the function never began."""
        superusers = await self.admin.fetch("select rolname from pg_roles where rolsuper")
        assert [row["rolname"] for row in superusers] == ["supabase_admin"]
        seen = await self.admin.fetch("select * from public.seen")
        assert ran or not seen, seen
        assert not [row for row in seen if "supabase_admin" in (row["who"], row["login"])]


@pytest.fixture
async def attack(address: DatabaseAddress) -> AsyncIterator[Attack]:
    owner = await asyncpg.connect(owner_url(address))
    admin = await asyncpg.connect(address.admin)
    mark = secrets.token_hex(4)
    function = (
        f"create function public.evil() returns event_trigger language plpgsql as $evil${BODY % {'mark': mark}}$evil$;"
    )
    try:
        yield Attack(address, owner, admin, mark, function)
    finally:
        await admin.execute("alter role postgres nosuperuser")
        for row in await admin.fetch("select quote_ident(rolname) from pg_roles where rolname like '%' || $1", mark):
            await admin.execute(f"drop role {row[0]}")
        await owner.close()
        await admin.close()


async def other(url: str, *statements: str) -> None:
    """The statements on a connection of their own."""
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def test_the_trap_is_one(attack: Attack) -> None:
    # Both sides: it does fire for the attacker's own statements, and would win where a superuser called it.
    await attack.set_trap()
    await attack.owner.execute("create table public.own (id int)")
    assert await attack.works() > 0
    await attack.admin.execute(
        "create function public.direct() returns event_trigger language plpgsql as $$"
        + BODY % {"mark": attack.mark}
        + "$$;"
        "create event trigger direct on ddl_command_end execute function public.direct();"
        "create table public.first (id int); drop event trigger direct"
    )
    assert await attack.admin.fetchval("select rolsuper from pg_roles where rolname = 'postgres'")


WAYS = {
    "by_the_superusers_own_statements": (),
    "after_set_role": ("set role postgres",),
    "after_set_session_authorization": ("set session authorization postgres",),
    "after_both": ("set session authorization postgres", "set role service_role"),
    "with_the_projects_schemas_first": ("set search_path = public, pg_catalog",),
    "as_a_replica": ("set session_replication_role = replica",),
}


@pytest.mark.parametrize("way", WAYS)
async def test_nothing_runs_in_a_superusers_session(attack: Attack, way: str) -> None:
    await attack.set_trap()
    await attack.admin.execute("create schema there; grant all on schema there to public")
    await other(attack.address.admin, *WAYS[way], DDL % {"schema": "there"})
    await attack.require_nothing_won()


async def test_nothing_runs_for_a_login_that_could_become_superuser(attack: Attack) -> None:
    await attack.set_trap()
    role = f"op_{attack.mark}"
    await attack.admin.execute(f"create role {role} login noinherit in role supabase_admin; grant postgres to {role}")
    await attack.admin.execute(f"create schema there authorization {role}; create schema here authorization postgres")
    url = attack.address.admin.replace("supabase_admin", role, 1)
    await other(url, DDL % {"schema": "there"})
    await other(url, "set role postgres", DDL % {"schema": "here"})
    await attack.admin.execute(f"drop owned by {role} cascade")
    await attack.require_nothing_won()


@pytest.mark.parametrize("extension", ["citext", "pgjwt", "pg_cron", "pgmq"])
async def test_an_extensions_script_fires_nothing(attack: Attack, extension: str) -> None:
    await attack.owner.execute(f"drop extension if exists {extension} cascade")
    await attack.set_trap()
    await attack.owner.execute(f"create extension {extension} cascade; drop extension {extension}")
    # The script of pgmq asks for no superuser: it is run by who creates it.
    await attack.require_nothing_won(ran=extension == "pgmq")


async def test_the_platforms_own_ddl_fires_nothing(attack: Attack) -> None:
    await attack.set_trap()
    await attack.admin.execute("select minato.keep_message_partitions(current_date + 400)")
    await attack.admin.execute("select minato.default_privileges('postgres', 'public', 'anon')")
    await attack.require_nothing_won()


async def test_what_the_platform_lends_fires_nothing(attack: Attack) -> None:
    await attack.set_trap()
    await run_project_file(
        attack.address,
        "create publication everything for all tables; create publication one for tables in schema public;"
        "alter publication one set tables in schema storage",
    )
    await attack.require_nothing_won(ran=True)


async def test_replacing_the_function_afterwards_wins_nothing(attack: Attack) -> None:
    harmless = "create function public.evil() returns event_trigger language plpgsql as 'begin end';"
    evil, attack.function = attack.function, harmless
    await attack.set_trap()
    await attack.owner.execute(evil.replace("create function", "create or replace function"))
    await attack.admin.execute("create schema there;" + DDL % {"schema": "there"})
    await attack.require_nothing_won(ran=True)
    assert not await attack.admin.fetch("select from public.seen where tag = 'CREATE TABLE'")


@pytest.mark.parametrize("alteration", [
    "security definer",
    "security definer set search_path = public",
    "set session_replication_role = replica",
    "owner to supabase_auth_admin",
    "rename to renamed",
    "set schema extensions",
    "set role to postgres",
])  # fmt: skip
async def test_altering_the_function_wins_nothing(attack: Attack, alteration: str) -> None:
    await attack.set_trap()
    await attack.admin.execute("grant create on schema public to supabase_auth_admin")
    await attack.owner.execute(f"alter function public.evil() {alteration}")
    await attack.owner.execute("create table public.own (id int)")
    await attack.require_nothing_won(ran=True)
    await attack.works()
    await attack.admin.execute("create schema there;" + DDL % {"schema": "there"})
    await attack.require_nothing_won()


async def test_a_function_that_a_superuser_takes_over_is_not_run_as_its_owner(attack: Attack) -> None:
    await attack.set_trap()
    await attack.owner.execute("alter function public.evil() security definer")
    await attack.admin.execute("alter function public.evil() owner to supabase_admin")
    await attack.owner.execute("create table public.own (id int)")
    await attack.require_nothing_won(ran=True)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await attack.owner.execute(
            "create or replace function public.evil() returns event_trigger language plpgsql as 'begin end'"
        )


@pytest.mark.parametrize("alteration", ["security definer", "security invoker", "set role = postgres", "leakproof"])
async def test_altering_the_copy_wins_nothing(attack: Attack, alteration: str) -> None:
    await attack.set_trap()
    copy = await attack.admin.fetchval("select oid::regprocedure::text from pg_proc where proname ~ '^run_[0-9]'")
    try:
        await attack.owner.execute(f"alter function {copy} {alteration}")
    except asyncpg.InsufficientPrivilegeError:
        assert alteration == "leakproof"
    await attack.admin.execute("create schema there;" + DDL % {"schema": "there"})
    await attack.require_nothing_won(ran=True)
    assert not await attack.admin.fetch("select from public.seen where tag = 'CREATE TABLE'")


@pytest.mark.parametrize("trap", [
    "create function public.fires(tag text) returns boolean language sql as 'select true'",
    "create function public.pg_has_role(oid, oid, text) returns boolean language sql as 'select false'",
    "create function public.pg_backend_pid() returns int language sql as 'select 0'",
    "create function public.has(name, text) returns boolean language sql as 'select false';"
    "create operator public.= (leftarg = name, rightarg = text, function = public.has)",
    "create view public.pg_roles as select oid, rolname, false as rolsuper from pg_catalog.pg_roles",
    "create table public.pg_roles (oid oid, rolname name, rolsuper boolean)",
])  # fmt: skip
async def test_nothing_of_the_projects_answers_for_the_catalogue(attack: Attack, trap: str) -> None:
    await attack.set_trap()
    await attack.owner.execute(trap)
    await attack.works()
    await other(attack.address.admin, "set search_path = public, pg_catalog", "create table public.a (id int)")
    await other(attack.address.admin, "set search_path = public", "create table public.b (id int)")
    await attack.require_nothing_won()


async def test_a_function_of_the_attackers_that_a_superuser_calls_fires_nothing(attack: Attack) -> None:
    await attack.set_trap()
    await attack.owner.execute("""
        create function public.makes() returns int language plpgsql security definer as
            $$ begin create table public.made (id int); return 1; end $$;
        create materialized view public.shown as select 1 as one;
        grant select on public.shown to public;
    """)
    await attack.works()
    await other(attack.address.admin, "select public.makes()", "refresh materialized view public.shown")
    await attack.require_nothing_won()


async def test_a_login_of_a_superuser_or_a_service_fires_nothing(attack: Attack) -> None:
    await attack.set_trap()
    for role in ("supabase_admin", "supabase_auth_admin", "supabase_storage_admin"):
        await other(attack.address.admin.replace("supabase_admin", role, 1), "select 1")
    await attack.require_nothing_won()
    if await attack.version() >= 170000:
        await other(owner_url(attack.address), "select 1")
        assert await attack.works() == 1


@pytest.mark.parametrize("statement", [
    "create or replace function minato_events.guard_{n}() returns event_trigger language plpgsql as 'begin end'",
    "alter function minato_events.guard_{n}() security definer",
    "alter function minato_events.guard_{n}() owner to postgres",
    "drop function minato_events.guard_{n}() cascade",
    "alter function minato_events.fires(text) owner to postgres",
    "create or replace function minato_events.fires(tag text) returns boolean language sql as 'select true'",
    "create function minato_events.fires(tag varchar) returns boolean language sql as 'select true'",
    "create or replace function minato_events.run_{n}(tg_event text, tg_tag text) returns void language sql as ''",
    "create function minato_events.run_{n}(tg_event name, tg_tag text) returns void language sql as ''",
    "alter function public.evil() set schema minato_events",
    "alter function minato_events.run_{n}(text, text) rename to mine",
    "alter function minato_events.run_{n}(text, text) owner to supabase_admin",
    "alter schema minato_events owner to postgres",
    "select setval('minato_events.numbers', 1)",
    "alter event trigger minato_renew_event_trigger_functions disable",
    "drop event trigger minato_renew_event_trigger_functions",
    "alter event trigger pgrst_ddl_watch rename to mine",
    "update pg_event_trigger set evtfoid = 'public.evil'::regproc",
    "select minato.own('pg_event_trigger', 1)",
    "select minato.copy_event_trigger_function('public.evil'::regproc, '1')",
    "select minato.guard_event_trigger_function('public.evil'::regproc)",
    "set event_triggers = off",
])  # fmt: skip
async def test_what_stands_between_can_not_be_taken_away(attack: Attack, statement: str) -> None:
    await attack.set_trap()
    guard = await attack.admin.fetchval("select proname from pg_proc where proname ~ '^guard_[0-9]'")
    # Before PostgreSQL 16 and 17 the same is said otherwise, or not known.
    older = 'must be member of role|unrecognized configuration parameter "event_triggers"'
    refused = rf"must be owner|permission denied|must be able to SET ROLE|{older}"
    with pytest.raises(asyncpg.PostgresError, match=refused):
        await attack.owner.execute(statement.format(n=guard.removeprefix("guard_")))


@pytest.mark.parametrize("call", [
    "minato.create_event_trigger('x on login execute function public.evil(); --', 'ddl_command_end', 'public.evil()')",
    "minato.create_event_trigger('x', 'login execute function public.evil(); alter role postgres superuser', 'evil()')",
    "minato.create_event_trigger('x', 'ddl_command_end', 'public.evil()', array['X'') execute function evil()'])",
    "minato.create_publication('x for all tables; alter role postgres superuser; --', false)",
    "minato.create_publication('x', false, array['public; alter role postgres superuser'])",
    "minato.alter_publication_schemas('supabase_realtime', 'add', array['public; alter role postgres superuser'])",
    "minato.alter_publication_schemas('supabase_realtime', 'add x; alter role postgres superuser; --', '{public}')",
    "minato.alter_publication_schemas('supabase_realtime_messages_publication', 'set', '{public}')",
    "minato.create_foreign_data_wrapper('x; alter role postgres superuser', 'evil', 'evil')",
])  # fmt: skip
async def test_no_value_is_taken_for_a_statement(attack: Attack, call: str) -> None:
    await attack.set_trap()
    await attack.works()
    with suppress(asyncpg.PostgresError):
        await attack.owner.execute(f"select {call}")
    await attack.require_nothing_won(ran=True)
    named = "select evtname::text from pg_event_trigger where evtfoid = 'public.evil'::regproc"
    assert await attack.admin.fetch(named) == []


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role", "authenticator", "supabase_auth_admin"])
@pytest.mark.parametrize("call", [
    "minato.create_event_trigger('x', 'ddl_command_end', 'public.evil()')",
    "minato.create_publication('x', true)",
    "minato.alter_publication_schemas('supabase_realtime', 'add', '{public}')",
    "minato.create_foreign_data_wrapper('x', 'evil', 'evil')",
])  # fmt: skip
async def test_nobody_but_postgres_is_lent_anything(attack: Attack, role: str, call: str) -> None:
    await attack.set_trap()
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="permission denied"):
        await other(attack.address.admin, f"set session authorization {role}", f"select {call}")
