"""Vector buckets: what a client writes stays a value, nobody else gets at the tables, nothing makes the server fail."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import asyncpg
import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from minato.config.storage import StorageSettings

from tests.support.examples import of_hundred
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

EVIL = [
    "'; drop schema storage_vectors cascade; --",
    '"; drop table storage.vector_indexes; --',
    "a $1",
    ":name",
    "%s",
    "a -> 'b'",
    "\\",
    "x' or true or metadata ->> 'x",
]
OPERATIONS = [
    *("CreateVectorBucket", "GetVectorBucket", "ListVectorBuckets", "DeleteVectorBucket", "CreateIndex", "GetIndex"),
    *("ListIndexes", "DeleteIndex", "PutVectors", "GetVectors", "ListVectors", "QueryVectors", "DeleteVectors"),
]
BUCKET, INDEX = "vault", "secrets"
NAMES = {"vectorBucketName": BUCKET, "indexName": INDEX}


@pytest.fixture(scope="module")
async def guarded(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server with one vector in an index."""
    storage = StorageSettings(vector_enabled=True, vector_max_buckets=2, vector_max_indexes=2)
    settings = settings_for(tmp_path_factory.mktemp("data"), storage=storage)
    async with cluster.fresh_database() as address, running(address, settings) as server:
        new = {"dataType": "float32", "dimension": 2, "distanceMetric": "euclidean"}
        await done(server, "CreateVectorBucket", vectorBucketName=BUCKET)
        await done(server, "CreateIndex", **NAMES, **new)
        await put(server, "safe", {"secret": "yes"})
        yield server


async def ask(minato: Minato, operation: str, body: object) -> httpx.Response:
    async with minato.client(minato.service_role_key) as client:
        return await client.post(f"/storage/v1/vector/{operation}", json=body)


async def done(minato: Minato, operation: str, **body: Any) -> Any:
    answer = await ask(minato, operation, body)
    assert answer.status_code == 200, answer.text
    return answer.json() if answer.content else None


async def put(minato: Minato, key: str, metadata: dict[str, Any]) -> None:
    await done(minato, "PutVectors", **NAMES, vectors=[{"key": key, "data": {"float32": [1, 2]}, "metadata": metadata}])


async def found(minato: Minato, wanted: dict[str, Any]) -> list[str]:
    query = {"queryVector": {"float32": [1, 2]}, "topK": 10, "filter": wanted}
    return [vector["key"] for vector in (await done(minato, "QueryVectors", **NAMES, **query))["vectors"]]


@pytest.mark.parametrize("evil", EVIL)
async def test_keys_metadata_and_filters_stay_values(guarded: Minato, evil: str) -> None:
    await put(guarded, evil, {evil: evil})
    assert await found(guarded, {evil: evil}) == [evil]
    assert await found(guarded, {evil: {"$in": [evil, 1]}}) == [evil]
    assert await found(guarded, {"secret": evil}) == []
    assert await found(guarded, {"secret": {"$ne": evil}}) == ["safe"]
    listed = await done(guarded, "ListVectors", **NAMES, nextToken=evil)
    assert "nextToken" not in listed
    await done(guarded, "DeleteVectors", **NAMES, keys=[evil])
    assert await found(guarded, {"secret": "yes"}) == ["safe"]


@pytest.mark.parametrize("evil", EVIL)
async def test_names_stay_values(guarded: Minato, evil: str) -> None:
    for operation, body in (
        ("CreateVectorBucket", {"vectorBucketName": evil}),
        ("CreateIndex", {**NAMES, "indexName": evil, "dataType": "float32", "dimension": 2}),
        ("GetIndex", {**NAMES, "indexName": evil}),
        ("GetVectors", {**NAMES, "indexName": evil, "keys": ["safe"]}),
        ("GetVectors", {**NAMES, "vectorBucketName": evil, "keys": ["safe"]}),
        ("DeleteVectors", {**NAMES, "indexName": evil, "keys": ["safe"]}),
    ):
        answer = await ask(guarded, operation, body)
        assert answer.status_code in (400, 404), answer.text
    assert (await done(guarded, "ListIndexes", vectorBucketName=evil))["indexes"] == []
    assert (await done(guarded, "ListVectorBuckets", prefix=evil))["vectorBuckets"] == []
    await done(guarded, "DeleteVectorBucket", vectorBucketName=evil)
    assert await found(guarded, {"secret": "yes"}) == ["safe"]


@pytest.mark.parametrize("schema", ["storage_vectors", "storage"])
async def test_the_data_api_does_not_lead_to_vectors(guarded: Minato, schema: str) -> None:
    table = await guarded.db.fetchval("select tablename from pg_tables where schemaname = 'storage_vectors'")
    for key in (guarded.anon_key, guarded.token(str(uuid4())), guarded.service_role_key):
        async with guarded.client(key, **{"accept-profile": schema, "content-profile": schema}) as client:
            answers = [
                await client.get(f"/rest/v1/{table}"),
                await client.post(f"/rest/v1/{table}", json={"key": "mine"}),
                await client.delete(f"/rest/v1/{table}"),
            ]
        assert {answer.status_code for answer in answers} == {406}
    async with guarded.client() as client:
        assert (await client.get(f"/rest/v1/{table}")).status_code == 404


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role", "authenticator"])
@pytest.mark.parametrize(
    "statement",
    [
        "select * from {table}",
        "insert into {table} (key) values ('x')",
        "drop table {table}",
        "create table storage_vectors.mine ()",
        "truncate {table}",
    ],
)
async def test_no_role_of_the_api_gets_at_the_tables(guarded: Minato, role: str, statement: str) -> None:
    table = await guarded.db.fetchval(
        "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'storage_vectors'"
    )
    transaction = guarded.db.transaction()
    await transaction.start()
    try:
        await guarded.db.execute(f"set local role {role}")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await guarded.db.execute(statement.format(table=table))
    finally:
        await transaction.rollback()


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role"])
async def test_rows_of_buckets_and_indexes_are_the_services_to_write(guarded: Minato, role: str) -> None:
    for statement in (
        "insert into storage.buckets_vectors (id) values ('mine')",
        "update storage.vector_indexes set dimension = 1",
        "delete from storage.vector_indexes",
    ):
        transaction = guarded.db.transaction()
        await transaction.start()
        try:
            await guarded.db.execute(f"set local role {role}")
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await guarded.db.execute(statement)
        finally:
            await transaction.rollback()


async def test_what_the_project_puts_in_its_own_schema_is_not_called(guarded: Minato) -> None:
    """A function or operator that fits better than PostgreSQL's would run with the rights of the service."""
    await guarded.db.execute(
        """
        set role postgres;
        create table public.caught (who text);
        create function public.starts_with(text, varchar) returns boolean language plpgsql as
            $$ begin insert into public.caught values (current_user); return true; end $$;
        create function public.jsonb_exists(jsonb, varchar) returns boolean language plpgsql as
            $$ begin insert into public.caught values (current_user); return true; end $$;
        create function public.hashtext(varchar) returns int language plpgsql as
            $$ begin insert into public.caught values (current_user); return 1; end $$;
        reset role
        """
    )
    await done(guarded, "ListVectorBuckets", prefix="v")
    await done(guarded, "ListVectors", **NAMES)
    assert await found(guarded, {"secret": {"$exists": True}}) == ["safe"]
    assert await guarded.db.fetch("select * from public.caught") == []


texts = st.sampled_from(["", "safe", BUCKET, INDEX, "\0", "x" * 2000, "é🗝", *EVIL]) | st.text(max_size=5)
numbers = st.sampled_from([0, 1, -1, 1.5, 1e38, 1e39, 1e-50, 1e308, -0.0, 2**63, 10**30, 501, 4097])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
operators = st.sampled_from(["$eq", "$ne", "$gt", "$lte", "$in", "$nin", "$exists", "$and", "$or", "$what"])
filters = st.recursive(
    st.dictionaries(texts | operators, values | st.dictionaries(operators, values, max_size=2), max_size=2),
    lambda inner: st.dictionaries(operators, st.lists(inner, max_size=2), max_size=1),
    max_leaves=4,
)
vectors = st.lists(numbers, max_size=3) | st.just([1, 2]) | values
records = st.lists(
    st.fixed_dictionaries(
        {"key": texts | values, "data": st.fixed_dictionaries({"float32": vectors})},
        optional={"metadata": st.dictionaries(texts, values, max_size=3) | values},
    ),
    max_size=3,
)
bodies = st.fixed_dictionaries(
    {},
    optional={
        "vectorBucketName": st.just(BUCKET) | values,
        "indexName": st.just(INDEX) | values,
        "vectors": records | values,
        "queryVector": st.fixed_dictionaries({"float32": vectors}) | values,
        "topK": st.just(3) | values,
        "keys": st.lists(texts, max_size=3) | values,
        "filter": filters | values,
        "nextToken": texts | values,
        "prefix": texts | values,
        "maxResults": numbers | values,
        "segmentCount": numbers | values,
        "segmentIndex": numbers | values,
        "returnData": st.booleans() | values,
        "returnMetadata": st.booleans() | values,
        "dimension": numbers | values,
        "dataType": st.just("float32") | values,
        "distanceMetric": st.sampled_from(["cosine", "euclidean"]) | values,
        "metadataConfiguration": st.fixed_dictionaries({"nonFilterableMetadataKeys": st.lists(texts)}) | values,
    },
)
# What is meant, with something else in it: few bodies get past the first check otherwise.
meant = st.sampled_from(OPERATIONS).flatmap(
    lambda operation: st.tuples(st.just(operation), st.booleans(), bodies | values)
)
GOOD: dict[str, Any] = {
    **NAMES,
    "vectors": [{"key": "x", "data": {"float32": [1, 2]}}],
    "keys": ["x"],
    "queryVector": {"float32": [1, 2]},
    "topK": 3,
    "dataType": "float32",
    "dimension": 2,
    "distanceMetric": "cosine",
}
TAKEN = {
    "QueryVectors": ("vectorBucketName", "indexName", "queryVector", "topK", "filter", "returnMetadata"),
}


@settings(max_examples=of_hundred(300))
@given(asked=meant)
async def test_no_body_makes_the_server_fail(guarded: Minato, asked: tuple[str, bool, Any]) -> None:
    operation, mended, body = asked
    if mended and isinstance(body, dict):
        body = {**GOOD, **body}
        body = {name: body[name] for name in TAKEN.get(operation, body) if name in body}
    try:
        answer = await ask(guarded, operation, body)
    except UnicodeEncodeError:
        return
    assert answer.status_code < 500, (operation, body, answer.text)
    if answer.content:
        assert isinstance(answer.json(), dict)


@given(content=st.binary(max_size=40) | st.sampled_from([b"[" * 2000, b'{"a":1e999}', b'{"a":"\\ud800"}', b"null"]))
async def test_no_bytes_make_the_server_fail(guarded: Minato, content: bytes) -> None:
    async with guarded.client(guarded.service_role_key, **{"content-type": "application/json"}) as client:
        answer = await client.post("/storage/v1/vector/PutVectors", content=content)
    assert answer.status_code == 400, answer.text
