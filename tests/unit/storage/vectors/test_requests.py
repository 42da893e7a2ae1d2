"""Bodies of the operations of vector buckets: every problem is told, in ajv's words, and nothing is coerced."""

from __future__ import annotations

from typing import Any

import pytest
from minato.storage.errors import StorageError
from minato.storage.vectors import requests
from minato.storage.vectors.requests import VectorPage, read_records, read_sought
from minato.storage.vectors.schema import MOST_PROBLEMS, Schema, require

INDEX = {
    "dataType": "float32",
    "dimension": 3,
    "distanceMetric": "cosine",
    "indexName": "idx",
    "vectorBucketName": "b",
}
PUT = {"vectorBucketName": "b", "indexName": "idx"}
QUERY = {**PUT, "queryVector": {"float32": [1]}, "topK": 1}


def vector(**changed: Any) -> dict[str, Any]:
    return {"key": "k", "data": {"float32": [1, 2.5]}, **changed}


def told(schema: Schema, body: object) -> str:
    with pytest.raises(StorageError) as raised:
        require(schema, body)
    assert (raised.value.code, raised.value.error, raised.value.status) == ("InvalidRequest", "Error", 400)
    return raised.value.message


@pytest.mark.parametrize(
    ("schema", "body", "message"),
    [
        (requests.OF_BUCKET, None, "body must be object"),
        (requests.OF_BUCKET, [], "body must be object"),
        (requests.OF_BUCKET, {}, "body must have required property 'vectorBucketName'"),
        (requests.OF_BUCKET, {"vectorBucketName": 1}, "body/vectorBucketName must be string"),
        (requests.LIST_BUCKETS, {"maxResults": "1"}, "body/maxResults must be number"),
        (requests.LIST_BUCKETS, {"maxResults": 0}, "body/maxResults must be >= 1"),
        (
            requests.LIST_BUCKETS,
            {"maxResults": 501, "prefix": 1},
            "body/maxResults must be <= 500, body/prefix must be string",
        ),
        (requests.CREATE_INDEX, INDEX | {"dimension": 4097}, "body/dimension must be <= 4096"),
        (requests.CREATE_INDEX, INDEX | {"dimension": 0}, "body/dimension must be >= 1"),
        (requests.CREATE_INDEX, INDEX | {"dimension": 1.5}, "body/dimension must be integer"),
        (requests.CREATE_INDEX, INDEX | {"dimension": True}, "body/dimension must be integer"),
        (
            requests.CREATE_INDEX,
            INDEX | {"dataType": "float16"},
            "body/dataType must be equal to one of the allowed values",
        ),
        (
            requests.CREATE_INDEX,
            INDEX | {"distanceMetric": "dotproduct"},
            "body/distanceMetric must be equal to one of the allowed values",
        ),
        (
            requests.CREATE_INDEX,
            INDEX | {"indexName": "x" * 46},
            "body/indexName must NOT have more than 45 characters",
        ),
        (
            requests.CREATE_INDEX,
            INDEX | {"metadataConfiguration": {}},
            "body/metadataConfiguration must have required property 'nonFilterableMetadataKeys'",
        ),
        (
            requests.CREATE_INDEX,
            INDEX | {"metadataConfiguration": {"nonFilterableMetadataKeys": ["a", "b", "a"]}},
            "body/metadataConfiguration/nonFilterableMetadataKeys must NOT have duplicate items"
            " (items ## 2 and 0 are identical)",
        ),
        (
            requests.CREATE_INDEX,
            INDEX | {"metadataConfiguration": {"nonFilterableMetadataKeys": []}},
            "body/metadataConfiguration/nonFilterableMetadataKeys must NOT have fewer than 1 items",
        ),
        (requests.PUT_VECTORS, PUT | {"vectors": []}, "body/vectors must NOT have fewer than 1 items"),
        (requests.PUT_VECTORS, PUT | {"vectors": [vector()] * 501}, "body/vectors must NOT have more than 500 items"),
        (
            requests.PUT_VECTORS,
            PUT | {"vectors": [vector(key="")]},
            "body/vectors/0/key must NOT have fewer than 1 characters",
        ),
        (
            requests.PUT_VECTORS,
            PUT | {"vectors": [vector(data={})]},
            "body/vectors/0/data must have required property 'float32'",
        ),
        (
            requests.PUT_VECTORS,
            PUT | {"vectors": [vector(data={"float32": []})]},
            "body/vectors/0/data/float32 must NOT have fewer than 1 items",
        ),
        (
            requests.PUT_VECTORS,
            PUT | {"vectors": [vector(), vector(data={"float32": [1, "2", True]})]},
            "body/vectors/1/data/float32/1 must be number, body/vectors/1/data/float32/2 must be number",
        ),
        (
            requests.PUT_VECTORS,
            PUT | {"vectors": [vector(metadata={"a/b": None})]},
            "body/vectors/0/metadata/a~1b must be string, body/vectors/0/metadata/a~1b must be boolean, "
            "body/vectors/0/metadata/a~1b must be number, body/vectors/0/metadata/a~1b must match a schema in anyOf, "
            "body/vectors/0/metadata/a~1b must be array, body/vectors/0/metadata/a~1b must match a schema in anyOf",
        ),
        (requests.GET_VECTORS, PUT | {"keys": ["a"] * 101}, "body/keys must NOT have more than 100 items"),
        (requests.GET_VECTORS, PUT | {"keys": ["x" * 1025]}, "body/keys/0 must NOT have more than 1024 characters"),
        (requests.GET_VECTORS, PUT | {"keys": ["a"], "returnData": 1}, "body/returnData must be boolean"),
        (requests.DELETE_VECTORS, PUT | {"keys": ["a"] * 501}, "body/keys must NOT have more than 500 items"),
        (requests.LIST_VECTORS, PUT | {"maxResults": 1001}, "body/maxResults must be <= 1000"),
        (requests.LIST_VECTORS, PUT | {"segmentCount": 17}, "body/segmentCount must be <= 16"),
        (requests.QUERY_VECTORS, QUERY | {"topK": 101}, "body/topK must be <= 100"),
        (
            requests.QUERY_VECTORS,
            PUT,
            "body must have required property 'queryVector', body must have required property 'topK'",
        ),
        (requests.QUERY_VECTORS, QUERY | {"returnData": True}, "body must NOT have additional properties"),
        (requests.QUERY_VECTORS, QUERY | {"filter": []}, "body/filter must be object"),
    ],
)
def test_what_is_wrong_is_told(schema: Schema, body: object, message: str) -> None:
    assert told(schema, body) == message


def test_a_body_of_many_problems_has_an_answer_of_some() -> None:
    message = told(requests.PUT_VECTORS, PUT | {"vectors": [vector(data={"float32": ["x"] * 4096})] * 500})
    assert message.count("must be number") == MOST_PROBLEMS
    assert (
        told(requests.PUT_VECTORS, PUT | {"vectors": [vector(metadata={"a": [{}] * 5000})]}).count(",") < MOST_PROBLEMS
    )


@pytest.mark.parametrize("name", ["idx", "a.b", "0-9", "x" * 45, "a1b"])
def test_names_of_indexes_are_taken(name: str) -> None:
    assert require(requests.NAMED_INDEX, {"vectorBucketName": "any text", "indexName": name})


@pytest.mark.parametrize("name", ["idx\n", "Idx", "-dx", "id_", "ídx", "i x"])
def test_other_names_of_indexes_are_not(name: str) -> None:
    assert "must match pattern" in told(requests.NAMED_INDEX, {"vectorBucketName": "b", "indexName": name})


def test_whole_numbers_may_be_written_with_a_point() -> None:
    body = require(requests.LIST_VECTORS, PUT | {"maxResults": 3.0, "segmentCount": 4.0, "segmentIndex": 3.0})
    assert VectorPage.of(body) == VectorPage("", 3, 3, 4)
    assert VectorPage.of(dict(PUT)) == VectorPage("", 500, 0, 1)


def test_records_come_in_the_order_of_their_keys() -> None:
    vectors = [vector(key="b", metadata={"a": [1, "x", True]}), vector(key="a")]
    found = read_records({"vectors": vectors}, 2, frozenset())
    assert [(record.key, record.embedding, record.metadata) for record in found] == [
        ("a", "[1,2.5]", "{}"),
        ("b", "[1,2.5]", '{"a":[1,"x",true]}'),
    ]


@pytest.mark.parametrize(
    ("metadata", "fits"),
    [
        ({"a": "x" * 2040}, True),
        ({"a": "x" * 2041}, False),
        ({"hidden": "x" * 40_947}, True),
        ({"hidden": "x" * 40_948}, False),
        ({f"{number}": 1 for number in range(50)}, True),
        ({f"{number}": 1 for number in range(51)}, False),
    ],
)
def test_metadata_are_measured_with_and_without_the_hidden(metadata: dict[str, Any], fits: bool) -> None:
    body = {"vectors": [vector(metadata=metadata)]}
    if fits:
        assert len(read_records(body, 2, frozenset({"hidden"}))) == 1
    else:
        with pytest.raises(StorageError, match="Invalid record for key 'k': "):
            read_records(body, 2, frozenset({"hidden"}))


@pytest.mark.parametrize(
    ("numbers", "metric", "fits"),
    [
        ([0, 0], "euclidean", True),
        ([0, 0], "cosine", False),
        ([1e-20, 0], "cosine", False),
        ([1e-18, 0], "cosine", True),
        ([1e18, 1e18], "cosine", True),
        ([1e20, 0], "cosine", False),
        ([1e300, 1e300], "cosine", False),
        ([1], "euclidean", False),
    ],
)
def test_a_query_has_the_dimension_of_the_index_and_a_direction(numbers: list[float], metric: str, fits: bool) -> None:
    body = {"queryVector": {"float32": numbers}, "topK": 2.0}
    if fits:
        sought = read_sought(body, 2, metric, frozenset())
        assert (sought.nearest, sought.filter) == (2, None)
    else:
        with pytest.raises(StorageError) as raised:
            read_sought(body, 2, metric, frozenset())
        assert raised.value.code == "InvalidParameter"
