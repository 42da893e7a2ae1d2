"""minato.published_tables names the tables of a publication as PostgreSQL does, and waits for nobody's lock."""

from __future__ import annotations

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

TABLES = """
create schema "Odd schema";
create table public.plain (id int primary key);
create unlogged table public.fleeting (id int);
create view public.seen as select 1 as id;
create table "Odd schema"."An odd ""table"" of its own" (id int);
create table public.whole (id int) partition by range (id);
create table "Odd schema".half partition of public.whole for values from (0) to (10) partition by range (id);
create table public.leaf partition of "Odd schema".half for values from (0) to (5);
create table "Odd schema".other_leaf partition of public.whole for values from (10) to (20);
create table public.parent (id int);
create table public.child () inherits (public.parent);
"""
ASKED = "select t::oid::regclass::text as name from minato.published_tables('p') as t order by 1"
TOLD = """
select format('%I.%I', schemaname, tablename)::regclass::text as name
  from pg_publication_tables where pubname = 'p' order by 1
"""


@pytest.mark.parametrize("via_root", ["true", "false"])
@pytest.mark.parametrize(
    "members",
    [
        "",
        "for all tables",
        "for table public.plain, only public.parent",
        "for table public.whole",
        'for table public.whole, public.leaf, "Odd schema".half',
        'for table public.plain (id) where (id > 1), "Odd schema".half',
        "for tables in schema public",
        'for tables in schema "Odd schema"',
        'for tables in schema "Odd schema", table public.parent, table public.whole',
    ],
)
async def test_published_tables_are_those_that_postgresql_names(
    db: asyncpg.Connection, members: str, via_root: str
) -> None:
    await db.execute(f"{TABLES}; create publication p {members} with (publish_via_partition_root = {via_root})")
    assert await db.fetch(ASKED) == await db.fetch(TOLD)


async def test_a_publication_that_is_not_there_has_no_tables(db: asyncpg.Connection) -> None:
    assert await db.fetch(ASKED) == []


async def test_published_tables_are_told_while_somebody_alters_one(address: DatabaseAddress) -> None:
    asking, altering = [await asyncpg.connect(address.admin) for _ in range(2)]
    await asking.execute("create table public.plain (id int); create publication p for table public.plain")
    await altering.execute("begin; alter table public.plain add more int")
    await asking.execute("set lock_timeout to '1s'")
    assert [row["name"] for row in await asking.fetch(ASKED)] == ["plain"]
    for connection in (asking, altering):
        await connection.close()
