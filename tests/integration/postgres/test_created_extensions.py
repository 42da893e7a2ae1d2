"""`postgres` creates what a hosted project lets it create, and becomes nobody else by it."""

from __future__ import annotations

import asyncpg
import pytest
from minato.postgres.binaries import PostgresBinaries, find_binaries
from minato.postgres.extensions import TRUSTED

from tests.integration.postgres.conftest import SERVER


def extensions_of(server: PostgresBinaries) -> set[str]:
    assert server.extensions is not None
    return {path.stem for path in server.extensions.glob("*.control")}


SHIPPED = extensions_of(SERVER)
PREINSTALLED = {
    "plpgsql": "pg_catalog",
    "pgcrypto": "extensions",
    "uuid-ossp": "extensions",
    "pg_stat_statements": "extensions",
}
DOORS = ("file_fdw", "pageinspect", "pg_surgery", "pg_walinspect", "pg_visibility", "amcheck", "pg_freespacemap")


def test_the_shipped_server_has_what_projects_ask_for() -> None:
    wanted = """
        vector pg_trgm unaccent citext hstore ltree btree_gin btree_gist fuzzystrmatch pg_stat_statements tablefunc
        intarray moddatetime postgres_fdw dblink cube earthdistance isn seg tcn
    """
    assert set(wanted.split()) <= extensions_of(find_binaries(None)) & TRUSTED


@pytest.mark.parametrize("name", sorted(SHIPPED & TRUSTED))
@pytest.mark.parametrize("clause", ["", " with schema extensions", " with schema extensions cascade"])
async def test_postgres_creates_and_drops_an_extension_of_the_list(
    shipped: asyncpg.Connection, name: str, clause: str
) -> None:
    needs_another = " cascade" if name == "earthdistance" and "cascade" not in clause else ""
    await shipped.execute(f'drop extension if exists "{name}" cascade; set role postgres')
    await shipped.execute(f'create extension "{name}"{clause}{needs_another}')
    owner = "select extowner::regrole::text from pg_extension where extname = $1"
    assert await shipped.fetchval(owner, name) == "postgres"
    await shipped.execute(f'comment on extension "{name}" is null; drop extension "{name}"')


@pytest.mark.parametrize("name", sorted(SHIPPED & TRUSTED))
@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role"])
async def test_nobody_else_creates_one(shipped: asyncpg.Connection, name: str, role: str) -> None:
    await shipped.execute(f'drop extension if exists "{name}" cascade; set role {role}')
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await shipped.execute(f'create extension "{name}" cascade')


@pytest.mark.parametrize("name", DOORS)
async def test_a_door_to_the_disk_or_the_log_stays_shut(shipped: asyncpg.Connection, name: str) -> None:
    await shipped.execute("set role postgres")
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="permission denied to create extension"):
        await shipped.execute(f"create extension {name}")


async def test_what_a_hosted_project_has_from_the_start_is_there(shipped: asyncpg.Connection) -> None:
    rows = await shipped.fetch("select extname, extnamespace::regnamespace::text from pg_extension")
    assert {name: schema for name, schema in rows if name in PREINSTALLED} == PREINSTALLED


async def test_statements_are_counted(shipped: asyncpg.Connection) -> None:
    await shipped.execute("set role postgres")
    await shipped.fetchval("select 'counted'::text")
    found = await shipped.fetchval(
        "select count(*) from extensions.pg_stat_statements where query like 'select $1::text%'"
    )
    assert found == 1


async def test_what_an_extension_brings_works_and_may_be_granted_on(shipped: asyncpg.Connection) -> None:
    await shipped.execute("set role postgres; create extension unaccent with schema extensions")
    await shipped.execute("grant execute on function extensions.unaccent(text) to anon; set role anon")
    assert await shipped.fetchval("select extensions.unaccent('Hôtel')") == "Hotel"


async def test_similar_vectors_are_found_by_an_index(shipped: asyncpg.Connection) -> None:
    if "vector" not in SHIPPED:
        # A package of its own where a distribution has it.
        with pytest.raises(asyncpg.FeatureNotSupportedError, match='extension "vector" is not available'):
            await shipped.execute("create extension vector")
        return
    await shipped.execute("""
        set role postgres;
        create extension vector with schema extensions;
        create table public.items (id int primary key, embedding extensions.vector(3));
        insert into public.items values (1, '[1,0,0]'), (2, '[0,1,0]');
        create index on public.items using hnsw (embedding extensions.vector_cosine_ops);
        set role service_role;
        set enable_seqscan = off;
    """)
    nearest = "select id from public.items order by embedding operator(extensions.<=>) '[0,2,0]' limit 1"
    assert await shipped.fetchval(nearest) == 2
    assert "Index Scan" in str(await shipped.fetch(f"explain {nearest}"))


async def test_a_row_tells_when_it_changed(shipped: asyncpg.Connection) -> None:
    await shipped.execute("""
        set role postgres;
        create extension moddatetime with schema extensions;
        create table public.notes (id int, changed timestamptz default '2000-01-01');
        create trigger t before update on public.notes for each row execute function extensions.moddatetime(changed);
        insert into public.notes values (1);
        update public.notes set id = 2;
    """)
    assert await shipped.fetchval("select changed = now() from public.notes")


async def test_another_server_is_read_as_a_table(shipped: asyncpg.Connection) -> None:
    await shipped.execute("""
        set role postgres;
        create extension postgres_fdw with schema extensions;
        create server there foreign data wrapper postgres_fdw options (host '127.0.0.1');
        create user mapping for authenticated server there options (user 'x', password 'x');
        create foreign table public.far (id int) server there;
    """)
    await shipped.execute("set role anon")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await shipped.execute("create server elsewhere foreign data wrapper postgres_fdw")
