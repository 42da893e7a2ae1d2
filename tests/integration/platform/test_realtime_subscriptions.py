"""Filters of row changes: what compares, what is refused and in which words."""

from __future__ import annotations

import asyncpg
import pytest

CHECK = "select realtime.check_equality_op($1::text::realtime.equality_op, $2::text::regtype, $3, $4, $5)"


@pytest.mark.parametrize(("op", "type_", "left", "right", "expected"), [
    ("eq", "integer", "1", "1", True), ("neq", "integer", "1", "1", False),
    ("lt", "integer", "9", "10", True), ("lt", "text", "9", "10", False),
    ("lte", "numeric", "1.50", "1.5", True), ("gt", "date", "2026-02-01", "2026-01-31", True),
    ("gte", "boolean", "t", "f", True), ("in", "text", "b", '{a,"b"}', True), ("in", "integer", "3", "{1,2}", False),
    ("like", "text", "abc", "a%", True), ("like", "text", "Abc", "a%", False), ("ilike", "text", "Abc", "a%", True),
    ("match", "text", "abc", "^a.c$", True), ("imatch", "text", "ABC", "^a.c$", True),
    ("is", "text", None, "null", True), ("is", "boolean", "t", "true", True), ("is", "boolean", None, "unknown", True),
    ("isdistinct", "integer", "1", "1", False), ("isdistinct", "integer", None, "1", True),
    ("eq", "character varying", "'", "'", True),
])  # fmt: skip
async def test_a_comparison_and_its_negation(
    db: asyncpg.Connection, op: str, type_: str, left: str | None, right: str, expected: bool
) -> None:
    assert await db.fetchval(CHECK, op, type_, left, right, False) is expected
    assert await db.fetchval(CHECK, op, type_, left, right, True) is not expected


@pytest.mark.parametrize("negate", [False, True])
async def test_a_comparison_with_null_is_null_negated_or_not(db: asyncpg.Connection, negate: bool) -> None:
    assert await db.fetchval(CHECK, "eq", "integer", None, "1", negate) is None


@pytest.mark.parametrize(("value", "type_", "json"), [
    ("1", "integer", "1"), ("1.50", "numeric", "1.50"), ("t", "boolean", "true"), ("{a,b}", "text[]", '["a", "b"]'),
    ('{"a": 1}', "jsonb", '{"a": 1}'), ("0102", "bytea", '"0102"'), ("x", "text", '"x"'), (None, "integer", None),
])  # fmt: skip
async def test_a_value_given_as_text_becomes_json(
    db: asyncpg.Connection, value: str | None, type_: str, json: str | None
) -> None:
    assert await db.fetchval('select realtime."cast"($1, $2::text::regtype)::text', value, type_) == json


VISIBLE = """
select realtime.is_visible_through_filters(
    array[('id', 'int4', 'int4'::regtype, '5', true, true), ('name', 'text', 'text'::regtype, '"ada"', false, true),
          ('gone', 'text', 'text'::regtype, null, false, true)]::realtime.wal_column[],
    {filters}::realtime.user_defined_filter[])
"""


@pytest.mark.parametrize(("filters", "visible"), [
    ("null", True), ("'{}'", True),
    ("array[row('id', 'eq', '5', false)]", True), ("array[row('id', 'eq', '5', true)]", False),
    ("array[row('id', 'gt', '1', null), row('name', 'eq', 'ada', null)]", True),
    ("array[row('id', 'gt', '1', null), row('name', 'eq', 'bob', null)]", False),
    ("array[row('unknown', 'eq', '5', false)]", False), ("array[row('unknown', 'eq', '5', true)]", False),
    ("array[row('gone', 'eq', 'x', false)]", False), ("array[row('gone', 'eq', 'x', true)]", False),
    ("array[row('gone', 'is', 'null', false)]", True),
])  # fmt: skip
async def test_a_row_passes_when_every_filter_does(db: asyncpg.Connection, filters: str, visible: bool) -> None:
    assert await db.fetchval(VISIBLE.format(filters=filters)) is visible


TABLE = "create table public.test (id int primary key, details text, done boolean, hidden text)"
SUBSCRIBE = """
insert into realtime.subscription (subscription_id, entity, claims, filters, selected_columns)
values (gen_random_uuid(), 'public.test', '{{"role": "anon"}}', {filters}::realtime.user_defined_filter[], {columns})
returning filters::text, selected_columns, claims_role::text
"""


@pytest.fixture
async def table(db: asyncpg.Connection) -> None:
    await db.execute(f"set role postgres; {TABLE}; revoke all on public.test from anon")
    await db.execute("grant select (id, details, done) on public.test to anon; reset role")


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(("filters", "columns", "error"), [
    ("array[row('notacolumn', 'eq', '1', false)]", "null", "invalid column for filter notacolumn"),
    ("array[row('hidden', 'eq', '1', false)]", "null", "invalid column for filter hidden"),
    ("array[row('id', 'eq', 'hey', false)]", "null", 'invalid input syntax for type integer: "hey"'),
    ("array[row('id', 'in', '{1,hey}', false)]", "null", 'invalid input syntax for type integer: "hey"'),
    ("array[row('id', 'in', array(select generate_series(1, 101))::text, false)]", "null",
     "too many values for `in` filter. Maximum 100"),
    ("array[row('id', 'like', 'a%', false)]", "null",
     "operator like requires a text-compatible column type, got integer"),
    ("array[row('id', 'match', 'a', false)]", "null",
     "operator match requires a text-compatible column type, got integer"),
    ("array[row('details', 'match', '(', false)]", "null",
     "invalid regular expression for match filter: invalid regular expression: parentheses () not balanced"),
    ("array[row('details', 'is', 'true', false)]", "null", "is true filter requires a boolean column, got text"),
    ("array[row('done', 'is', 'TRUE', false)]", "null",
     "invalid value for is filter: must be null, true, false, or unknown"),
    ("'{}'", "array['id', 'x']", "invalid column for select x"),
])  # fmt: skip
async def test_a_subscription_that_could_not_be_served_is_refused(
    db: asyncpg.Connection, filters: str, columns: str, error: str
) -> None:
    with pytest.raises(asyncpg.PostgresError) as raised:
        await db.fetchrow(SUBSCRIBE.format(filters=filters, columns=columns))
    assert raised.value.message == error


@pytest.mark.usefixtures("table")
async def test_a_subscription_is_kept_in_one_order(db: asyncpg.Connection) -> None:
    filters = "array[row('id', 'lt', '9', false), row('details', 'ilike', 'a%', false)]"
    row = await db.fetchrow(SUBSCRIBE.format(filters=filters, columns="array['id', 'details']"))
    assert tuple(row) == ('{"(details,ilike,a%,f)","(id,lt,9,f)"}', ["details", "id"], "anon")


@pytest.mark.usefixtures("table")
async def test_a_role_that_does_not_exist_cannot_subscribe(db: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.UndefinedObjectError, match='role "nobody" does not exist'):
        await db.execute(SUBSCRIBE.format(filters="'{}'", columns="null").replace("anon", "nobody"))
