"""The grammar of postgres_changes entries."""

from __future__ import annotations

from typing import Any

import pytest
from minato.realtime.errors import SubscriptionRefused
from minato.realtime.postgres_changes.parameters import Filter, Parameters, parse_filters, parse_parameters

TABLE = {"schema": "public", "table": "cars"}


@pytest.mark.parametrize(
    ("entry", "parameters"),
    [
        (TABLE, Parameters("*", "public", "cars")),
        ({"schema": "public"}, Parameters("*", "public", "*")),
        ({"table": "cars"}, Parameters("*", "public", "cars")),
        ({**TABLE, "event": "insert"}, Parameters("INSERT", "public", "cars")),
        ({**TABLE, "event": "TRUNCATE"}, Parameters("*", "public", "cars")),
        ({**TABLE, "event": 5}, Parameters("*", "public", "cars")),
        ({**TABLE, "filter": "  "}, Parameters("*", "public", "cars")),
        ({**TABLE, "select": ["a", 1, "b"]}, Parameters("*", "public", "cars", (), ("a", "b"))),
        ({**TABLE, "select": []}, Parameters("*", "public", "cars")),
    ],
)
def test_an_entry_is_understood(entry: dict[str, Any], parameters: Parameters) -> None:
    assert parse_parameters(entry) == parameters


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("id=eq.1", [Filter("id", "eq", "1")]),
        ("id=not.eq.1", [Filter("id", "eq", "1", True)]),
        ("a=gt.1,b=lt.2", [Filter("a", "gt", "1"), Filter("b", "lt", "2")]),
        ("a=in.(1,2,3)", [Filter("a", "in", "{1,2,3}")]),
        ('a=in.(x,"y,z")', [Filter("a", "in", '{x,"y,z"}')]),
        ('a=eq."x,y",b=eq.1', [Filter("a", "eq", "x,y"), Filter("b", "eq", "1")]),
        (r'a=eq."say \"hi\""', [Filter("a", "eq", 'say "hi"')]),
        ('a=eq.it\'s "odd"', [Filter("a", "eq", 'it\'s "odd"')]),
        ('a=eq."open', [Filter("a", "eq", '"open')]),
        ("a=eq.x=y.z", [Filter("a", "eq", "x=y.z")]),
        ("a=eq.", [Filter("a", "eq", "")]),
        ("a=is.null", [Filter("a", "is", "null")]),
        ("a=like.%x%", [Filter("a", "like", "%x%")]),
    ],
)
def test_a_filter_is_split_into_conditions(text: str, filters: list[Filter]) -> None:
    assert list(parse_filters(text)) == filters


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({**TABLE, "filter": "wrong"}, 'Error parsing `filter` params: ["wrong"]'),
        ({**TABLE, "filter": "subject=foo.hey"}, 'Error parsing `filter` params: ["foo", "hey"]'),
        ({**TABLE, "filter": "subject=eq"}, 'Error parsing `filter` params: ["eq"]'),
        (
            {**TABLE, "filter": "a=in.1,2"},
            "Error parsing `filter` params: `in` filter value must be wrapped by parentheses",
        ),
        (
            {**TABLE, "filter": "a=eq.1,"},
            "Error parsing `filter` params: filter must not contain empty segments (check for extra commas)",
        ),
        (
            {**TABLE, "select": "a,b"},
            'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
        ),
        (
            {"schema": "public", "select": ["a"]},
            "Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.",
        ),
        (
            {},
            "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{}",
        ),
        (
            {"schema": "public", "filter": "a=eq.1"},
            "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: "
            '%{"filter" => "a=eq.1", "schema" => "public"}',
        ),
        (
            {"schema": 1, "user_token": "secret"},
            "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: "
            "<redacted>",
        ),
    ],
)
def test_nonsense_is_refused_in_the_references_words(entry: dict[str, Any], text: str) -> None:
    with pytest.raises(SubscriptionRefused) as refused:
        parse_parameters(entry)
    assert str(refused.value) == text


def test_parameters_are_printed_as_the_reference_does() -> None:
    parameters = parse_parameters({**TABLE, "filter": "id=eq.1", "select": ["id"]})
    assert str(parameters) == (
        'event: *, schema: public, table: cars, filters: [{"id", "eq", "1", false}], select: ["id"]'
    )
