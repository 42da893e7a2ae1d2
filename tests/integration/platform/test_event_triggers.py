"""Event triggers of a project's files, which `postgres` runs, work as on a hosted project."""

from __future__ import annotations

import asyncpg
import pytest
from minato.database.address import DatabaseAddress
from minato.project.errors import ProjectError

from tests.support.as_project import run_project_file

TOLD = """
create table public.told (event text, tag text, who text, what text);
grant all on public.told to public;
create function public.tell() returns event_trigger language plpgsql as $$
declare
    command record;
begin
    for command in select * from pg_event_trigger_ddl_commands() loop
        insert into public.told values (tg_event, tg_tag, current_user, command.object_identity);
    end loop;
end
$$;
create event trigger tell on ddl_command_end when tag in ('CREATE TABLE', 'ALTER TABLE') execute function public.tell();
"""


async def told(owner: asyncpg.Connection) -> list[tuple[str, ...]]:
    rows = await owner.fetch("with gone as (delete from public.told returning *) select * from gone")
    return [tuple(row) for row in rows]


async def test_it_fires_for_any_connection_with_the_tags_it_asked_for(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(address, TOLD)
    await owner.execute("create table public.a (id int); create view public.v as select 1 as one")
    await owner.execute("alter table public.a add name text")
    assert await told(owner) == [
        ("ddl_command_end", "CREATE TABLE", "postgres", "public.a"),
        ("ddl_command_end", "ALTER TABLE", "postgres", "public.a"),
    ]


async def test_it_fires_with_the_rights_of_the_acting_role(address: DatabaseAddress, owner: asyncpg.Connection) -> None:
    await run_project_file(address, TOLD + "grant create on schema public to service_role")
    await owner.execute("set role service_role; create table public.a (id int); reset role")
    assert [who for _, _, who, _ in await told(owner)] == ["service_role"]


async def test_a_security_definer_function_runs_as_its_owner(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(
        address, TOLD + "alter function public.tell() security definer; grant create on schema public to service_role"
    )
    await owner.execute("set role service_role; create table public.a (id int); reset role")
    assert [who for _, _, who, _ in await told(owner)] == ["postgres"]


async def test_a_service_changing_its_own_tables_fires_nothing(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(address, TOLD)
    await owner.execute("set role supabase_auth_admin; create table auth.more (id int); reset role")
    assert await told(owner) == []


async def test_every_event_reaches_the_function_with_what_may_be_asked_in_it(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(
        address,
        """
        create table public.told (event text, tag text, who text, what text);
        create function public.starts() returns event_trigger language plpgsql as
            'begin insert into public.told values (tg_event, tg_tag); end';
        create function public.drops() returns event_trigger language plpgsql as $$
        begin
            insert into public.told select tg_event, tg_tag, current_user, object_identity
            from pg_event_trigger_dropped_objects() where object_type = 'table';
        end $$;
        create function public.rewrites() returns event_trigger language plpgsql as $$
        begin
            insert into public.told values (tg_event, tg_tag, pg_event_trigger_table_rewrite_reason()::text,
                pg_event_trigger_table_rewrite_oid()::regclass::text);
        end $$;
        create table public.a (id int);
        create event trigger starts on ddl_command_start when tag in ('DROP TABLE') execute procedure public.starts();
        create event trigger drops on sql_drop execute function public.drops();
        create event trigger rewrites on table_rewrite execute function public.rewrites();
        """,
    )
    await owner.execute("set search_path = ''; alter table public.a alter id type bigint; drop table public.a")
    assert await told(owner) == [
        ("table_rewrite", "ALTER TABLE", "4", "public.a"),
        ("ddl_command_start", "DROP TABLE", None, None),
        ("sql_drop", "DROP TABLE", "postgres", "public.a"),
    ]


async def test_a_refusal_of_the_function_undoes_the_statement(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(
        address,
        """
        create function public.refuse() returns event_trigger language plpgsql as
            $$ begin raise exception 'no tables today'; end $$;
        create event trigger refuse on ddl_command_end execute function public.refuse();
        """,
    )
    with pytest.raises(asyncpg.RaiseError, match="no tables today"):
        await owner.execute("create table public.a (id int)")
    assert await owner.fetchval("select to_regclass('public.a')") is None


async def test_a_function_that_is_replaced_or_altered_counts_at_once(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(address, TOLD)
    await owner.execute("""
        create or replace function public.tell() returns event_trigger language plpgsql as
            $$ begin insert into public.told values (current_setting('work_mem')); end $$;
        alter function public.tell() set work_mem = '3MB';
        create table public.a (id int);
    """)
    assert [event for event, *_ in await told(owner)] == ["3MB"]


async def test_its_owner_switches_renames_and_drops_it_by_plain_statements(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(address, TOLD)
    owned = "select evtowner::regrole::text from pg_event_trigger where evtname = 'tell'"
    assert await owner.fetchval(owned) == "postgres"
    await owner.execute("comment on event trigger tell is 'x'; alter event trigger tell disable")
    await owner.execute("create table public.a (id int)")
    assert await told(owner) == []
    await owner.execute("alter event trigger tell rename to other; alter event trigger other enable")
    await owner.execute("create table public.b (id int)")
    assert len(await told(owner)) == 1
    await owner.execute("drop event trigger other; create table public.c (id int)")
    assert await told(owner) == []
    await run_project_file(address, "create event trigger tell on ddl_command_end execute procedure tell()")


async def test_its_function_goes_with_cascade_alone_and_takes_everything_along(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(address, TOLD)
    with pytest.raises(asyncpg.DependentObjectsStillExistError, match="event trigger tell depends on function"):
        await owner.execute("drop function public.tell()")
    await owner.execute("drop function public.tell() cascade; create table public.a (id int)")
    assert not await owner.fetchval("select exists (select from pg_event_trigger where evtname = 'tell')")
    assert not await owner.fetchval("select exists (select from pg_proc where proname ~ '^(guard|run)_[0-9]')")


async def test_two_triggers_share_a_function_that_is_dropped_with_the_last(
    address: DatabaseAddress, owner: asyncpg.Connection
) -> None:
    await run_project_file(
        address,
        TOLD + "create event trigger again on ddl_command_end when tag in ('CREATE TABLE') execute function tell()",
    )
    await owner.execute("create table public.a (id int)")
    assert len(await told(owner)) == 2
    await owner.execute("drop event trigger tell; drop event trigger again; drop function public.tell()")


async def test_a_plain_connection_calls_the_function_of_the_platform(owner: asyncpg.Connection) -> None:
    await owner.execute("create function public.quiet() returns event_trigger language plpgsql as 'begin end'")
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="permission denied to create event trigger"):
        await owner.execute("create event trigger mine on ddl_command_end execute function public.quiet()")
    await owner.execute(
        "select minato.create_event_trigger('mine', 'ddl_command_end', 'public.quiet()', '{CREATE TABLE}')"
    )
    assert await owner.fetchval("select evttags from pg_event_trigger where evtname = 'mine'") == ["CREATE TABLE"]


@pytest.mark.parametrize(("statement", "message"), [
    ("create event trigger t on ddl_command_end execute function public.missing()", "does not exist"),
    ("create event trigger t on ddl_command_end execute function public.plain()", "must return type event_trigger"),
    ("create event trigger t on noon execute function public.quiet()", 'unrecognized event name "noon"'),
    ("create event trigger t on ddl_command_end when tag in ('TEA') execute function public.quiet()", "TEA"),
    ("create event trigger t on sql_drop when moon in ('full') execute function public.quiet()", "permission denied"),
    ("create event trigger pgrst_ddl_watch on ddl_command_end execute function public.quiet()", "already exists"),
    ("create event trigger t on ddl_command_end execute function extensions.pgrst_ddl_watch()", "non-superuser owned"),
])  # fmt: skip
async def test_what_is_wrong_is_told_in_the_place_of_the_statement(
    address: DatabaseAddress, statement: str, message: str
) -> None:
    await run_project_file(
        address,
        "create function public.quiet() returns event_trigger language plpgsql as 'begin end';"
        "create function public.plain() returns int language sql as 'select 1'",
    )
    with pytest.raises(ProjectError, match=message) as caught:
        await run_project_file(address, f"-- the first line\n{statement}")
    assert str(caught.value).startswith("test.sql:1\nERROR: ")
    assert statement in str(caught.value)


async def test_a_block_may_make_one(address: DatabaseAddress, owner: asyncpg.Connection) -> None:
    await run_project_file(
        address,
        """
        create function public.quiet() returns event_trigger language plpgsql as 'begin end';
        do $$
        begin
            if not exists (select from pg_event_trigger where evtname = 'Mine') then
                create event trigger "Mine" on ddl_command_end
                    when tag in ('CREATE TABLE', 'CREATE TABLE AS') execute procedure public.quiet();
            end if;
        end $$;
        """,
    )
    assert await owner.fetchval("select evttags from pg_event_trigger where evtname = 'Mine'") == [
        "CREATE TABLE",
        "CREATE TABLE AS",
    ]
