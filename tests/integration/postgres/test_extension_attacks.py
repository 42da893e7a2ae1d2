"""Whoever may create extensions that a superuser is lent for becomes no superuser by it: each test is a way that was
tried as `postgres`, logged in as such."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import asyncpg
import pytest
from minato.postgres.address import PostgresAddress
from minato.postgres.extensions import TRUSTED

from tests.integration.postgres.conftest import SERVER

SYSTEM = SERVER.extensions
assert SYSTEM is not None
SHIPPED = sorted(path.stem for path in SYSTEM.glob("*.control") if path.stem in TRUSTED)
FOREIGN_MEMBERS = """
select p.oid::regprocedure from pg_proc p join pg_depend d on d.objid = p.oid and d.deptype = 'e'
where d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_extension'::regclass
and p.proowner <> 'supabase_admin'::regrole
"""


@pytest.fixture
async def attacker(wheel: PostgresAddress) -> AsyncIterator[asyncpg.Connection]:
    """`postgres`, inside a transaction that is rolled back."""
    connection = await asyncpg.connect(wheel.socket_url("postgres"))
    await connection.transaction().start()
    try:
        yield connection
    finally:
        await connection.close()


@pytest.mark.parametrize("schema", ["extensions", "public", "mine"])
@pytest.mark.parametrize("mode", ["origin", "replica"])
async def test_connecting_as_anybody_stays_shut_in_every_schema(
    attacker: asyncpg.Connection, wheel: PostgresAddress, schema: str, mode: str
) -> None:
    # Default privileges hand the functions of extensions on, and a replica fires no ordinary event trigger.
    await attacker.execute("create schema mine")
    await attacker.execute(f"set session_replication_role = {mode}; create extension dblink with schema {schema}")
    for role in ("postgres", "anon", "service_role"):
        for arguments in ("text", "text, text"):
            function = f"{schema}.dblink_connect_u({arguments})"
            assert not await attacker.fetchval("select has_function_privilege($1, $2, 'execute')", role, function)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await attacker.execute(f"select {schema}.dblink_connect_u('user=supabase_admin')")


async def test_nor_is_it_open_in_a_database_of_ones_own(wheel: PostgresAddress) -> None:
    owner = await asyncpg.connect(wheel.socket_url("postgres"))
    await owner.execute("create database attackers")
    try:
        there = await asyncpg.connect(wheel.socket_url("postgres", "attackers"))
        await there.execute("create extension dblink")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await there.execute("select dblink_connect_u('user=supabase_admin')")
        await there.close()
    finally:
        await owner.execute("drop database attackers with (force)")
        await owner.close()


async def test_the_trusting_socket_opens_to_no_link_without_a_password(
    attacker: asyncpg.Connection, wheel: PostgresAddress
) -> None:
    await attacker.execute("create extension dblink with schema extensions")
    target = f"host={wheel.socket_folder} port={wheel.port} user=supabase_admin dbname=postgres"
    for secret in ("", " password=guess"):
        statement = f"select * from extensions.dblink('{target}{secret}', 'select 1') as t (one int)"
        async with attacker.transaction():
            with pytest.raises(asyncpg.PostgresError, match="password"):
                async with attacker.transaction():
                    await attacker.execute(statement)


@pytest.mark.parametrize("options", [
    "user 'supabase_admin'",
    "user 'supabase_admin', password 'guess'",
    "user 'supabase_admin', password_required 'false'",
])  # fmt: skip
async def test_nor_to_a_foreign_table(attacker: asyncpg.Connection, wheel: PostgresAddress, options: str) -> None:
    with pytest.raises(asyncpg.PostgresError, match="password"):
        await attacker.execute(_reads_shadow(wheel, options))


async def test_nor_to_one_that_passes_the_login_on(wheel: PostgresAddress) -> None:
    admin = await asyncpg.connect(wheel.socket_url())
    await admin.execute("alter role postgres password 'known'")
    await admin.close()
    # By TCP with a password: the session then has the keys that may be passed on.
    address = urlsplit(wheel.tcp_url("postgres"))
    attacker = await asyncpg.connect(
        host=address.hostname, port=address.port, user="postgres", password="known", database="postgres"
    )
    await attacker.transaction().start()
    try:
        with pytest.raises(asyncpg.PostgresError, match=r"authentication|password"):
            await attacker.execute(_reads_shadow(wheel, "user 'supabase_admin', use_scram_passthrough 'true'"))
    finally:
        await attacker.close()


def _reads_shadow(wheel: PostgresAddress, options: str) -> str:
    return f"""
        create extension postgres_fdw with schema extensions;
        create server self foreign data wrapper postgres_fdw
            options (host '{wheel.socket_folder}', port '{wheel.port}', dbname 'postgres');
        create user mapping for postgres server self options ({options});
        create foreign table public.secrets (rolname name, rolpassword text) server self
            options (schema_name 'pg_catalog', table_name 'pg_authid');
        select * from public.secrets;
    """


@pytest.mark.parametrize("statement", [
    "drop function minato.after_create_extension() cascade",
    "alter function minato.after_create_extension() security invoker",
    "create or replace function minato.after_create_extension() returns event_trigger"
    " language plpgsql as 'begin end'",
    "create function minato.mine() returns int language sql as 'select 1'",
    "drop event trigger minato_after_create_extension",
    "alter event trigger minato_after_create_extension disable",
    "alter event trigger minato_after_create_extension owner to postgres",
    "alter schema minato owner to postgres",
    "drop schema minato cascade",
    "set event_triggers = off",
    "drop owned by supabase_admin",
    "reassign owned by supabase_admin to postgres",
])  # fmt: skip
async def test_what_closes_it_can_not_be_taken_away(attacker: asyncpg.Connection, statement: str) -> None:
    # PostgreSQL before 17 has no such parameter.
    unknown = 'unrecognized configuration parameter "event_triggers"'
    with pytest.raises(asyncpg.PostgresError, match=rf"must be owner|permission denied|{unknown}"):
        await attacker.execute(statement)


async def test_a_script_takes_in_nothing_that_lay_in_wait(attacker: asyncpg.Connection) -> None:
    """Functions with the names of an extension's own, in a schema of the attacker's: the extension refuses to be
    created, or passes them by; what belongs to it is the superuser's."""
    laid = refused = 0
    for name in SHIPPED:
        async with _undone(attacker):
            await attacker.execute(f'drop extension if exists "{name}" cascade')
            signatures = await _members(attacker, name)
            await attacker.execute("create schema trap; set local search_path = trap")
            for signature in signatures:
                body = "begin alter role postgres superuser; return null; end"
                await attacker.execute(f"create function trap.{signature} language plpgsql as '{body}'")
            laid += len(signatures)
            refused += await _is_refused(attacker, f'create extension "{name}" with schema trap cascade')
            assert await attacker.fetch(FOREIGN_MEMBERS) == [], name
            assert not await attacker.fetchval("select rolsuper from pg_roles where rolname = 'postgres'"), name
    assert laid > 100
    assert refused > 10


async def _is_refused(attacker: asyncpg.Connection, statement: str) -> bool:
    try:
        async with attacker.transaction():
            await attacker.execute(statement)
    except (asyncpg.DuplicateObjectError, asyncpg.DuplicateFunctionError, asyncpg.ObjectNotInPrerequisiteStateError):
        return True
    return False


async def _members(attacker: asyncpg.Connection, name: str) -> list[str]:
    """What a function of the extension is called with and returns, where those types are everybody's."""
    async with _undone(attacker):
        await attacker.execute(f'create schema seen; create extension "{name}" with schema seen cascade')
        rows = await attacker.fetch(
            """
            select distinct format('%I(%s) returns %s', proname, pg_get_function_identity_arguments(p.oid),
                pg_get_function_result(p.oid))
            from pg_proc p join pg_depend d on d.objid = p.oid and d.deptype = 'e'
            join pg_extension e on e.oid = d.refobjid and e.extname = $1
            where pronargs > 0 and prokind = 'f' and not proretset and proargmodes is null
            and prorettype not in ('cstring'::regtype, 'internal'::regtype)
            and not exists (select from unnest(proargtypes || prorettype) as t (oid) join pg_type using (oid)
                where typnamespace <> 'pg_catalog'::regnamespace or typtype = 'p')
            """,
            name,
        )
    return [signature for (signature,) in rows]


class _undone:
    """A subtransaction that leaves nothing."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._inner = connection.transaction()

    async def __aenter__(self) -> None:
        await self._inner.start()

    async def __aexit__(self, *_: object) -> None:
        await self._inner.rollback()


async def test_members_of_an_extension_are_not_its_creators(attacker: asyncpg.Connection) -> None:
    await attacker.execute("create schema mine; create extension hstore with schema mine")
    for statement in (
        "alter extension hstore drop function mine.akeys(mine.hstore)",
        "alter function mine.akeys(mine.hstore) security definer",
        "create or replace function mine.akeys(mine.hstore) returns text[] language sql as 'select null::text[]'",
        "alter function mine.akeys(mine.hstore) owner to postgres",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with attacker.transaction():
                await attacker.execute(statement)


@pytest.mark.parametrize(("name", "schema"), [("pg_cron", "cron"), ("pg_net", "net")])
async def test_a_schema_of_the_attackers_is_not_taken_for_the_servers_work(
    attacker: asyncpg.Connection, name: str, schema: str
) -> None:
    await attacker.execute(f"drop extension if exists {name} cascade; create schema {schema}")
    with pytest.raises(asyncpg.PostgresError, match=rf'schema "?{schema}"? (already exists|is not a member)'):
        await attacker.execute(f"create extension {name}")
