"""Vector buckets: the vectors of an index put, shown, listed, sought and deleted."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tests.integration.storage.vector_client import Index, Vectors, refused

DRAW = random.Random(7)
EIGHT = {f"key-{number}": [DRAW.uniform(-1, 1) for _ in range(8)] for number in range(40)}
SOUGHT = [DRAW.uniform(-1, 1) for _ in range(8)]
THREE = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [1.0, 1.0]}


def cosine(one: list[float], other: list[float]) -> float:
    product = sum(mine * its for mine, its in zip(one, other, strict=True))
    return 1 - product / (math.hypot(*one) * math.hypot(*other))


DISTANCES = {"cosine": cosine, "euclidean": math.dist}


async def three(vectors: Vectors) -> Index:
    index = await vectors.index()
    await index.put(THREE, {"a": {"title": "one", "year": 1990, "tags": ["x", 2], "seen": True}})
    return index


@pytest.mark.parametrize("metric", DISTANCES)
async def test_the_nearest_come_first_with_their_distances(vectors: Vectors, metric: str) -> None:
    index = await vectors.index(8, metric)
    await index.put(EIGHT)
    found = await index.nearest(SOUGHT, 5, returnDistance=True)
    distances = {key: DISTANCES[metric](SOUGHT, numbers) for key, numbers in EIGHT.items()}
    expected = sorted(distances, key=distances.__getitem__)[:5]
    assert [vector["key"] for vector in found] == expected
    assert [vector["distance"] for vector in found] == pytest.approx([distances[key] for key in expected], abs=1e-6)


async def test_a_query_names_the_metric_and_tells_what_was_asked_for(vectors: Vectors) -> None:
    index = await three(vectors)
    query = {"queryVector": {"float32": [1, 0]}, "topK": 1}
    assert await index.told("QueryVectors", **query) == {"vectors": [{"key": "a"}], "distanceMetric": "cosine"}
    whole = await index.told("QueryVectors", **query, returnDistance=True, returnMetadata=True)
    metadata = {"title": "one", "year": 1990, "tags": ["x", 2], "seen": True}
    assert whole["vectors"] == [{"key": "a", "distance": 0, "metadata": metadata}]


async def test_vectors_are_shown_in_the_order_they_are_asked_for(vectors: Vectors) -> None:
    index = await three(vectors)
    told = await index.told("GetVectors", keys=["c", "nobody", "a", "c"], returnData=True, returnMetadata=True)
    metadata = {"title": "one", "year": 1990, "tags": ["x", 2], "seen": True}
    assert told == {
        "vectors": [
            {"key": "c", "data": {"float32": [1, 1]}, "metadata": {}},
            {"key": "a", "data": {"float32": [1, 0]}, "metadata": metadata},
        ]
    }
    assert await index.told("GetVectors", keys=["a"]) == {"vectors": [{"key": "a"}]}


async def test_single_precision_is_kept(vectors: Vectors) -> None:
    index = await vectors.index(4, "euclidean")
    await index.put({"a": [0.1, -3.4e38, 1e-30, 16777217]})
    told = await index.told("GetVectors", keys=["a"], returnData=True)
    assert told["vectors"][0]["data"]["float32"] == pytest.approx([0.1, -3.4e38, 1e-30, 16777216], rel=1e-7)


async def test_a_second_put_replaces_the_vector_and_its_metadata(vectors: Vectors) -> None:
    index = await three(vectors)
    await index.put({"a": [0.0, 2.0]})
    told = await index.told("GetVectors", keys=["a"], returnData=True, returnMetadata=True)
    assert told["vectors"] == [{"key": "a", "data": {"float32": [0, 2]}, "metadata": {}}]
    assert len(await index.keys()) == 3


async def test_deleted_vectors_are_gone_and_those_that_never_were_are_no_error(vectors: Vectors) -> None:
    index = await three(vectors)
    answer = await index.ask("DeleteVectors", keys=["a", "nobody"])
    assert (answer.status_code, answer.content, answer.headers["content-length"]) == (200, b"", "0")
    assert await index.keys() == ["b", "c"]


@pytest.mark.parametrize("key", ["'; drop table x --", 'quoted "key"', "ключ/🗝", " ", "x" * 1024])
async def test_a_key_is_any_text(vectors: Vectors, key: str) -> None:
    index = await vectors.index()
    await index.put({key: [1, 2]})
    assert await index.keys() == [key]
    assert [vector["key"] for vector in await index.nearest([1, 2])] == [key]
    assert await index.told("DeleteVectors", keys=[key]) is None
    assert await index.keys() == []


async def test_a_list_is_told_in_pages_by_key(vectors: Vectors) -> None:
    index = await vectors.index(8, "euclidean")
    await index.put(EIGHT)
    page = await index.told("ListVectors", maxResults=3)
    assert page == {"vectors": [{"key": key} for key in sorted(EIGHT)[:3]], "nextToken": sorted(EIGHT)[2]}
    assert await index.keys(maxResults=7) == sorted(EIGHT)
    assert await index.keys(maxResults=40) == sorted(EIGHT)
    one = (await index.told("ListVectors", maxResults=1, returnData=True, returnMetadata=True))["vectors"][0]
    assert one["data"]["float32"] == pytest.approx(EIGHT["key-0"], rel=1e-6)
    assert one["metadata"] == {}


async def test_a_page_that_would_be_too_large_ends_before(vectors: Vectors) -> None:
    index = await vectors.index(2, "euclidean", hidden=["text"])
    heavy = {"text": "x" * 40_000}
    keys = [f"{number:04}" for number in range(300)]
    await index.put({key: [1.0, 1.0] for key in keys}, dict.fromkeys(keys, heavy))
    first = await index.told("ListVectors", maxResults=300, returnMetadata=True)
    assert 200 < len(first["vectors"]) < 300
    assert first["nextToken"] == first["vectors"][-1]["key"]
    assert await index.keys(maxResults=300, returnMetadata=True) == keys
    assert len((await index.told("ListVectors", maxResults=300))["vectors"]) == 300


@pytest.mark.parametrize("segments", [1, 2, 3, 16])
async def test_each_vector_is_in_exactly_one_segment(vectors: Vectors, segments: int) -> None:
    index = await vectors.index(8)
    await index.put(EIGHT)
    parts = [await index.keys(segmentCount=segments, segmentIndex=n, maxResults=4) for n in range(segments)]
    assert sorted(key for part in parts for key in part) == sorted(EIGHT)
    assert segments == 1 or all(len(part) < len(EIGHT) for part in parts)


@pytest.mark.parametrize(
    ("operation", "body", "told"),
    [
        ("PutVectors", {"vectors": [{"key": "x", "data": {"float32": [1]}}]}, "vector must have length 2"),
        ("PutVectors", {"vectors": [{"key": "x", "data": {"float32": [0, 0]}}]}, "zeros"),
        ("PutVectors", {"vectors": [{"key": "x", "data": {"float32": [1e-50, 0]}}]}, "zeros"),
        ("PutVectors", {"vectors": [{"key": "x", "data": {"float32": [1e30, 0]}}]}, "zeros"),
        ("PutVectors", {"vectors": [{"key": "x", "data": {"float32": [1e39, 0]}}]}, "out of range"),
        ("PutVectors", {"vectors": [{"key": "x", "data": {"float32": [1, 2]}}] * 2}, "duplicate keys"),
        ("PutVectors", {"vectors": [{"key": "x\0", "data": {"float32": [1, 2]}}]}, "0x00"),
        ("QueryVectors", {"queryVector": {"float32": [1, 2, 3]}, "topK": 1}, "length 2"),
        ("QueryVectors", {"queryVector": {"float32": [0, 0]}, "topK": 1}, "zeros"),
        ("QueryVectors", {"queryVector": {"float32": [1e300, 1e300]}, "topK": 1}, "zeros"),
        ("ListVectors", {"segmentCount": 2}, "together"),
        ("ListVectors", {"segmentIndex": 0}, "together"),
        ("ListVectors", {"segmentCount": 2, "segmentIndex": 2}, "less than"),
    ],
)
async def test_what_can_not_be_used_is_refused(
    vectors: Vectors, operation: str, body: dict[str, Any], told: str
) -> None:
    index = await vectors.index()
    answer = await index.ask(operation, **body)
    assert refused(answer) == (400, "InvalidParameter")
    assert told in answer.json()["message"]
    assert await index.keys() == []


async def test_a_euclidean_index_takes_a_vector_of_zeros(vectors: Vectors) -> None:
    index = await vectors.index(2, "euclidean")
    await index.put({"origin": [0, 0], "far": [3, 4]})
    found = await index.nearest([0, 0], returnDistance=True)
    assert [(vector["key"], vector["distance"]) for vector in found] == [("origin", 0), ("far", 5)]
    wrong = {"queryVector": {"float32": [1e39, 0]}, "topK": 1}
    assert refused(await index.ask("QueryVectors", **wrong)) == (400, "InvalidParameter")


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        ({"text": "x" * 2048}, "Filterable metadata must have at most 2048 bytes"),
        ({"hidden": "x" * 40_960}, "Total metadata must have at most 40960 bytes"),
        ({f"k{number}": 1 for number in range(51)}, "Metadata must have at most 50 keys"),
    ],
)
async def test_metadata_has_bounds(vectors: Vectors, metadata: dict[str, Any], told: str) -> None:
    index = await vectors.index(hidden=["hidden"])
    record = {"key": "a", "data": {"float32": [1, 1]}, "metadata": metadata}
    answer = await index.ask("PutVectors", vectors=[record])
    assert refused(answer) == (400, "InvalidParameter")
    assert answer.json()["message"] == f"Invalid record for key 'a': {told}"
    await index.put({"a": [1, 1]}, {"a": {"hidden": "x" * 38_000, "text": "x" * 2000}})


async def test_the_largest_vectors_are_put_500_at_a_time(vectors: Vectors) -> None:
    index = await vectors.index(4096, "euclidean")
    numbers = [round(0.123456 + number / 10_000, 6) for number in range(4096)]
    await index.put({f"{number}": numbers for number in range(500)})
    assert len(await index.keys()) == 500
    page = await index.told("ListVectors", maxResults=1000, returnData=True)
    assert 0 < len(page["vectors"]) < 500
    large = [{"key": "x", "data": {"float32": [1.5] * 4096}}] * 1500
    answer = await index.ask("PutVectors", vectors=large)
    assert (answer.status_code, answer.json()["code"]) == (413, "EntityTooLarge")


@pytest.mark.parametrize("operation", ["PutVectors", "GetVectors", "ListVectors", "QueryVectors", "DeleteVectors"])
async def test_an_index_that_is_not_there_has_no_vectors(vectors: Vectors, operation: str) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "PutVectors": {"vectors": [{"key": "a", "data": {"float32": [1]}}]},
        "QueryVectors": {"queryVector": {"float32": [1]}, "topK": 1},
        "ListVectors": {},
    }
    index = Index(vectors, await vectors.bucket(), "not-there")
    answer = await index.ask(operation, **bodies.get(operation, {"keys": ["a"]}))
    assert refused(answer) == (404, "NotFoundException")
    assert answer.json()["message"] == 'resource "not-there" not found'
