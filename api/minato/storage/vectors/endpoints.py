"""`POST /vector/…`: buckets of vectors, their indexes and the vectors, for the service role alone.

A caller is known before the body is read; the reference asks the other way round.
"""

from __future__ import annotations

import asyncio
from datetime import datetime

import orjson

from minato.json_text import JsonObject
from minato.storage.reply import Reply, json_reply
from minato.storage.request import JSON_LIMIT, Request
from minato.storage.services import Services
from minato.storage.vectors import buckets, data, indexes, requests
from minato.storage.vectors.errors import wrong_role
from minato.storage.vectors.pgvector import keep_pgvector, require_pgvector
from minato.storage.vectors.schema import Schema, require
from minato.tokens.caller import SERVICE_ROLE


async def create_bucket(services: Services, request: Request) -> Reply:
    """`CreateVectorBucket`."""
    body = await _asked(request, requests.CREATE_BUCKET)
    async with services.transactions.as_storage(request) as connection:
        await require_pgvector(connection)
        await buckets.insert_bucket(connection, body["vectorBucketName"], services.settings.vector_max_buckets)
    return Reply()


async def get_bucket(services: Services, request: Request) -> Reply:
    """`GetVectorBucket`."""
    body = await _asked(request, requests.OF_BUCKET)
    async with services.transactions.as_storage(request) as connection:
        await require_pgvector(connection)
        found = await buckets.require_bucket(connection, body["vectorBucketName"])
    return json_reply({"vectorBucket": _bucket(found)})


async def list_buckets(services: Services, request: Request) -> Reply:
    """`ListVectorBuckets`: a page of them by name."""
    page = requests.NamePage.of(await _asked(request, requests.LIST_BUCKETS))
    async with services.transactions.as_storage(request) as connection:
        await require_pgvector(connection)
        found = await buckets.list_buckets(connection, page)
    shown = found[: page.limit]
    more = {"nextToken": shown[-1].name} if len(found) > page.limit else {}
    return json_reply({"vectorBuckets": [_bucket(bucket) for bucket in shown], **more})


async def delete_bucket(services: Services, request: Request) -> Reply:
    """`DeleteVectorBucket`: one without indexes; one that is not there is deleted, too."""
    body = await _asked(request, requests.OF_BUCKET)
    async with services.transactions.as_storage(request) as connection:
        await require_pgvector(connection)
        await buckets.delete_bucket(connection, body["vectorBucketName"])
    return Reply()


async def create_index(services: Services, request: Request) -> Reply:
    """`CreateIndex`; the first one of a database creates the extension."""
    wanted = indexes.NewIndex.of(await _asked(request, requests.CREATE_INDEX))
    async with services.transactions.as_storage(request) as connection:
        await require_pgvector(connection)
        await buckets.require_bucket(connection, wanted.bucket)
        pgvector = await keep_pgvector(services.transactions, connection)
        await indexes.insert_index(connection, wanted, services.settings.vector_max_indexes, pgvector)
    return Reply()


async def get_index(services: Services, request: Request) -> Reply:
    """`GetIndex`."""
    body = await _asked(request, requests.NAMED_INDEX)
    async with services.transactions.as_storage(request) as connection:
        await require_pgvector(connection)
        index = await indexes.require_index(connection, body["vectorBucketName"], body["indexName"])
    shown = {
        "indexName": index.name,
        "dataType": index.data_type,
        "dimension": index.dimension,
        "distanceMetric": index.metric,
        "metadataConfiguration": index.configuration,
        "vectorBucketName": index.bucket,
        "creationTime": _seconds(index.created_at),
    }
    return json_reply({"index": shown})


async def list_indexes(services: Services, request: Request) -> Reply:
    """`ListIndexes`: a page of a bucket's by name; of no bucket there are none."""
    body = await _asked(request, requests.LIST_INDEXES)
    page = requests.NamePage.of(body)
    async with services.transactions.as_storage(request) as connection:
        await require_pgvector(connection)
        found = await indexes.list_indexes(connection, body["vectorBucketName"], page)
    shown = [
        {
            "indexName": index.name,
            "vectorBucketName": index.bucket,
            "creationTime": _seconds(index.created_at),
        }
        for index in found[: page.limit]
    ]
    more = {"nextToken": found[page.limit - 1].name} if len(found) > page.limit else {}
    return json_reply({"indexes": shown, **more})


async def delete_index(services: Services, request: Request) -> Reply:
    """`DeleteIndex`, with its vectors."""
    body = await _asked(request, requests.NAMED_INDEX)
    async with services.transactions.as_storage(request) as connection:
        await indexes.delete_index(connection, body["vectorBucketName"], body["indexName"])
    return Reply()


async def put_vectors(services: Services, request: Request) -> Reply:
    """`PutVectors`: all of them or none."""
    body = await _asked(request, requests.PUT_VECTORS, requests.PUT_LIMIT)
    async with services.transactions.as_storage(request) as connection:
        index = await indexes.require_index(connection, body["vectorBucketName"], body["indexName"], kept=True)
        pgvector = await indexes.require_type(connection)
        # Two million numbers at most; meanwhile others are served.
        records = await asyncio.to_thread(requests.read_records, body, index.dimension, index.hidden)
        await data.put_vectors(connection, index, pgvector, records)
    return json_reply({})


async def get_vectors(services: Services, request: Request) -> Reply:
    """`GetVectors`: those of the keys that are there."""
    body = await _asked(request, requests.GET_VECTORS)
    async with services.transactions.as_storage(request) as connection:
        index = await indexes.require_index(connection, body["vectorBucketName"], body["indexName"])
        await indexes.require_type(connection)
        found = await data.get_vectors(connection, index, body["keys"], requests.Shown.of(body))
    return json_reply({"vectors": [_vector(vector) for vector in found]})


async def list_vectors(services: Services, request: Request) -> Reply:
    """`ListVectors`: a page of them by key, of all or of a segment."""
    body = await _asked(request, requests.LIST_VECTORS)
    page = requests.VectorPage.of(body)
    async with services.transactions.as_storage(request) as connection:
        index = await indexes.require_index(connection, body["vectorBucketName"], body["indexName"])
        await indexes.require_type(connection)
        found, more = await data.list_vectors(connection, index, page, requests.Shown.of(body))
    shown = [_vector(vector) for vector in found]
    return json_reply({"vectors": shown, **({"nextToken": found[-1].key} if more else {})})


async def query_vectors(services: Services, request: Request) -> Reply:
    """`QueryVectors`: the nearest that fit the filter, the nearest first."""
    body = await _asked(request, requests.QUERY_VECTORS)
    async with services.transactions.as_storage(request) as connection:
        index = await indexes.require_index(connection, body["vectorBucketName"], body["indexName"])
        pgvector = await indexes.require_type(connection)
        sought = requests.read_sought(body, index.dimension, index.metric, index.hidden)
        found = await data.query_vectors(connection, index, pgvector, sought, requests.Shown.of(body))
    with_distance = body.get("returnDistance") is True
    shown = [_vector(vector) | ({"distance": vector.distance} if with_distance else {}) for vector in found]
    return json_reply({"vectors": shown, "distanceMetric": index.metric})


async def delete_vectors(services: Services, request: Request) -> Reply:
    """`DeleteVectors`: those of the keys that are there."""
    body = await _asked(request, requests.DELETE_VECTORS)
    async with services.transactions.as_storage(request) as connection:
        index = await indexes.require_index(connection, body["vectorBucketName"], body["indexName"], kept=True)
        await indexes.require_type(connection)
        await data.delete_vectors(connection, index, body["keys"])
    return Reply()


async def _asked(request: Request, schema: Schema, limit: int = JSON_LIMIT) -> JsonObject:
    """The body, of a caller who may. Raises AccessDenied, InvalidRequest and EntityTooLarge."""
    if request.known_caller.role != SERVICE_ROLE:
        raise wrong_role()
    body = await request.json(limit=limit)
    return await asyncio.to_thread(require, schema, body) if limit > JSON_LIMIT else require(schema, body)


def _bucket(bucket: buckets.VectorBucket) -> dict[str, object]:
    return {"vectorBucketName": bucket.name, "creationTime": _seconds(bucket.created_at)}


def _vector(vector: data.Found) -> dict[str, object]:
    """Without what was not asked for."""
    shown: dict[str, object] = {"key": vector.key}
    if vector.embedding is not None:
        shown["data"] = {"float32": orjson.Fragment(vector.embedding)}
    if vector.metadata is not None:
        shown["metadata"] = orjson.Fragment(vector.metadata)
    return shown


def _seconds(time: datetime) -> int:
    """Since 1970, as Amazon tells times."""
    return int(time.timestamp())
