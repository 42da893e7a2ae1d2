"""A branch begins with the vectors of what it comes from, and both go on by themselves."""

from __future__ import annotations

from pathlib import Path

import httpx
from minato.config.storage import StorageSettings

from tests.support.hosted import Backed, hosting
from tests.support.postgres import Cluster

NAMES = {"vectorBucketName": "films", "indexName": "plots"}
QUERY = {**NAMES, "queryVector": {"float32": [0, 0]}, "topK": 10}


async def ask(backed: Backed, operation: str, **body: object) -> httpx.Response:
    async with backed.client() as client:
        answer = await client.post(f"/storage/v1/vector/{operation}", json={**NAMES, **body})
    assert answer.status_code == 200, answer.text
    return answer


async def put(backed: Backed, key: str, numbers: list[float]) -> None:
    await ask(backed, "PutVectors", vectors=[{"key": key, "data": {"float32": numbers}}])


async def keys(backed: Backed) -> list[str]:
    async with backed.client() as client:
        answer = await client.post("/storage/v1/vector/QueryVectors", json=QUERY)
    return [vector["key"] for vector in answer.json()["vectors"]]


async def test_a_branch_has_the_vectors_of_main_and_then_its_own(cluster: Cluster, tmp_path: Path) -> None:
    storage = StorageSettings(vector_enabled=True)
    async with cluster.fresh_database() as address, hosting(cluster, tmp_path, address, storage=storage) as hosted:
        await ask(hosted.main, "CreateVectorBucket")
        await ask(hosted.main, "CreateIndex", dataType="float32", dimension=2, distanceMetric="euclidean")
        await put(hosted.main, "both", [1, 0])
        branch = await hosted.branch(**{"from": "main"})
        await put(branch, "branch", [2, 0])
        await put(hosted.main, "main", [3, 0])
        assert await keys(branch) == ["both", "branch"]
        assert await keys(hosted.main) == ["both", "main"]
        await ask(hosted.main, "DeleteIndex")
        assert await keys(branch) == ["both", "branch"]
