"""What each keyword of JSON Schema lets pass, draft by draft."""

from __future__ import annotations

import json
from typing import Any

import asyncpg
import pytest

DRAFTS = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
ALL, FROM_6, FROM_7, FROM_2019 = (4, 6, 7, 2019, 2020), (6, 7, 2019, 2020), (7, 2019, 2020), (2019, 2020)
TREE = {
    "type": "object",
    "properties": {"value": {"type": "integer"}, "next": {"$ref": "#"}},
    "additionalProperties": False,
}
# drafts, schema, what matches, what does not
CASES: list[tuple[tuple[int, ...], Any, list[Any], list[Any]]] = [
    (FROM_6, True, [1, None, {}], []),
    (FROM_6, False, [], [1, None, {}]),
    (ALL, {}, [1, "a", None, [], {}], []),
    (ALL, {"type": "integer"}, [0, -3, 10**30], [1.5, "1", True, None]),
    (FROM_6, {"type": "integer"}, [1.0], []),
    ((4,), {"type": "integer"}, [], [1.0]),
    (ALL, {"type": ["null", "boolean"]}, [None, True], [0, "null", [], {}]),
    (ALL, {"enum": [1, "a", None, [1, {"b": 2}]]}, [1, 1.0, "a", None, [1.0, {"b": 2}]], [True, "1", [1], {}]),
    (FROM_6, {"const": {"a": [1, 2]}}, [{"a": [1, 2.0]}], [{"a": [2, 1]}, {"a": [1, 2], "b": 1}]),
    ((4,), {"const": 1}, [2], []),
    (FROM_6, {"const": False}, [False], [0, None, ""]),
    (ALL, {"multipleOf": 0.01}, [4.35, 0.07, 1e30, "a"], [0.075]),
    (ALL, {"multipleOf": 0.0001}, [0.0075], [0.00751]),
    (ALL, {"minimum": -2, "maximum": 3}, [-2, 3, "x"], [-2.0001, 4]),
    ((4,), {"maximum": 3, "exclusiveMaximum": True}, [2.9], [3, 3.0]),
    (FROM_6, {"exclusiveMinimum": 0, "exclusiveMaximum": 1}, [0.5], [0, 1]),
    (ALL, {"minLength": 2, "maxLength": 3}, ["ab", "💩💩", 1], ["a", "💩", "abcd"]),
    (ALL, {"pattern": "b+"}, ["abc", 1], ["ac"]),
    (ALL, {"minItems": 1, "maxItems": 2}, [[1], "abc"], [[], [1, 2, 3]]),
    (
        ALL,
        {"uniqueItems": True},
        [[1, "1", True, [1], {"a": 1}], [{"a": 1}, {"a": 2}], [], "aa"],
        [[1, 1.0], [{"a": 1, "b": 2}, {"b": 2, "a": 1.0}], [[None], [None]]],
    ),
    (ALL, {"uniqueItems": False}, [[1, 1]], []),
    (ALL, {"items": {"type": "string"}}, [[], ["a"], {"0": 1}], [["a", 1]]),
    ((4, 6, 7, 2019), {"items": [{"type": "string"}, {}]}, [[], ["a"], ["a", 1, 2]], [[1]]),
    ((4, 6, 7, 2019), {"items": [{}], "additionalItems": False}, [[1]], [[1, 2]]),
    ((4, 6, 7, 2019), {"items": [{}], "additionalItems": {"type": "null"}}, [[1, None]], [[1, 2]]),
    ((4, 6, 7, 2019), {"additionalItems": False}, [[1, 2]], []),
    ((2020,), {"prefixItems": [{"type": "string"}], "items": {"type": "null"}}, [["a"], ["a", None]], [[1], ["a", 1]]),
    (FROM_6, {"contains": {"type": "string"}}, [[1, "a"], {}], [[], [1]]),
    (FROM_2019, {"contains": {"const": 1}, "minContains": 2, "maxContains": 3}, [[1, 1, 2]], [[1], [1, 1, 1, 1]]),
    (FROM_2019, {"contains": {"const": 1}, "minContains": 0}, [[], [2]], []),
    (FROM_2019, {"contains": {"const": 1}, "minContains": 0, "maxContains": 1}, [[2], [1]], [[1, 1]]),
    ((6, 7), {"contains": {"const": 1}, "maxContains": 1}, [[1, 1]], []),
    (ALL, {"required": ["a", "b c"]}, [{"a": None, "b c": 1}, []], [{"a": 1}]),
    (ALL, {"properties": {"a": {"type": "null"}, "b": {}}}, [{}, {"a": None}, [], {"c": 1}], [{"a": 0}]),
    (
        ALL,
        {"properties": {"a": {}}, "patternProperties": {"^x-": {"type": "null"}}, "additionalProperties": False},
        [{"a": 1, "x-y": None}],
        [{"b": 1}, {"x-y": 1}, {"ax-": 1}],
    ),
    (ALL, {"additionalProperties": {"type": "null"}, "properties": {"a": {}}}, [{"a": 1, "b": None}], [{"b": 1}]),
    (FROM_6, {"propertyNames": {"pattern": "^[a-z]+$"}}, [{"a": 1}, {}, 1], [{"A": 1}]),
    (ALL, {"minProperties": 1, "maxProperties": 2}, [{"a": 1}, []], [{}, {"a": 1, "b": 1, "c": 1}]),
    (ALL, {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}, [{}, {"a": 1, "b": 1}], [{"a": 1}, {"c": 1}]),
    (FROM_2019, {"dependentRequired": {"a": ["b"]}}, [{}, {"a": 1, "b": 1}, {"b": 1}], [{"a": 1}]),
    (FROM_2019, {"dependentSchemas": {"a": {"maxProperties": 1}}}, [{"a": 1}, {"b": 1, "c": 1}], [{"a": 1, "b": 1}]),
    ((7,), {"dependentRequired": {"a": ["b"]}}, [{"a": 1}], []),
    (ALL, {"allOf": [{"minimum": 1}, {"maximum": 2}]}, [1, 2], [0, 3]),
    (ALL, {"anyOf": [{"minimum": 5}, {"maximum": 2}]}, [1, 6], [3]),
    (ALL, {"oneOf": [{"minimum": 1}, {"maximum": 2}]}, [0, 3], [1, 2]),
    (ALL, {"not": {"type": "string"}}, [1], ["a"]),
    (
        FROM_7,
        {"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}},
        ["ab", 2, None],
        ["a", 1],
    ),
    (FROM_7, {"then": False, "else": False}, [1], []),
    ((4, 6), {"if": {}, "then": {"type": "string"}}, [1], []),
    (ALL, TREE, [{"value": 1, "next": {"value": 2, "next": {}}}], [{"next": {"next": {"value": "x"}}}, {"x": 1}]),
    (
        ALL,
        {"definitions": {"a/b~c%": {"type": "null"}}, "items": {"$ref": "#/definitions/a~1b~0c%25"}},
        [[None]],
        [[1]],
    ),
    (ALL, {"properties": {"a": {"type": "null"}, "b": {"$ref": "#/properties/a"}}}, [{"b": None}], [{"b": 1}]),
    ((4, 6, 7), {"definitions": {"a": {}}, "$ref": "#/definitions/a", "type": "null"}, [1], []),
    (FROM_2019, {"$defs": {"a": {}}, "$ref": "#/$defs/a", "type": "null"}, [None], [1]),
    (
        (4,),
        {"id": "http://x.test/r.json", "definitions": {"a": {"id": "#n", "type": "null"}}, "$ref": "#n"},
        [None],
        [1],
    ),
    ((6, 7), {"definitions": {"a": {"$id": "a.json", "type": "null"}}, "items": {"$ref": "a.json"}}, [[None]], [[1]]),
    (FROM_2019, {"$id": "http://x.test/", "$defs": {"a": {"$anchor": "n", "type": "null"}}, "$ref": "#n"}, [None], [1]),
    (
        FROM_2019,
        {
            "$id": "http://x.test/a/root.json",
            "$ref": "../b.json#/$defs/c",
            "$defs": {"b": {"$id": "/b.json", "$defs": {"c": {"type": "null"}}}},
        },
        [None],
        [1],
    ),
    (FROM_2019, {"$ref": "http://json-schema.org/draft-07/schema#"}, [{"type": "null"}, True], [{"type": 1}, 1]),
    (
        (2020,),
        {
            "$id": "http://x.test/strict",
            "$dynamicAnchor": "node",
            "$ref": "tree",
            "unevaluatedProperties": False,
            "$defs": {
                "tree": {
                    "$id": "tree",
                    "$dynamicAnchor": "node",
                    "properties": {"kids": {"type": "array", "items": {"$dynamicRef": "#node"}}},
                }
            },
        },
        [{"kids": [{"kids": []}]}],
        [{"kids": [{"kinds": []}]}],
    ),
    (
        (2019,),
        {
            "$id": "http://x.test/strict",
            "$recursiveAnchor": True,
            "$ref": "tree",
            "unevaluatedProperties": False,
            "$defs": {
                "tree": {
                    "$id": "tree",
                    "$recursiveAnchor": True,
                    "properties": {"kids": {"type": "array", "items": {"$recursiveRef": "#"}}},
                }
            },
        },
        [{"kids": [{"kids": []}]}],
        [{"kids": [{"kinds": []}]}],
    ),
    (
        FROM_2019,
        {
            "allOf": [{"properties": {"a": {}}}],
            "anyOf": [{"required": ["b"], "properties": {"b": {}}}, {"required": ["a"]}],
            "unevaluatedProperties": {"type": "null"},
        },
        [{"a": 1, "b": 2, "c": None}],
        [{"a": 1, "c": 2}],
    ),
    (FROM_2019, {"not": {"properties": {"a": {"type": "null"}}}, "unevaluatedProperties": False}, [], [{"a": 1}]),
    ((2020,), {"prefixItems": [{}], "contains": {"const": 1}, "unevaluatedItems": False}, [[2, 1]], [[1, 2]]),
    ((2019,), {"items": [{}], "contains": {"const": 1}, "unevaluatedItems": False}, [[1]], [[2, 1]]),
    (FROM_2019, {"items": {}, "unevaluatedItems": False}, [[1, 2]], []),
    ((7,), {"unevaluatedProperties": False}, [{"a": 1}], []),
]


@pytest.fixture
async def db(owner: asyncpg.Connection) -> asyncpg.Connection:
    """The project's owner, with the extension."""
    await owner.execute("create extension if not exists pg_jsonschema with schema extensions version '0.3.4'")
    return owner


async def matches(db: asyncpg.Connection, schema: Any, instance: Any) -> bool:
    """What both functions say, and whether there are errors, which is the same."""
    row = await db.fetchrow(
        """select extensions.json_matches_schema($1, $2), extensions.jsonb_matches_schema($1, $2::jsonb),
            extensions.jsonschema_validation_errors($1, $2) = '{}'""",
        *(json.dumps(schema), json.dumps(instance)),
    )
    assert row is not None
    assert row[0] is row[1] is row[2], (schema, instance)
    found: bool = row[0]
    return found


async def test_each_keyword_lets_pass_what_its_drafts_say(db: asyncpg.Connection) -> None:
    for drafts, schema, good, bad in CASES:
        for draft in drafts:
            # In a schema of its own, unless it is none that can name a draft: those mean the same in all.
            named = {"$schema": DRAFTS[draft], **schema} if isinstance(schema, dict) else schema
            for instance in good:
                assert await matches(db, named, instance), (named, instance)
            for instance in bad:
                assert not await matches(db, named, instance), (named, instance)


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^\d+$", ["12"], ["१२", "a"]),
        (r"^\w+$", ["aZ_9"], ["é", "-"]),
        (r"^\s$", [" ", "\u00a0", "\ufeff", "\u2003"], ["a", "\u200b"]),
        (r"^\S\D\W$", ["aa-"], ["a1-", " a-", "aaa"]),
        (r"^[\w.-]+@[\w-]+$", ["a.b-c@d-e"], ["a b@c"]),
        (r"^[^\s\-a]$", ["b"], ["-", "a", " "]),
        (r"^.$", ["a", "💩"], ["\n", "\u2028"]),
        (r"^a$", ["a"], ["a\n", "b\na"]),
        (r"^\u00e9\x41\u{1F4A9}\uD83D\uDCA9$", ["éA💩💩"], ["e"]),
        (r"^(?:a|b){2,3}?$", ["ab"], ["a", "abab"]),
        (r"^(?<first>a)(b)\2$", ["abb"], ["aba"]),
        (r"^(?=.*\d)(?!.*x).{3}$", ["ab1"], ["abc", "1xa"]),
        (r"(?<=a)b(?<!x)$", ["ab"], ["cb"]),
        (r"\bcat\b", ["a cat!"], ["cats"]),
        (r"^.{1,500}$", ["a" * 500], ["", "a" * 501]),
        (r"^a{300}$", ["a" * 300], ["a" * 299, "a" * 301]),
        (r"^a{256,}b$", ["a" * 400 + "b"], ["a" * 255 + "b"]),
        (r"^[[:alpha:]]$", [":]"], ["a"]),
        (r"^[]|[^]$", ["a"], [""]),
        (r"^\cJ\t\/\.\-$", ["\n\t/.-"], ["J"]),
        (r"^{}]$", ["{}]"], ["a"]),
        ("***:a|(?i)", [], []),
        ("(?i)^abc$", ["aBc"], ["ab"]),
    ],
)
async def test_patterns_are_those_of_javascript(
    db: asyncpg.Connection, pattern: str, good: list[str], bad: list[str]
) -> None:
    if not good:
        with pytest.raises(asyncpg.InternalServerError, match='is not a "regex"'):
            await matches(db, {"pattern": pattern}, "a")
    for text in good:
        assert await matches(db, {"pattern": pattern}, text), text
        assert await matches(db, {"patternProperties": {pattern: True}, "additionalProperties": False}, {text: 1})
    for text in bad:
        assert not await matches(db, {"pattern": pattern}, text), text


@pytest.mark.parametrize(
    "pattern",
    ["(", "a)", "[a", "*a", "a**", "a{2,1}", "[z-a]", "\\", r"\a", r"\1", r"\Z", r"\u12", "+", "(?", "a{1}{2}"],
)
async def test_a_pattern_that_is_none_makes_the_schema_invalid(db: asyncpg.Connection, pattern: str) -> None:
    with pytest.raises(asyncpg.InternalServerError, match='is not a "regex"'):
        await matches(db, {"pattern": pattern}, 1)
    assert not await matches(db, {"$schema": DRAFTS[7], "format": "regex"}, pattern)


@pytest.mark.parametrize(
    ("format", "good", "bad"),
    [
        ("date", ["2024-02-29"], ["2023-02-29", "2024-2-9", "2024-04-31", "2024-00-01"]),
        (
            "time",
            ["23:59:60Z", "08:30:06.28+01:00", "22:59:60-01:00"],
            ["24:00:00Z", "12:00:00", "12:00:60Z", "1:00:00Z"],
        ),
        ("date-time", ["2024-01-31t12:00:00z"], ["2024-01-31 12:00:00Z", "2024-01-31T12:00Z"]),
        (
            "email",
            ["a.b+c@example.com", '"a b"@x.org', "a@[127.0.0.1]", "a@[IPv6:::1]"],
            ["a", "a..b@x", "a@", "a@[1.2.3]"],
        ),
        ("hostname", ["a", "xn--4gbwdl.xn--wgbh1c", "a-b.example"], ["", "-a", "a_b", "a.", "a" * 64, "aa--b.example"]),
        ("ipv4", ["0.0.0.0", "255.1.2.3"], ["256.0.0.0", "01.2.3.4", "1.2.3", "1.2.3.4."]),
        (
            "ipv6",
            ["::", "::1", "1::8", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
            [":", "1::2::3", "1:2:3:4:5:6:7", "12345::", "::1%0"],
        ),
        (
            "uri",
            ["http://a:80/b?c#d", "urn:x:y", "http://[::1]/"],
            ["/a", "http:// a", "a b:c", "http://a{}", "http://a:x/"],
        ),
        ("uri-reference", ["/a", "#b", "a?b", ""], ["\\\\a", "#b c", "1:2"]),
        ("uri-template", ["http://a/{b}{?c*,d:3}"], ["http://a/{b", "{ }"]),
        ("iri", ["http://é.x/ß"], ["é"]),
        ("json-pointer", ["", "/a~1b/~0", "/"], ["a", "/~2", "/~"]),
        ("relative-json-pointer", ["0", "1/a", "2#"], ["/a", "01", "-1"]),
        ("regex", ["a|b"], ["("]),
        ("idn-hostname", ["実例.test"], ["実 例"]),
        ("idn-email", ["実例@実例.test"], ["実例"]),
        ("no-such-format", ["anything"], []),
        ("uuid", ["of 2019-09, a note there"], []),
    ],
)
async def test_formats_are_asserted_up_to_draft_7(
    db: asyncpg.Connection, format: str, good: list[str], bad: list[str]
) -> None:
    schema = {"$schema": DRAFTS[7], "format": format}
    for text in good:
        assert await matches(db, schema, text), text
    for text in bad:
        assert not await matches(db, schema, text), text
        assert await matches(db, {"format": format}, text), text
        assert await matches(db, {"$schema": DRAFTS[2019], "format": format}, text), text
    assert await matches(db, schema, 1)
