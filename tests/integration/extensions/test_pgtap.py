"""pgTAP as an extension: what it says of tests that hold and of tests that don't."""

from __future__ import annotations

import asyncpg
import pytest

TABLE = """
    create table public.notes (id int primary key, body text not null default 'x', author uuid);
    alter table public.notes enable row level security;
    create policy "readers" on public.notes for select to authenticated using (true);
    create function public.shout(text) returns text language sql as $$ select upper($1) $$;
"""


@pytest.fixture
async def db(owner: asyncpg.Connection) -> asyncpg.Connection:
    """The project's owner, with pgTAP where `test db` makes it, in a transaction as its tests are."""
    await owner.execute("create extension if not exists pgtap with schema extensions")
    await owner.execute(TABLE)
    await owner.execute("begin; select no_plan()")
    return owner


async def told(db: asyncpg.Connection, *tests: str) -> list[str]:
    """The first lines of what tests answer."""
    return [str(await db.fetchval(f"select {test}")).splitlines()[0] for test in tests]


async def test_what_is_so_is_ok(db: asyncpg.Connection) -> None:
    lines = await told(
        db,
        "has_table('public', 'notes', 'there is a table')",
        "col_is_pk('public', 'notes', 'id', 'with a key')",
        "col_default_is('notes', 'body', 'x'::text, 'and a default')",
        "policies_are('public', 'notes', array['readers'], 'and a policy')",
        "policy_cmd_is('public', 'notes', 'readers', 'select', 'for reading')",
        "function_returns('public', 'shout', array['text'], 'text', 'functions answer')",
        "results_eq('select shout(''a'')', $$values ('A'::text)$$, 'and loudly')",
        "throws_ok('insert into notes (id, body) values (1, null)', '23502', null, 'nulls are refused')",
        "throws_like('select 1 / 0', '%zero%', 'errors are read')",
        "lives_ok('insert into notes values (1)', 'rows are taken')",
        "isnt_empty('select * from notes', 'and kept')",
        "is_empty('select * from notes where id = 2', 'none are invented')",
        "set_eq('select id from notes', array[1], 'sets are compared')",
        "bag_has('values (1), (1), (2)', 'values (1), (1)', 'and bags')",
        "matches('港 12'::text, '\\d+$', 'patterns too')",
        "isa_ok(1.5::numeric, 'numeric', 'a value')",
    )
    assert [line.split()[0] for line in lines] == ["ok"] * 16
    assert lines[0] == "ok 1 - there is a table"
    assert [row[0] for row in await db.fetch("select finish()")] == ["1..16"]


async def test_what_is_not_so_is_told_with_both_sides(db: asyncpg.Connection) -> None:
    answer = await db.fetchval("select is(1, 2, 'one is two')")
    assert answer == 'not ok 1 - one is two\n# Failed test 1: "one is two"\n#         have: 1\n#         want: 2'
    lines = await told(
        db,
        "hasnt_table('public', 'notes', 'a')",
        "lives_ok('select 1 / 0', 'b')",
        "throws_ok('select 1', '22012')",
        "results_eq('values (1), (2)', 'values (1), (3)', 'c')",
        "policies_are('public', 'notes', array['readers', 'writers'], 'd')",
        "col_not_null('public', 'notes', 'author', 'e')",
    )
    assert [line.split()[0] for line in lines] == ["not"] * 6
    sums = [row[0] for row in await db.fetch("select finish()")]
    assert sums == ["1..7", "# Looks like you failed 7 tests of 7"]


async def test_a_plan_that_is_not_kept_is_told(owner: asyncpg.Connection) -> None:
    await owner.execute("create extension if not exists pgtap with schema extensions")
    await owner.execute("begin")
    assert await owner.fetchval("select plan(3)") == "1..3"
    await owner.fetchval("select pass()")
    sums = [row[0] for row in await owner.fetch("select finish()")]
    assert sums == ["# Looks like you planned 3 tests but ran 1"]
    await owner.execute("rollback")
    with pytest.raises(asyncpg.RaiseError, match="You tried to run a test without a plan"):
        await owner.fetchval("select pass()")


async def test_callers_are_tried_by_their_policies(db: asyncpg.Connection) -> None:
    await db.execute("insert into notes values (1)")
    await db.execute("set local role authenticated")
    assert await told(db, "isnt_empty('select * from notes', 'they read')") == ["ok 1 - they read"]
    assert await told(db, "throws_ok('insert into notes values (2)', '42501', null, 'they write nothing')") == [
        "ok 2 - they write nothing"
    ]


async def test_its_functions_are_everybodys_whatever_the_owner_takes_from_functions_of_his(
    owner: asyncpg.Connection,
) -> None:
    """basejump's migrations do."""
    await owner.execute("alter default privileges revoke execute on functions from public")
    await owner.execute("create extension pgtap with schema extensions")
    await owner.execute("begin; select plan(1); set local role anon")
    assert await told(owner, "pass('may')") == ["ok 1 - may"]


async def test_todo_and_skip_are_marked_and_no_failures(db: asyncpg.Connection) -> None:
    await db.fetchval("select todo('later', 1)")
    assert await told(db, "fail('not yet')") == ["not ok 1 - not yet # TODO later"]
    assert await told(db, "skip('nowhere', 1)") == ["ok 2 # SKIP nowhere"]
    assert [row[0] for row in await db.fetch("select finish()")] == ["1..2"]


async def test_a_file_of_functions_is_a_suite(db: asyncpg.Connection) -> None:
    await db.execute("rollback")
    await db.execute(
        """
        create schema suite;
        create function suite.test_good() returns setof text language plpgsql as $$
        begin
            insert into public.notes values (7);
            return next extensions.is((select count(*)::int from public.notes), 1, 'one');
        end $$;
        create function suite.test_other() returns setof text language sql as
            $$ select extensions.is((select count(*)::int from public.notes), 0, 'rolled back') $$;
        """
    )
    lines = [row[0] for row in await db.fetch("select runtests('suite'::name)")]
    assert [line.strip() for line in lines if "ok" in line.split()[:2]] == [
        "ok 1 - one",
        "ok 1 - suite.test_good",
        "ok 1 - rolled back",
        "ok 2 - suite.test_other",
    ]
