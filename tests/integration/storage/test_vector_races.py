"""Several at once: the same bucket, the same index, the last free place, an index that is being deleted."""

from __future__ import annotations

import asyncio

from tests.integration.storage.vector_client import NEW_INDEX, Index, Vectors, refused


async def test_of_two_who_make_the_same_one_succeeds(few: Vectors) -> None:
    answers = await asyncio.gather(*(few.ask("CreateVectorBucket", vectorBucketName="same") for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    index = Index(few, "same", "same")
    # The extension is made by the first of them.
    answers = await asyncio.gather(*(index.ask("CreateIndex", **NEW_INDEX) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert await few.tables() == 1


async def test_there_are_never_more_than_may_be(few: Vectors) -> None:
    made = [few.ask("CreateVectorBucket", vectorBucketName=f"b{number}") for number in range(6)]
    answers = await asyncio.gather(*made)
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [400] * 3
    codes = {refused(answer) for answer in answers if answer.is_error}
    assert codes == {(400, "S3VectorMaxBucketsExceeded")}
    listed = (await few.told("ListVectorBuckets"))["vectorBuckets"]
    bucket = listed[0]["vectorBucketName"]
    assert refused(await few.ask("CreateVectorBucket", vectorBucketName=bucket)) == (409, "ConflictException")
    answers = await asyncio.gather(*(Index(few, bucket, f"i{n}-x").ask("CreateIndex", **NEW_INDEX) for n in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200] * 2 + [400] * 3
    assert {refused(answer) for answer in answers if answer.is_error} == {(400, "S3VectorMaxIndexesExceeded")}
    name = (await few.told("ListIndexes", vectorBucketName=bucket))["indexes"][0]["indexName"]
    assert refused(await Index(few, bucket, name).ask("CreateIndex", **NEW_INDEX)) == (409, "ConflictException")


async def test_whoever_meets_a_deletion_finds_the_index_or_none(vectors: Vectors) -> None:
    for _ in range(5):
        index = await vectors.index(3, "euclidean")
        records = [{"key": str(number), "data": {"float32": [number, 1, 2]}} for number in range(50)]
        query = {"queryVector": {"float32": [1, 2, 3]}, "topK": 5}
        answers = await asyncio.gather(
            *(index.ask("PutVectors", vectors=records) for _ in range(3)),
            index.ask("DeleteIndex"),
            *(index.ask("PutVectors", vectors=records) for _ in range(2)),
            *(index.ask("QueryVectors", **query) for _ in range(2)),
            *(index.ask("DeleteVectors", keys=["1", "2"]) for _ in range(2)),
        )
        assert {answer.status_code for answer in answers} <= {200, 404}, [answer.text for answer in answers]
        assert answers[3].status_code == 200


async def test_who_puts_and_deletes_the_same_vectors_never_waits_in_a_circle(vectors: Vectors) -> None:
    index = await vectors.index(3, "euclidean")
    records = [{"key": f"{number:03}", "data": {"float32": [number, 1, 2]}} for number in range(100)]
    keys = [record["key"] for record in records]
    answers = await asyncio.gather(
        *(index.ask("PutVectors", vectors=some) for some in (records, records[::-1]) * 4),
        *(index.ask("DeleteVectors", keys=some) for some in (keys, keys[::-1]) * 4),
    )
    assert {answer.status_code for answer in answers} == {200}
