"""Filters of vectors: which are read, which are refused, and that nothing of theirs becomes SQL."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from minato.storage.errors import StorageError
from minato.storage.vectors.filters import Condition, Group, as_sql, conditions, read_filter

from tests.unit.storage.vectors.filter_cases import filters


def sql(wanted: Any) -> tuple[str, list[object]]:
    values: list[object] = []
    return as_sql(read_filter(wanted), "metadata", values), values


@pytest.mark.parametrize(
    ("wanted", "read"),
    [
        ({"genre": "drama"}, Group("$and", (Condition("genre", "$eq", "drama"),))),
        ({"a": 1, "b": True}, Group("$and", (Condition("a", "$eq", 1), Condition("b", "$eq", True)))),
        (
            {"year": {"$gte": 1990, "$lt": 2000}},
            Group("$and", (Condition("year", "$gte", 1990), Condition("year", "$lt", 2000))),
        ),
        (
            {"$or": [{"a": {"$exists": False}}, {"b": {"$nin": ["x", 1]}}]},
            Group(
                "$or",
                (
                    Group("$and", (Condition("a", "$exists", False),)),
                    Group("$and", (Condition("b", "$nin", ["x", 1]),)),
                ),
            ),
        ),
    ],
)
def test_filters_are_read(wanted: Any, read: Group) -> None:
    assert read_filter(wanted) == read


@pytest.mark.parametrize(
    ("wanted", "statement", "values"),
    [
        ({"a": "x"}, "((m -> $1 @> $2::text::jsonb))", ["a", '"x"']),
        ({"a": {"$ne": 1}}, "((not (m -> $1 @> $2::text::jsonb)))", ["a", "1"]),
        ({"a": {"$in": [1, "1"]}}, "((m -> $1 @> any ($2::text[]::jsonb[])))", ["a", ["1", '"1"']]),
        ({"a": {"$exists": True}}, "(jsonb_exists(m, $1))", ["a"]),
        ({"a": {"$exists": False}}, "((not jsonb_exists(m, $1)))", ["a"]),
        (
            {"$and": [{"a": {"$gt": 1.5}}, {"b": False}]},
            "(((jsonb_typeof(m -> $1) = 'number' and m -> $1 > $2::text::jsonb)) and ((m -> $3 @> $4::text::jsonb)))",
            ["a", "1.5", "b", "false"],
        ),
    ],
)
def test_a_filter_is_a_condition_with_parameters(wanted: Any, statement: str, values: list[object]) -> None:
    found: list[object] = []
    assert as_sql(read_filter(wanted), "m", found) == statement
    assert found == values


@given(filters)
def test_nothing_of_a_filter_is_in_its_statement(wanted: dict[str, Any]) -> None:
    statement, values = sql(wanted)
    words = re.sub(r"\$\d+|::text(\[\])?|::jsonb(\[\])?|'number'|[()@><=\-]", " ", statement).split()
    assert set(words) <= {"metadata", "any", "not", "and", "or", "jsonb_exists", "jsonb_typeof", "metadata,"}
    assert [int(number) for number in dict.fromkeys(re.findall(r"\$(\d+)", statement))] == list(
        range(1, len(values) + 1)
    )


@pytest.mark.parametrize(
    "wanted",
    [
        *([], "x", 1, None),
        *({"$and": []}, {"$or": {}}, {"$and": [{"a": 1}], "b": 2}, {"$and": [{"a": 1}], "$or": [{"a": 1}]}),
        *({"$not": {"a": 1}}, {"$eq": 1}, {"$and": ["x"]}),
        *({"a": None}, {"a": []}, {"a": ["x"]}, {"a": {}}, {"a": {"b": 1}}, {"a": {"$regex": "x"}}),
        *({"a": {"$eq": None}}, {"a": {"$eq": [1]}}, {"a": {"$gt": "1"}}, {"a": {"$lte": True}}),
        *({"a": {"$in": []}}, {"a": {"$in": "x"}}, {"a": {"$nin": [[1]]}}, {"a": {"$exists": 1}}),
        {"a": {"$and": [{"b": 1}]}},
    ],
)
def test_what_is_no_filter_is_an_invalid_request(wanted: Any) -> None:
    with pytest.raises(StorageError) as raised:
        read_filter(wanted)
    assert (raised.value.code, raised.value.status) == ("InvalidRequest", 400)
    assert raised.value.message.startswith("body/filter must match a schema in anyOf")


@pytest.mark.parametrize("wanted", [{}, {"$and": [{}]}])
def test_an_empty_filter_is_an_invalid_parameter(wanted: Any) -> None:
    with pytest.raises(StorageError, match="at least one clause") as raised:
        read_filter(wanted)
    assert raised.value.code == "InvalidParameter"


def test_a_hidden_key_is_named_nowhere_in_a_filter() -> None:
    hidden = frozenset({"text"})
    assert read_filter({"other": "text"}, hidden)
    for wanted in ({"text": 1}, {"$or": [{"a": 1}, {"$and": [{"text": {"$exists": True}}]}]}):
        with pytest.raises(StorageError, match='Metadata key "text" is configured as non-filterable') as raised:
            read_filter(wanted, hidden)
        assert raised.value.code == "InvalidParameter"


def test_a_filter_is_neither_deep_nor_long_without_end() -> None:
    deep: Any = {"a": 1}
    for _ in range(31):
        deep = {"$and": [deep]}
    assert len(list(conditions(read_filter(deep)))) == 1
    for _ in range(900):
        deep = {"$and": [deep]}
    with pytest.raises(StorageError, match="nested deeper than 32"):
        read_filter(deep)
    assert read_filter({f"k{number}": 1 for number in range(1000)})
    with pytest.raises(StorageError, match="at most 1000 conditions"):
        read_filter({f"k{number}": 1 for number in range(1001)})
