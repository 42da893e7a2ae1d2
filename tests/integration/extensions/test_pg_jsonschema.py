"""pg_jsonschema in a project: check constraints, every role, any search path, errors, versions, hostile input."""

from __future__ import annotations

import json
from typing import Any

import asyncpg
import pytest

from tests.support.waiting import PATIENCE

TAGS = {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string", "maxLength": 16}}}}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
ELSEWHERE = (
    "Resource 'http://127.0.0.1/schema' is not present in a registry and retrieving it failed: "
    "`resolve-http` feature or a custom resolver is required to resolve external schemas via HTTP"
)


@pytest.fixture
async def db(owner: asyncpg.Connection) -> asyncpg.Connection:
    """The project's owner, with the newest version, where migrations put it."""
    await owner.execute("create extension if not exists pg_jsonschema with schema extensions version '0.3.4'")
    return owner


async def matches(db: asyncpg.Connection, schema: Any, instance: str) -> bool:
    found: bool = await db.fetchval("select extensions.json_matches_schema($1, $2)", json.dumps(schema), instance)
    return found


async def errors(db: asyncpg.Connection, schema: Any, instance: Any) -> list[str]:
    texts = json.dumps(schema), json.dumps(instance)
    found: list[str] = await db.fetchval("select extensions.jsonschema_validation_errors($1, $2)", *texts)
    return found


@pytest.mark.parametrize(("kind", "function"), [("json", "json_matches_schema"), ("jsonb", "jsonb_matches_schema")])
async def test_a_check_constraint_holds_a_column_to_a_schema(db: asyncpg.Connection, kind: str, function: str) -> None:
    await db.execute(
        f"create table customer (id serial primary key, metadata {kind},"
        f" check (extensions.{function}('{json.dumps(TAGS)}', metadata)))"
    )
    await db.execute("""insert into customer (metadata) values ('{"tags": ["vip", "darkmode-ui"]}'), (null), ('{}')""")
    with pytest.raises(asyncpg.CheckViolationError, match="customer_metadata_check"):
        await db.execute("""insert into customer (metadata) values ('{"tags": [1, 3]}')""")
    assert await db.fetchval("select count(*) from customer") == 3


async def test_a_constant_schema_is_read_once_for_a_statement(db: asyncpg.Connection) -> None:
    plan = await db.fetch(
        """explain (verbose, costs off) select extensions.jsonb_matches_schema('{"type": "array"}', to_jsonb(n))
        from generate_series(1, 3) as n"""
    )
    text = "\n".join(line[0] for line in plan)
    assert '"schema": {"type": "array"}' in text
    assert "_jsonschema_prepared" not in text


async def test_any_role_calls_it_with_any_search_path(db: asyncpg.Connection) -> None:
    await db.execute("create schema trap; grant usage on schema trap to anon")
    await db.execute(
        """create function trap.jsonb_typeof(jsonb) returns text language sql as $$ select 'trapped' $$;
        create function trap.same(jsonb, jsonb) returns boolean language sql as 'select true';
        create operator trap.= (leftarg = jsonb, rightarg = jsonb, function = trap.same)"""
    )
    for path in ("''", "trap, pg_catalog", "extensions"):
        await db.execute(f"set search_path = {path}; set role anon")
        assert not await matches(db, {"const": 1, "$defs": {"a": {"pattern": "[a-z]"}}}, "2")
        assert await errors(db, TAGS, {"tags": [1]}) == ['1 is not of type "string"']
        assert await db.fetchval("""select extensions.jsonschema_is_valid('{"type": "object"}')""")
        await db.execute("reset role")


async def test_it_serves_generated_columns_and_policies(db: asyncpg.Connection) -> None:
    await db.execute(
        """create table notes (body jsonb,
            short boolean generated always as (extensions.jsonb_matches_schema('{"maxLength": 3}', body)) stored);
        alter table notes enable row level security;
        create policy texts on notes using (extensions.jsonb_matches_schema('{"type": "string"}', body));
        insert into notes values ('"abc"'), ('"abcd"'), ('1');
        grant select on notes to anon; grant usage on schema public to anon; set role anon"""
    )
    assert [tuple(row) for row in await db.fetch("select * from notes")] == [('"abc"', True), ('"abcd"', False)]


async def test_the_functions_are_declared_as_those_of_the_original(db: asyncpg.Connection) -> None:
    rows = await db.fetch(
        """select p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
            p.provolatile::text || p.proparallel::text || p.proisstrict::text || p.prosecdef::text
        from pg_proc p where p.pronamespace = 'extensions'::regnamespace and p.proname ~ '^json.*schema'"""
    )
    assert sorted(tuple(row) for row in rows) == [
        ("json_matches_schema", "schema json, instance json", "boolean", "istruefalse"),
        ("jsonb_matches_schema", "schema json, instance jsonb", "boolean", "istruefalse"),
        ("jsonschema_is_valid", "schema json", "boolean", "istruefalse"),
        ("jsonschema_validation_errors", "schema json, instance json", "text[]", "istruefalse"),
    ]
    loose = """select count(*) from pg_proc where pronamespace = 'extensions'::regnamespace
        and proname like '%jsonschema%' and (prosecdef or provolatile <> 'i' or proparallel <> 's')"""
    assert await db.fetchval(loose) == 0


async def test_null_in_null_out(db: asyncpg.Connection) -> None:
    assert await db.fetchval("select extensions.json_matches_schema('{}', null)") is None
    assert await db.fetchval("select extensions.json_matches_schema(null, '1')") is None
    assert await db.fetchval("select extensions.jsonschema_is_valid(null)") is None


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "obj"}, "/type"),
        ({"properties": {"a": {"maxLength": -1}}}, "/properties/a/maxLength"),
        ({"allOf": []}, "/allOf"),
        ({"required": ["a", "a"]}, "/required"),
        ({"items": [{}]}, "/items"),
        ({"minLength": "1"}, "/minLength"),
        ({"$schema": DRAFT_4, "properties": {"a": True}}, "/properties/a"),
        ({"$schema": DRAFT_7, "pattern": "["}, "/pattern"),
        ({"$schema": "https://example.com/own"}, ""),
        (1, ""),
    ],
)
async def test_a_schema_that_is_none_says_where_and_a_check_by_it_fails(
    db: asyncpg.Connection, schema: Any, path: str
) -> None:
    notices: list[str] = []
    db.add_log_listener(lambda _, message: notices.append(message.message))
    assert not await db.fetchval("select extensions.jsonschema_is_valid($1)", json.dumps(schema))
    assert notices == [f"Invalid JSON schema at path: {path}"]
    with pytest.raises(asyncpg.InternalServerError, match=r"^Invalid schema: "):
        await matches(db, schema, "{}")
    assert len(await errors(db, schema, {})) == 1


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"$ref": "http://127.0.0.1/schema"}, ELSEWHERE),
        ({"$ref": "#/$defs/a"}, "Pointer '/$defs/a' does not exist"),
        ({"$ref": "#a"}, "Anchor 'a' does not exist"),
        ({"pattern": "("}, '"(" is not a "regex"'),
        ({"pattern": r"\p{L}"}, r'"\\p{L}" is a pattern with \p{…}, which PostgreSQL does not know'),
    ],
)
async def test_what_a_meta_schema_does_not_see_is_told_when_the_schema_is_used(
    db: asyncpg.Connection, schema: Any, message: str
) -> None:
    assert await db.fetchval("select extensions.jsonschema_is_valid($1)", json.dumps(schema))
    assert await errors(db, schema, 1) == [message]
    with pytest.raises(asyncpg.InternalServerError) as raised:
        await matches(db, schema, "1")
    assert str(raised.value) == f"Invalid schema: {message}"


async def test_an_invalid_schema_fails_where_it_is_used_and_nowhere_before(db: asyncpg.Connection) -> None:
    check = """check (extensions.json_matches_schema('{"type": "obj"}', body))"""
    await db.execute(f"create table a (body json); alter table a add {check}; select * from a where body is not null")
    with pytest.raises(asyncpg.InternalServerError, match="Invalid schema"):
        await db.execute("insert into a values ('1')")


@pytest.mark.parametrize(
    ("schema", "instance", "expected"),
    [
        ({"type": "number"}, "1", ['"1" is not of type "number"']),
        ({"type": ["string", "array"]}, None, ['null is not of types "array", "string"']),
        ({"type": ["string"]}, {"b": [1, {}], "a": "é\n"}, ['{"a":"é\\n","b":[1,{}]} is not of type "string"']),
        ({"required": ["b", 'a"']}, {}, ['"b" is a required property', '"a\\"" is a required property']),
        (
            {"properties": {"a": {}}, "additionalProperties": False},
            {"z": 1, "a": 1, "x": 1},
            ["Additional properties are not allowed ('x', 'z' were unexpected)"],
        ),
        ({"additionalProperties": False}, {"b": 2, "a": 1}, ["False schema does not allow 1"]),
        ({"enum": [1, "b"]}, 3, ['3 is not one of 1 or "b"']),
        ({"enum": [1, 2, 3]}, 4, ["4 is not one of 1, 2 or 3"]),
        ({"enum": [1, 2, 3, 4]}, 5, ["5 is not one of 1, 2 or 2 other candidates"]),
        ({"const": {"a": 1}}, 5, ['{"a":1} was expected']),
        ({"minLength": 1}, "", ['"" is shorter than 1 character']),
        ({"maxLength": 4}, "123456789", ['"123456789" is longer than 4 characters']),
        ({"minimum": 3.0}, 2.5, ["2.5 is less than the minimum of 3.0"]),
        ({"exclusiveMaximum": 3}, 3, ["3 is greater than or equal to the maximum of 3"]),
        (
            {"$schema": DRAFT_4, "minimum": 3, "exclusiveMinimum": True},
            3,
            ["3 is less than or equal to the minimum of 3"],
        ),
        ({"multipleOf": 2}, 7, ["7 is not a multiple of 2"]),
        ({"pattern": "^a*$"}, "b", ['"b" does not match "^a*$"']),
        ({"$schema": DRAFT_7, "format": "ipv4"}, "1", ['"1" is not a "ipv4"']),
        ({"maxItems": 1, "uniqueItems": True}, [1, 1], ["[1,1] has more than 1 item", "[1,1] has non-unique elements"]),
        ({"minProperties": 1}, {}, ["{} has less than 1 property"]),
        ({"contains": {"minimum": 5}}, [2, 3], ["None of [2,3] are valid under the given schema"]),
        ({"not": {"type": "integer"}}, 1, ['{"type":"integer"} is not allowed for 1']),
        (
            {"anyOf": [{"type": "array"}, {"minimum": 2}]},
            1,
            ["1 is not valid under any of the schemas listed in the 'anyOf' keyword"],
        ),
        (
            {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
            1.5,
            ["1.5 is not valid under any of the schemas listed in the 'oneOf' keyword"],
        ),
        (
            {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
            3,
            ["3 is valid under more than one of the schemas listed in the 'oneOf' keyword"],
        ),
        (
            {"$schema": DRAFT_7, "items": [{}], "additionalItems": False},
            [1, "b", 3],
            ['Additional items are not allowed ("b", 3 were unexpected)'],
        ),
        (
            {"properties": {"a": {"type": "string"}}, "unevaluatedProperties": False},
            {"a": 1, "b": 2},
            ['1 is not of type "string"', "Unevaluated properties are not allowed ('b' was unexpected)"],
        ),
        (
            {"prefixItems": [{}], "unevaluatedItems": False},
            [1, "b"],
            ["Unevaluated items are not allowed ('\"b\"' was unexpected)"],
        ),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, ['"ab" is longer than 1 character']),
        (
            {"if": {"type": "integer"}, "then": {"minimum": 2}, "else": {"type": "string"}},
            1.5,
            ['1.5 is not of type "string"'],
        ),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ['"b" is a required property']),
        ({"allOf": [{"$ref": "#/$defs/n"}], "$defs": {"n": {"minimum": 2}}}, 1, ["1 is less than the minimum of 2"]),
        (
            {
                "properties": {"foo": {"type": "string"}, "bar": {"type": "number"}, "baz": {"type": "boolean"}},
                "required": ["more"],
            },
            {"foo": 1, "bar": [], "baz": "1"},
            [
                '[] is not of type "number"',
                '"1" is not of type "boolean"',
                '1 is not of type "string"',
                '"more" is a required property',
            ],
        ),
        ({"type": "integer"}, 1, []),
    ],
)
async def test_errors_are_told_in_the_words_of_the_original(
    db: asyncpg.Connection, schema: Any, instance: Any, expected: list[str]
) -> None:
    assert await errors(db, schema, instance) == expected


@pytest.mark.parametrize(
    "version", ["", " version '0.3.3'", " version '0.3.1'", " version '0.2.0'", " version '0.1.4'"]
)
async def test_before_0_3_4_a_schema_without_a_draft_is_one_of_draft_7(owner: asyncpg.Connection, version: str) -> None:
    await owner.execute(f"create extension pg_jsonschema with schema extensions{version}")
    assert not await matches(owner, {"format": "ipv4"}, '"1"')
    assert await matches(owner, {"$schema": "https://json-schema.org/draft/2020-12/schema", "format": "ipv4"}, '"1"')
    if not version:
        await owner.execute("alter extension pg_jsonschema update to '0.3.4'")
        assert await matches(owner, {"format": "ipv4"}, '"1"')


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}},
        {"$id": "http://x.test/", "$dynamicAnchor": "n", "anyOf": [{"$dynamicRef": "#n"}]},
        {"not": {"not": {"$ref": "#"}}},
    ],
)
async def test_references_that_lead_back_without_a_step_in_the_instance_end(
    db: asyncpg.Connection, schema: Any
) -> None:
    assert await matches(db, schema, "1")
    assert await errors(db, schema, 1) == []


@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        ({"properties": {"a": {"$ref": "#"}}}, '{"a":' * 4000 + "1" + "}" * 4000),
        ({"multipleOf": 2}, "1e1000000"),
        ({"pattern": "((a{255}){255}){255}"}, '"a"'),
    ],
)
async def test_what_is_too_much_for_postgresql_is_an_error_of_it(
    db: asyncpg.Connection, schema: Any, instance: str
) -> None:
    await db.execute(f"set statement_timeout = '{PATIENCE}s'")
    with pytest.raises((asyncpg.ProgramLimitExceededError, asyncpg.DataError)):
        await matches(db, schema, instance)
    assert await db.fetchval("select 1") == 1


@pytest.mark.parametrize(
    ("schema", "instance", "expected"),
    [
        ({"multipleOf": 1e-300}, "1e130000", True),
        ({"pattern": "^(a+)+$"}, '"' + "a" * 5000 + '!"', False),
        ({"uniqueItems": True, "items": {"type": "integer"}}, json.dumps(list(range(20000))), True),
        ({"unevaluatedItems": False, "prefixItems": [{}] * 2000}, json.dumps(list(range(2000))), True),
        ({"allOf": [{"unevaluatedProperties": {}, "allOf": [{"unevaluatedProperties": {}}] * 3}] * 3}, "{}", True),
    ],
)
async def test_large_input_takes_its_time_and_no_more(
    db: asyncpg.Connection, schema: Any, instance: str, expected: bool
) -> None:
    await db.execute(f"set statement_timeout = '{PATIENCE}s'")
    assert await matches(db, schema, instance) is expected


async def test_nested_unevaluated_properties_are_looked_at_once_each(db: asyncpg.Connection) -> None:
    schema: dict[str, Any] = {"properties": {"a": {}}}
    for _ in range(60):
        schema = {"anyOf": [schema], "unevaluatedProperties": False}
    await db.execute(f"set statement_timeout = '{PATIENCE}s'")
    assert await matches(db, schema, '{"a": 1}')
    assert not await matches(db, schema, '{"b": 1}')


async def test_a_character_that_jsonb_does_not_hold_is_an_error(db: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.UntranslatableCharacterError):
        await matches(db, {}, r'"\u0000"')
