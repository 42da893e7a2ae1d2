"""Filters of vectors find what they mean, in PostgreSQL as in Python."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from minato.storage.vectors.filters import as_sql, read_filter

from tests.integration.storage.vector_client import Vectors, refused
from tests.support.server import Minato
from tests.unit.storage.vectors.filter_cases import filters, fits, metadata

FILMS: dict[str, dict[str, Any]] = {
    "alien": {"genre": ["horror", "sf"], "year": 1979, "seen": True, "rating": 8.5},
    "amelie": {"genre": "comedy", "year": 2001, "seen": False},
    "heat": {"genre": "crime", "year": "1995", "seen": True, "rating": 8},
    "ikiru": {"genre": ["drama"], "year": 1952},
    "nothing": {},
}


@given(wanted=filters, found=metadata)
@example(wanted={"a": 1}, found={"a": "1"})
@example(wanted={"a": 1}, found={"a": True})
@example(wanted={"a": {"$ne": "1"}}, found={"a": [1, "1"]})
@example(wanted={"a": {"$ne": 1}}, found={})
@example(wanted={"a": {"$in": [1.0]}}, found={"a": [1]})
@example(wanted={"a": {"$gt": 0}}, found={"a": [1]})
async def test_every_filter_means_the_same_in_sql(
    vector_minato: Minato, wanted: dict[str, Any], found: dict[str, Any]
) -> None:
    values: list[object] = [json.dumps(found)]
    condition = as_sql(read_filter(wanted), "metadata", values)
    statement = f"select coalesce({condition}, false) from (select $1::text::jsonb as metadata) found"
    assert await vector_minato.db.fetchval(statement, *values) is fits(wanted, found)


@pytest.mark.parametrize(
    ("wanted", "films"),
    [
        ({"genre": "sf"}, ["alien"]),
        ({"genre": {"$eq": "drama"}}, ["ikiru"]),
        ({"genre": {"$ne": "sf"}}, ["amelie", "heat", "ikiru"]),
        ({"genre": {"$in": ["crime", "horror"]}}, ["alien", "heat"]),
        ({"genre": {"$nin": ["crime", "horror"]}}, ["amelie", "ikiru"]),
        ({"year": 1995}, []),
        ({"year": "1995"}, ["heat"]),
        ({"year": {"$gt": 1952, "$lte": 2001}}, ["alien", "amelie"]),
        ({"year": {"$gte": 1952, "$lt": 1979.5}}, ["alien", "ikiru"]),
        ({"rating": 8.0}, ["heat"]),
        ({"seen": True, "rating": {"$exists": True}}, ["alien", "heat"]),
        ({"seen": {"$exists": False}}, ["ikiru", "nothing"]),
        ({"$or": [{"genre": "comedy"}, {"$and": [{"seen": True}, {"year": {"$lt": 1980}}]}]}, ["alien", "amelie"]),
        ({"a'b\"c ->": "x"}, []),
    ],
)
async def test_a_query_finds_the_nearest_of_those_that_fit(
    vectors: Vectors, wanted: dict[str, Any], films: list[str]
) -> None:
    index = await vectors.index(2, "euclidean")
    await index.put({film: [number, 1] for number, film in enumerate(FILMS)}, FILMS)
    found = await index.nearest([0, 1], filter=wanted)
    assert [vector["key"] for vector in found] == films
    assert [vector["key"] for vector in await index.nearest([0, 1], 1, filter=wanted)] == films[:1]


async def test_hidden_metadata_are_shown_and_no_filter_asks_for_them(vectors: Vectors) -> None:
    index = await vectors.index(hidden=["text"])
    await index.put({"a": [1, 1]}, {"a": {"text": "long", "lang": "en"}})
    found = await index.nearest([1, 1], filter={"lang": "en"}, returnMetadata=True)
    assert found[0]["metadata"] == {"text": "long", "lang": "en"}
    query = {"queryVector": {"float32": [1, 1]}, "topK": 1, "filter": {"text": "long"}}
    answer = await index.ask("QueryVectors", **query)
    assert refused(answer) == (400, "InvalidParameter")
    assert answer.json()["message"] == 'Metadata key "text" is configured as non-filterable'


async def test_an_ill_formed_filter_is_refused(vectors: Vectors) -> None:
    index = await vectors.index()
    ill_formed: list[Any] = [{"a": {"$regex": "x"}}, [], {"$and": []}]
    for wanted in ill_formed:
        answer = await index.ask("QueryVectors", queryVector={"float32": [1, 1]}, topK=1, filter=wanted)
        assert refused(answer) == (400, "InvalidRequest")
