"""Schemas and JSON of any kind: pg_jsonschema says what ajv says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from minato.database.address import DatabaseAddress

from tests.support.examples import of_hundred
from tests.support.postgres import Cluster
from tests.support.schema_judge import SchemaJudge, schema_judge

DRAFTS = {
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
# Without the empty one, which ajv takes for not missing.
NAMES = st.sampled_from(["a", "b", "x-c", "é"])
# Numbers that JavaScript holds exactly: what it makes of others is its own affair.
NUMBERS = st.integers(-4, 8) | st.integers(-8, 16).map(lambda quarters: quarters / 4)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(st.sampled_from("ab1-é💩\n"), max_size=4)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=8
)
PATTERNS = st.sampled_from(["^a", "b$", r"\d", r"^\w*$", "[^a-b]", "a{2,}", "(a|é)+", "^.?$", r"^x-", r"\s|\S\D"])
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
COUNTS = st.integers(0, 3)
PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
    "enum": st.lists(VALUES, min_size=1, max_size=3, unique_by=lambda value: json.dumps(value, sort_keys=True)),
    "const": VALUES,
    "minimum": NUMBERS,
    "exclusiveMaximum": NUMBERS,
    "multipleOf": st.sampled_from([1, 2, 3, 0.5, 0.25]),
    "minLength": COUNTS,
    "maxLength": COUNTS,
    "pattern": PATTERNS,
    "minItems": COUNTS,
    "maxItems": COUNTS,
    "uniqueItems": st.booleans(),
    "required": st.lists(NAMES, max_size=2, unique=True),
    "minProperties": COUNTS,
    "maxProperties": COUNTS,
    "$ref": st.sampled_from(["#/definitions/first", "#/definitions/second", "#"]),
}
MODERN: dict[str, st.SearchStrategy[Any]] = {
    "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2)
}


def nodes(draft: int, inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas made of other ones."""
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    keywords = {
        **PLAIN,
        **(dict.fromkeys(("allOf", "anyOf", "oneOf"), several)),
        **(dict.fromkeys(("not", "if", "then", "else", "items", "contains", "additionalProperties"), inner)),
        "propertyNames": inner,
        "properties": named,
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
    }
    if draft < 2020:
        keywords |= {"items": inner | several, "additionalItems": inner}
    if draft > 7:
        keywords |= MODERN | {"dependentSchemas": named, "unevaluatedProperties": inner}
    if draft == 2020:
        keywords |= {"prefixItems": several}
    return some(draft, keywords)


def some(draft: int, keywords: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """A schema of a few keywords; in draft 7 ajv looks at what stands beside a reference, which it should not."""
    chosen = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=4, unique=True)
    if draft == 7:
        chosen = chosen.map(lambda names: ["$ref"] if "$ref" in names else names)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: keywords[name] for name in names}))


def schemas(draft: int) -> st.SearchStrategy[Any]:
    """Whole documents of a draft."""
    part = st.recursive(st.booleans() | some(draft, PLAIN), lambda inner: nodes(draft, inner), max_leaves=6)
    definitions = st.fixed_dictionaries({"first": part, "second": part})
    return st.tuples(nodes(draft, part), definitions).map(
        lambda parts: {**parts[0], "$schema": DRAFTS[draft], "definitions": parts[1]}
    )


@pytest.fixture(scope="module")
def judge() -> Any:
    """ajv, in one process for all examples."""
    with schema_judge() as found:
        yield found


@pytest.fixture
async def db(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    """The project's owner, with the extension."""
    connection = await asyncpg.connect(cluster.url(address, "postgres"))
    await connection.execute("create extension pg_jsonschema with schema extensions version '0.3.4'")
    yield connection
    await connection.close()


@settings(max_examples=of_hundred(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), draft=st.sampled_from(sorted(DRAFTS)), instances=st.lists(VALUES, min_size=1, max_size=6))
async def test_any_schema_means_what_it_means_to_ajv(
    db: asyncpg.Connection, judge: SchemaJudge, data: st.DataObject, draft: int, instances: list[Any]
) -> None:
    schema = data.draw(schemas(draft))
    expected = judge.verdicts(draft, schema, instances)
    assume(expected is not None)
    rows = await db.fetch(
        """select extensions.jsonb_matches_schema($1, value) as matches,
            extensions.jsonschema_validation_errors($1, value::json) = '{}' as faultless
        from jsonb_array_elements($2::jsonb) as value""",
        *(json.dumps(schema), json.dumps(instances)),
    )
    assert [row["matches"] for row in rows] == expected, json.dumps(schema)
    assert [row["faultless"] for row in rows] == expected, json.dumps(schema)
