"""The operations of vector buckets, as a service with every right asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from tests.support.server import Minato

Body = dict[str, Any]
NEW_INDEX: Body = {"dataType": "float32", "dimension": 3, "distanceMetric": "euclidean"}


@dataclass
class Vectors:
    """The vector buckets of a running server."""

    minato: Minato

    def client(self, token: str | None = None) -> httpx.AsyncClient:
        """A client of the operations, speaking as `token`, or with the service key."""
        client = self.minato.client(token or self.minato.service_role_key)
        client.base_url = httpx.URL(f"{self.minato.url}/storage/v1/vector")
        return client

    async def ask(self, operation: str, token: str | None = None, **body: Any) -> httpx.Response:
        """The answer to an operation."""
        async with self.client(token) as client:
            return await client.post(f"/{operation}", json=body)

    async def told(self, operation: str, **body: Any) -> Any:
        """What a successful operation tells."""
        answer = await self.ask(operation, **body)
        assert answer.status_code == 200, answer.text
        return answer.json() if answer.content else None

    async def tables(self) -> int:
        """How many tables of vectors there are."""
        return int(await self.minato.db.fetchval("select count(*) from pg_tables where schemaname = 'storage_vectors'"))

    async def bucket(self) -> str:
        """A new bucket."""
        name = f"b-{uuid4().hex[:12]}"
        await self.told("CreateVectorBucket", vectorBucketName=name)
        return name

    async def index(self, dimension: int = 2, metric: str = "cosine", hidden: list[str] | None = None) -> Index:
        """An index in a bucket of its own."""
        index = Index(self, await self.bucket(), f"i-{uuid4().hex[:12]}")
        more = {"metadataConfiguration": {"nonFilterableMetadataKeys": hidden}} if hidden else {}
        await index.told("CreateIndex", dataType="float32", dimension=dimension, distanceMetric=metric, **more)
        return index


@dataclass
class Index:
    """An index of theirs."""

    vectors: Vectors
    bucket: str
    name: str

    @property
    def names(self) -> dict[str, str]:
        return {"vectorBucketName": self.bucket, "indexName": self.name}

    async def ask(self, operation: str, **body: Any) -> httpx.Response:
        """The answer to an operation on it."""
        return await self.vectors.ask(operation, **self.names, **body)

    async def told(self, operation: str, **body: Any) -> Any:
        """What a successful operation on it tells."""
        return await self.vectors.told(operation, **self.names, **body)

    async def put(self, vectors: dict[str, list[float]], metadata: dict[str, Body] | None = None) -> None:
        """Vectors by key, and metadata of some."""
        given = metadata or {}
        records = [
            {"key": key, "data": {"float32": numbers}, **({"metadata": given[key]} if key in given else {})}
            for key, numbers in vectors.items()
        ]
        await self.told("PutVectors", vectors=records)

    async def nearest(self, numbers: list[float], top: int = 100, **more: Any) -> list[Body]:
        """What a query finds, the nearest first."""
        found = await self.told("QueryVectors", queryVector={"float32": numbers}, topK=top, **more)
        vectors: list[Body] = found["vectors"]
        return vectors

    async def keys(self, **more: Any) -> list[str]:
        """The keys of every page of a list."""
        keys: list[str] = []
        token: dict[str, str] = {}
        while True:
            page = await self.told("ListVectors", **more, **token)
            keys += [vector["key"] for vector in page["vectors"]]
            if "nextToken" not in page:
                return keys
            token = {"nextToken": page["nextToken"]}


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, which is told in the same words twice."""
    told = answer.json()
    assert told["statusCode"] == str(answer.status_code), told
    return answer.status_code, told["code"]
