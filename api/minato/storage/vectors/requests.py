"""What the operations of vector buckets take: the shapes of their bodies, and what is read out of them.

Shapes and limits are those of supabase/storage http/routes/vector and storage/protocols/vector/limits.ts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from minato.json_text import JsonMapping, JsonObject
from minato.storage.vectors.errors import invalid, invalid_record
from minato.storage.vectors.filters import Filter, read_filter
from minato.storage.vectors.schema import Schema

MOST_DIMENSIONS = 4096
MOST_BUCKETS_LISTED = 500
MOST_VECTORS_LISTED = 1000
DEFAULT_VECTORS_LISTED = 500
MOST_METADATA_KEYS = 50
MOST_METADATA_BYTES = 40 * 1024
MOST_FILTERABLE_BYTES = 2048
# 500 vectors of 4096 numbers with nine characters each.
PUT_LIMIT = 20 * 1024 * 1024
# Squares are summed in single precision: smaller or larger sums have no direction.
SMALLEST_SQUARE, LARGEST_SQUARE = 2.0**-126, 3.4e38
NO_DIRECTION = "a cosine index takes no vector of zeros, nor one whose length is beyond single precision"

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
# The reference takes any text; a name of these is one that every other tool can write.
NEW_BUCKET_NAME: Schema = {"type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[A-Za-z0-9._-]*$"}
INDEX_NAME: Schema = {
    "type": "string",
    "minLength": 3,
    "maxLength": 45,
    "pattern": "^[a-z0-9](?:[a-z0-9.-]{1,61})?[a-z0-9]$",
}
KEY: Schema = {"type": "string", "minLength": 1, "maxLength": 1024}
FLOAT32: Schema = {
    "type": "object",
    "properties": {"float32": {"type": "array", "minItems": 1, "items": {"type": "number"}}},
    "required": ["float32"],
}
SCALAR: Schema = {"anyOf": [TEXT, FLAG, {"type": "number"}]}
METADATA: Schema = {
    "type": "object",
    "additionalProperties": {"anyOf": [SCALAR, {"type": "array", "items": SCALAR}]},
}
PAGED: Schema = {
    "maxResults": {"type": "number", "minimum": 1, "maximum": MOST_BUCKETS_LISTED},
    "nextToken": TEXT,
    "prefix": TEXT,
}
HIDDEN_KEYS: Schema = {
    "type": "array",
    "minItems": 1,
    "maxItems": 10,
    "uniqueItems": True,
    "items": {"type": "string", "minLength": 1, "maxLength": 63},
}
OF_INDEX: Schema = {"vectorBucketName": TEXT, "indexName": INDEX_NAME}


def _body(required: Iterable[str], properties: JsonMapping, **more: object) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), **more}


CREATE_BUCKET = _body(["vectorBucketName"], {"vectorBucketName": NEW_BUCKET_NAME})
OF_BUCKET = _body(["vectorBucketName"], {"vectorBucketName": TEXT})
LIST_BUCKETS = _body([], PAGED)
CREATE_INDEX = _body(
    ["dataType", "dimension", "distanceMetric", "indexName", "vectorBucketName"],
    {
        "dataType": {"type": "string", "enum": ["float32"]},
        "dimension": {"type": "integer", "minimum": 1, "maximum": MOST_DIMENSIONS},
        "distanceMetric": {"type": "string", "enum": ["cosine", "euclidean"]},
        "indexName": INDEX_NAME,
        "metadataConfiguration": _body(["nonFilterableMetadataKeys"], {"nonFilterableMetadataKeys": HIDDEN_KEYS}),
        "vectorBucketName": TEXT,
    },
)
NAMED_INDEX = _body(["vectorBucketName", "indexName"], OF_INDEX)
LIST_INDEXES = _body(["vectorBucketName"], {"vectorBucketName": TEXT, **PAGED})
PUT_VECTORS = _body(
    ["vectorBucketName", "indexName", "vectors"],
    {
        **OF_INDEX,
        "vectors": {
            "type": "array",
            "minItems": 1,
            "maxItems": 500,
            "items": _body(["data", "key"], {"data": FLOAT32, "metadata": METADATA, "key": KEY}),
        },
    },
)
GET_VECTORS = _body(
    ["indexName", "keys", "vectorBucketName"],
    {
        "indexName": TEXT,
        "keys": {"type": "array", "minItems": 1, "maxItems": 100, "items": KEY},
        "returnData": FLAG,
        "returnMetadata": FLAG,
        "vectorBucketName": TEXT,
    },
)
DELETE_VECTORS = _body(
    ["vectorBucketName", "indexName", "keys"],
    {
        "vectorBucketName": TEXT,
        "indexName": TEXT,
        "keys": {"type": "array", "minItems": 1, "maxItems": 500, "items": KEY},
    },
)
LIST_VECTORS = _body(
    ["vectorBucketName", "indexName"],
    {
        **OF_INDEX,
        "indexArn": TEXT,
        "maxResults": {"type": "integer", "minimum": 1, "maximum": MOST_VECTORS_LISTED},
        "nextToken": TEXT,
        "returnData": FLAG,
        "returnMetadata": FLAG,
        "segmentCount": {"type": "integer", "minimum": 1, "maximum": 16},
        "segmentIndex": {"type": "integer", "minimum": 0, "maximum": 15},
    },
)
QUERY_VECTORS = _body(
    ["vectorBucketName", "indexName", "queryVector", "topK"],
    {
        **OF_INDEX,
        # Read by `read_filter`.
        "filter": {"type": "object"},
        "indexArn": TEXT,
        "queryVector": {**FLOAT32, "additionalProperties": False},
        "returnDistance": FLAG,
        "returnMetadata": FLAG,
        "topK": {"type": "integer", "minimum": 1, "maximum": 100},
    },
    additionalProperties=False,
)


@dataclass(frozen=True, slots=True)
class NamePage:
    """Which names are listed: those that begin with `prefix`, behind `after`, at most `limit`."""

    prefix: str
    after: str
    limit: int

    @classmethod
    def of(cls, body: JsonObject) -> NamePage:
        """What the body of a list of buckets or indexes asks for."""
        return cls(body.get("prefix", ""), body.get("nextToken", ""), int(body.get("maxResults", MOST_BUCKETS_LISTED)))


@dataclass(frozen=True, slots=True)
class Shown:
    """What is told of a vector beside its key."""

    data: bool
    metadata: bool

    @classmethod
    def of(cls, body: JsonObject) -> Shown:
        """What the body asks to return."""
        return cls(body.get("returnData") is True, body.get("returnMetadata") is True)


@dataclass(frozen=True, slots=True)
class VectorPage:
    """Which vectors are listed: keys behind `after`, at most `limit`, of the `segment` of so many `segments`."""

    after: str
    limit: int
    segment: int
    segments: int

    @classmethod
    def of(cls, body: JsonObject) -> VectorPage:
        """What the body asks for. Raises InvalidParameter where only one of the numbers of a segment is given."""
        count, index = body.get("segmentCount"), body.get("segmentIndex")
        if (count is None) != (index is None):
            raise invalid("segmentCount and segmentIndex must be provided together")
        if count is not None and index is not None and index >= count:
            raise invalid("segmentIndex must be less than segmentCount")
        limit = int(body.get("maxResults", DEFAULT_VECTORS_LISTED))
        return cls(body.get("nextToken", ""), limit, int(index or 0), int(count or 1))


@dataclass(frozen=True, slots=True)
class Record:
    """A vector to be stored: `embedding` and `metadata` as JSON."""

    key: str
    embedding: str
    metadata: str


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for: the `nearest` so many vectors to `embedding`, which is JSON, of those that fit `filter`."""

    embedding: str
    nearest: int
    filter: Filter | None


def read_records(body: JsonObject, dimension: int, hidden: frozenset[str]) -> list[Record]:
    """The vectors of a put in the order of their keys, in which everybody locks rows. Raises InvalidParameter."""
    records: dict[str, Record] = {}
    for vector in body["vectors"]:
        if vector["key"] in records:
            raise invalid("Request must not contain duplicate keys")
        records[vector["key"]] = _read_record(vector, dimension, hidden)
    return [records[key] for key in sorted(records)]


def _read_record(vector: JsonObject, dimension: int, hidden: frozenset[str]) -> Record:
    key, numbers, metadata = vector["key"], vector["data"]["float32"], vector.get("metadata", {})
    if len(numbers) != dimension:
        raise invalid_record(key, f"vector must have length {dimension}, but has length {len(numbers)}")
    if len(metadata) > MOST_METADATA_KEYS:
        raise invalid_record(key, f"Metadata must have at most {MOST_METADATA_KEYS} keys")
    text = orjson.dumps(metadata)
    if len(text) > MOST_METADATA_BYTES:
        raise invalid_record(key, f"Total metadata must have at most {MOST_METADATA_BYTES} bytes")
    filterable = {name: value for name, value in metadata.items() if name not in hidden}
    if len(orjson.dumps(filterable)) > MOST_FILTERABLE_BYTES:
        raise invalid_record(key, f"Filterable metadata must have at most {MOST_FILTERABLE_BYTES} bytes")
    return Record(key, orjson.dumps(numbers).decode(), text.decode())


def read_sought(body: JsonObject, dimension: int, metric: str, hidden: frozenset[str]) -> Sought:
    """What a query looks for. Raises InvalidParameter and InvalidRequest."""
    numbers = body["queryVector"]["float32"]
    wanted = read_filter(body["filter"], hidden) if "filter" in body else None
    if len(numbers) != dimension:
        raise invalid(f"Query vector must have length {dimension}, but has length {len(numbers)}")
    length = math.hypot(*numbers)
    if metric == "cosine" and not SMALLEST_SQUARE <= length * length <= LARGEST_SQUARE:
        raise invalid(f"Query vector can't be used: {NO_DIRECTION}")
    return Sought(orjson.dumps(numbers).decode(), int(body["topK"]), wanted)
