"""The proof of a comparison: what it prints, run on the one database, leaves nothing to tell from the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import permutations

import psycopg2
import pytest
from minato.database.address import DatabaseAddress
from minato.project.migrate import migrate_project
from minato.project.statements import split_statements
from minato.schema_diff.diff import compare, script
from minato.schema_diff.scope import Scope

from tests.integration.schema_diff.schemas import ALL
from tests.support.postgres import MARKETPLACE, Cluster

WHOLE = Scope()


def run(dsn: str, statements: str | list[str], role: str = "postgres") -> None:
    """In one transaction, as a migration runs."""
    found = [s.text for s in split_statements(statements)] if isinstance(statements, str) else statements
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(f"set role {role}")
            for statement in found:
                try:
                    cursor.execute(statement)
                except psycopg2.Error as error:
                    raise AssertionError(f"{statement}: {error}") from None
    finally:
        connection.close()


@pytest.fixture(scope="module")
async def platform(cluster: Cluster) -> AsyncIterator[Cluster]:
    """A cluster whose databases are cloned from the platform alone."""
    async with cluster.platform_database() as address:
        name = address.admin.rpartition("/")[2].partition("?")[0]
        platform = Cluster(cluster.postgres, name, "minato_diff")
        yield platform
        await platform.close()


@pytest.mark.parametrize(("before", "after"), list(permutations(ALL, 2)))
async def test_any_schema_is_reached_from_any_other(platform: Cluster, before: str, after: str) -> None:
    async with platform.fresh_database() as source, platform.fresh_database() as target:
        await asyncio.to_thread(converge, source, target, ALL[before], ALL[after])


def converge(source: DatabaseAddress, target: DatabaseAddress, before: str, after: str) -> None:
    run(source.admin, before)
    run(target.admin, after)
    run(source.admin, compare(source.admin, target.admin, WHOLE))
    assert script(compare(source.admin, target.admin, WHOLE)) == ""


async def test_the_marketplace_is_reached_from_nothing_and_left_again(platform: Cluster) -> None:
    async with platform.fresh_database() as source, platform.fresh_database() as target:
        await asyncio.to_thread(migrate_project, target.admin, MARKETPLACE)
        await asyncio.to_thread(there_and_back, source, target)


def there_and_back(source: DatabaseAddress, target: DatabaseAddress) -> None:
    """Both ways: first the empty one gets everything, then what was full loses it."""
    there = compare(source.admin, target.admin, WHOLE)
    back = compare(target.admin, source.admin, WHOLE)
    assert len(there) > 1000
    run(source.admin, there)
    assert script(compare(source.admin, target.admin, WHOLE)) == ""
    run(target.admin, back)
    # What the migrations did to the platform's own tables has gone, too: nothing but schemas is left to create.
    assert len(compare(target.admin, source.admin, WHOLE)) == len(there)


async def test_rows_survive_when_their_types_are_made_otherwise(platform: Cluster) -> None:
    before = """create type mood as enum ('glad', 'sad'); create table people (id int, mood mood default 'sad', n text);
        insert into people values (1, 'glad', '7')"""
    after = (
        """create type mood as enum ('sad', 'glad'); create table people (id bigint, mood mood default 'glad', n int)"""
    )
    async with platform.fresh_database() as source, platform.fresh_database() as target:
        await asyncio.to_thread(converge, source, target, before, after)
        assert (
            await asyncio.to_thread(ask, source.admin, "select id || ' ' || mood || ' ' || n from people") == "1 glad 7"
        )


async def test_a_label_that_nothing_uses_is_added_and_one_in_use_makes_the_type_anew(platform: Cluster) -> None:
    before = "create type mood as enum ('a'); create table t (m mood)"
    unused = "create type mood as enum ('a', 'b'); create table t (m mood)"
    used = "create type mood as enum ('a', 'b'); create table t (m mood default 'b')"
    async with platform.fresh_database() as source, platform.fresh_database() as target:
        await asyncio.to_thread(run, source.admin, before)
        await asyncio.to_thread(run, target.admin, unused)
        found = await asyncio.to_thread(compare, source.admin, target.admin, WHOLE)
        assert found == ["alter type \"public\".\"mood\" add value 'b' after 'a'"]
    async with platform.fresh_database() as source, platform.fresh_database() as target:
        await asyncio.to_thread(converge, source, target, before, used)


async def test_a_managed_schema_shows_its_policies_and_triggers_alone(platform: Cluster) -> None:
    async with platform.fresh_database() as source, platform.fresh_database() as target:
        change = """create policy mine on storage.objects for select using (true);
            alter table storage.objects add column extra int; create table notes ()"""
        await asyncio.to_thread(run, target.admin, change, "supabase_admin")
        whole = await asyncio.to_thread(compare, source.admin, target.admin, WHOLE)
        assert [line.split("\n")[0] for line in whole if "policy" in line] == ['create policy "mine"']
        assert not any("extra" in statement for statement in whole)
        storage = await asyncio.to_thread(compare, source.admin, target.admin, Scope(("storage",)))
        assert len(storage) == 1
        public = await asyncio.to_thread(compare, source.admin, target.admin, Scope(("public",)))
        assert public[0] == 'create table "public"."notes" ()'


async def test_event_triggers_and_publications_of_schemas_are_compared(platform: Cluster) -> None:
    """Which only a superuser makes."""
    makes = """create role eve superuser; set role eve; create schema shop; create table shop.t ();
        create function shop.seen() returns event_trigger language plpgsql as 'begin end';
        create event trigger watch on ddl_command_end when tag in ('CREATE TABLE') execute function shop.seen();
        alter event trigger watch disable;
        create publication everything for all tables with (publish = 'insert');
        create publication one for tables in schema shop"""
    async with platform.fresh_database() as source, platform.fresh_database() as target:
        await asyncio.to_thread(run, target.admin, makes, "supabase_admin")
        try:
            statements = await asyncio.to_thread(compare, source.admin, target.admin, WHOLE)
            await asyncio.to_thread(run, source.admin, statements, "eve")
            assert await asyncio.to_thread(compare, source.admin, target.admin, WHOLE) == []
            back = await asyncio.to_thread(compare, source.admin, source.admin, WHOLE)
            assert back == []
        finally:
            for address in (source, target):
                await asyncio.to_thread(run, address.admin, "drop owned by eve cascade", "supabase_admin")
            await asyncio.to_thread(run, target.admin, "drop role eve", "supabase_admin")


def ask(dsn: str, question: str) -> object:
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(question)
            row = cursor.fetchone()
            return row[0] if row else None
    finally:
        connection.close()
