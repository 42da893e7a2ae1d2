"""Vector buckets and their indexes: made, shown, listed, deleted; who may; what is refused; what pgvector says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import psycopg2
import pytest
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress
from minato.project.user_objects import drop_user_objects

from tests.integration.storage.vector_client import NEW_INDEX, Index, Vectors, refused
from tests.support.server import Minato, running, settings_for

OPERATIONS: dict[str, dict[str, Any]] = {
    "CreateVectorBucket": {"vectorBucketName": "b"},
    "GetVectorBucket": {"vectorBucketName": "b"},
    "ListVectorBuckets": {},
    "DeleteVectorBucket": {"vectorBucketName": "b"},
    "CreateIndex": {"vectorBucketName": "b", "indexName": "idx", **NEW_INDEX},
    "GetIndex": {"vectorBucketName": "b", "indexName": "idx"},
    "ListIndexes": {"vectorBucketName": "b"},
    "DeleteIndex": {"vectorBucketName": "b", "indexName": "idx"},
    "PutVectors": {
        "vectorBucketName": "b",
        "indexName": "idx",
        "vectors": [{"key": "a", "data": {"float32": [1, 2, 3]}}],
    },
    "GetVectors": {"vectorBucketName": "b", "indexName": "idx", "keys": ["a"]},
    "ListVectors": {"vectorBucketName": "b", "indexName": "idx"},
    "QueryVectors": {
        "vectorBucketName": "b",
        "indexName": "idx",
        "topK": 1,
        "queryVector": {"float32": [1, 2, 3]},
    },
    "DeleteVectors": {"vectorBucketName": "b", "indexName": "idx", "keys": ["a"]},
}


async def test_a_bucket_is_made_shown_and_deleted(vectors: Vectors) -> None:
    name = f"b-{uuid4()}"
    answer = await vectors.ask("CreateVectorBucket", vectorBucketName=name)
    assert (answer.status_code, answer.content) == (200, b"")
    told = await vectors.told("GetVectorBucket", vectorBucketName=name)
    now = int(vectors.minato.backend.clock.timestamp())
    assert told["vectorBucket"]["vectorBucketName"] == name
    assert told["vectorBucket"]["creationTime"] == pytest.approx(now, abs=60)
    assert refused(await vectors.ask("CreateVectorBucket", vectorBucketName=name)) == (409, "ConflictException")
    assert await vectors.told("DeleteVectorBucket", vectorBucketName=name) is None
    assert refused(await vectors.ask("GetVectorBucket", vectorBucketName=name)) == (404, "NotFoundException")
    # As at the reference, it may be gone already.
    assert await vectors.told("DeleteVectorBucket", vectorBucketName=name) is None


async def test_an_index_is_made_shown_and_deleted(vectors: Vectors) -> None:
    index = Index(vectors, await vectors.bucket(), "my.index-1")
    hidden = {"nonFilterableMetadataKeys": ["text"]}
    before = await vectors.tables()
    answer = await index.ask("CreateIndex", **NEW_INDEX, metadataConfiguration=hidden)
    assert (answer.status_code, answer.content) == (200, b"")
    shown = (await index.told("GetIndex"))["index"]
    assert isinstance(shown.pop("creationTime"), int)
    assert shown == {**NEW_INDEX, **index.names, "metadataConfiguration": hidden}
    again = await index.ask("CreateIndex", **NEW_INDEX)
    assert refused(again) == (409, "ConflictException")
    assert again.json()["message"] == 'vector index "my.index-1" already exists'
    assert await vectors.tables() == before + 1
    assert await index.told("DeleteIndex") is None
    assert await vectors.tables() == before
    for operation in ("GetIndex", "DeleteIndex"):
        assert refused(await index.ask(operation)) == (404, "NotFoundException")


async def test_an_index_that_says_nothing_of_metadata_shows_none(vectors: Vectors) -> None:
    index = await vectors.index()
    assert (await index.told("GetIndex"))["index"]["metadataConfiguration"] is None


async def test_a_bucket_with_an_index_stays(vectors: Vectors) -> None:
    index = await vectors.index()
    answer = await vectors.ask("DeleteVectorBucket", vectorBucketName=index.bucket)
    assert refused(answer) == (400, "VectorBucketNotEmpty")
    await index.told("DeleteIndex")
    await vectors.told("DeleteVectorBucket", vectorBucketName=index.bucket)


async def test_an_index_needs_a_bucket(vectors: Vectors) -> None:
    answer = await Index(vectors, "nowhere", "idx").ask("CreateIndex", **NEW_INDEX)
    assert refused(answer) == (404, "NotFoundException")
    assert answer.json()["message"] == 'resource "nowhere" not found'
    assert await vectors.told("ListIndexes", vectorBucketName="nowhere") == {"indexes": []}


async def test_buckets_are_listed_in_pages_by_prefix(vectors: Vectors) -> None:
    # Underscores and dots are no patterns.
    prefix = f"p_{uuid4().hex[:8]}."
    names = [f"{prefix}{letter}" for letter in "abc"]
    for name in [*names, prefix.replace("_", "x") + "d"]:
        await vectors.told("CreateVectorBucket", vectorBucketName=name)
    first = await vectors.told("ListVectorBuckets", prefix=prefix, maxResults=2)
    assert [bucket["vectorBucketName"] for bucket in first["vectorBuckets"]] == names[:2]
    second = await vectors.told("ListVectorBuckets", prefix=prefix, maxResults=2, nextToken=first["nextToken"])
    assert [bucket["vectorBucketName"] for bucket in second["vectorBuckets"]] == names[2:]
    assert "nextToken" not in second
    whole = await vectors.told("ListVectorBuckets", prefix=prefix, maxResults=3)
    assert (len(whole["vectorBuckets"]), "nextToken" in whole) == (3, False)


async def test_indexes_are_listed_in_pages_by_prefix(vectors: Vectors) -> None:
    bucket = await vectors.bucket()
    for name in ("one.a", "one.b", "one.c", "onexd", "two"):
        await Index(vectors, bucket, name).told("CreateIndex", **NEW_INDEX)
    first = await vectors.told("ListIndexes", vectorBucketName=bucket, prefix="one.", maxResults=2)
    assert [index["indexName"] for index in first["indexes"]] == ["one.a", "one.b"]
    assert first["indexes"][0]["vectorBucketName"] == bucket
    assert isinstance(first["indexes"][0]["creationTime"], int)
    token = first["nextToken"]
    second = await vectors.told("ListIndexes", vectorBucketName=bucket, prefix="one.", maxResults=2, nextToken=token)
    assert ([index["indexName"] for index in second["indexes"]], "nextToken" in second) == (["one.c"], False)


@pytest.mark.parametrize("name", ["", 'quo"te', "quo'te", "naïve", "a b", "a/b", "a\n", "x" * 64, "a;b"])
async def test_a_bucket_has_a_plain_name(vectors: Vectors, name: str) -> None:
    assert refused(await vectors.ask("CreateVectorBucket", vectorBucketName=name)) == (400, "InvalidRequest")


@pytest.mark.parametrize("name", ["ab", "Upper", 'quo"te', "quo'te", "naïve", "a b", "-ab", "ab-", "abc\n", "x" * 46])
async def test_an_index_has_a_plain_name(vectors: Vectors, name: str) -> None:
    bucket = await vectors.bucket()
    assert refused(await Index(vectors, bucket, name).ask("CreateIndex", **NEW_INDEX)) == (400, "InvalidRequest")


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_nobody_but_the_service_may(vectors: Vectors, operation: str) -> None:
    body = OPERATIONS[operation]
    minato = vectors.minato
    for token in (minato.anon_key, minato.token(str(uuid4())), minato.token(role="postgres")):
        answer = await vectors.ask(operation, token, **body)
        assert refused(answer) == (403, "AccessDenied")
        assert answer.json()["message"] == "Access denied: Invalid role"
    nonsense = await vectors.ask(operation, "nonsense", **body)
    assert refused(nonsense) == (403, "AccessDenied")
    async with minato.client() as client:
        del client.headers["authorization"]
        assert refused(await client.post(f"/storage/v1/vector/{operation}", json=body)) == (403, "AccessDenied")


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_switched_off_they_say_so(minato: Minato, operation: str) -> None:
    answer = await Vectors(minato).ask(operation, **OPERATIONS[operation])
    assert refused(answer) == (403, "FeatureNotEnabled")
    assert "VECTOR_ENABLED" in answer.json()["message"]


async def test_another_path_or_method_leads_nowhere(vectors: Vectors) -> None:
    async with vectors.client() as client:
        for answer in (await client.post("/Nothing", json={}), await client.get("/GetIndex")):
            assert refused(answer) == (404, "InvalidRequest")


@pytest.fixture
async def without_pgvector(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Vectors]:
    """A server whose PostgreSQL finds no control file of any extension, or has no pgvector anyway."""
    connection = await asyncpg.connect(address.admin)
    try:
        name = await connection.fetchval("select quote_ident(current_database())")
        # Servers before PostgreSQL 18 have no such path.
        with suppress(asyncpg.UndefinedObjectError):
            await connection.execute(f"alter database {name} set extension_control_path = '/nowhere'")
    finally:
        await connection.close()
    storage = StorageSettings(vector_enabled=True)
    async with running(address, settings_for(tmp_path, storage=storage)) as server:
        if await server.db.fetchval("select true from pg_available_extensions where name = 'vector'"):
            pytest.skip("this PostgreSQL has pgvector, and no way to hide it")
        yield Vectors(server)


async def test_without_pgvector_they_say_what_to_install(without_pgvector: Vectors) -> None:
    for operation, body in OPERATIONS.items():
        # No index is there: nobody says that its vectors are missing because of anything else.
        if "Vectors" in operation or operation == "DeleteIndex":
            continue
        answer = await without_pgvector.ask(operation, **body)
        assert refused(answer) == (501, "NotImplemented"), operation
        assert "install pgvector" in answer.json()["message"]


async def test_vectors_whose_extension_was_dropped_are_not_said_to_be_there(few: Vectors) -> None:
    index = await few.index(3)
    await few.minato.db.execute("drop extension vector cascade")
    for operation in ("PutVectors", "GetVectors", "ListVectors", "QueryVectors", "DeleteVectors"):
        answer = await few.ask(operation, **(OPERATIONS[operation] | index.names))
        assert refused(answer) == (501, "NotImplemented"), operation
    await index.told("DeleteIndex")
    assert await few.tables() == 0


async def test_the_extension_may_lie_in_another_schema(few: Vectors) -> None:
    owner = few.minato.db
    await owner.execute('create schema "my ""ext"; create extension vector with schema "my ""ext"')
    answer = await few.ask("CreateVectorBucket", vectorBucketName="b")
    assert refused(answer) == (501, "NotImplemented")
    assert "grant usage on that schema to supabase_storage_admin" in answer.json()["message"]
    await owner.execute('grant usage on schema "my ""ext" to supabase_storage_admin')
    index = await few.index(2)
    await index.put({"a": [1, 0], "b": [0, 1]})
    assert [vector["key"] for vector in await index.nearest([0, 1])] == ["b", "a"]


def drop_everything(address: str) -> list[str]:
    """What `db reset --db-url` drops before it runs the migrations, and what it says."""
    said: list[str] = []
    connection = psycopg2.connect(address)
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            cursor.execute("set role postgres")
            drop_user_objects(cursor, said.append)
    finally:
        connection.close()
    return said


async def test_a_reset_takes_the_indexes_and_leaves_the_buckets(few: Vectors) -> None:
    index = await few.index(3)
    await index.put({"a": [1, 2, 3]})
    said = await asyncio.to_thread(drop_everything, few.minato.backend.database.address.admin)
    assert any(line.startswith("NOTICE (00000): dropping vectors: storage_vectors.vector_") for line in said)
    assert await few.tables() == 0
    assert await few.told("ListIndexes", vectorBucketName=index.bucket) == {"indexes": []}
    again = Index(few, index.bucket, index.name)
    assert await again.told("CreateIndex", **NEW_INDEX) is None
    assert await again.keys() == []


@pytest.mark.parametrize(("may", "owner"), [(True, "postgres"), (False, "supabase_admin")])
async def test_the_extension_is_the_developers_own_where_they_may_create_it(
    few: Vectors, may: bool, owner: str
) -> None:
    if not may:
        name = await few.minato.db.fetchval("select quote_ident(current_database())")
        await few.minato.db.execute(f"revoke create on database {name} from postgres")
    await few.index()
    query = "select extowner::regrole::text from pg_extension where extname = 'vector'"
    assert await few.minato.db.fetchval(query) == owner


async def test_a_row_that_somebody_else_made_has_no_vectors(vectors: Vectors) -> None:
    index = Index(vectors, await vectors.bucket(), "foreign")
    await vectors.minato.db.execute(
        "insert into storage.vector_indexes (id, name, bucket_id, data_type, dimension, distance_metric)"
        " values ($1, 'foreign', $2, 'float32', 3, 'cosine')",
        'x"; drop schema storage_vectors --',
        index.bucket,
    )
    listed = await vectors.told("ListIndexes", vectorBucketName=index.bucket)
    assert [found["indexName"] for found in listed["indexes"]] == ["foreign"]
    for operation in ("PutVectors", "GetVectors", "ListVectors", "QueryVectors", "DeleteVectors"):
        answer = await vectors.ask(operation, **(OPERATIONS[operation] | index.names))
        assert refused(answer) == (404, "NotFoundException")
