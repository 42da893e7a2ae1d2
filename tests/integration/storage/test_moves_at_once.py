"""Objects moved while others write, move and delete them: nothing is lost, and whoever comes late is told so."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import httpx
import pytest
from minato.storage.backend.namespace import Namespace

from tests.integration.storage.conftest import Storage

AT_ONCE = 8


class Overtaken(Namespace):
    """Files of which one is copied while `meanwhile` happens, before or after its bytes are there."""

    def __init__(self, files: Namespace, before: bool, meanwhile: Callable[[], Awaitable[object]]) -> None:
        super().__init__(files._files, files._prefix)
        self._before = before
        self._meanwhile = [meanwhile]

    async def copy(self, source: str, target: str) -> None:
        meanwhile = self._meanwhile.pop() if self._meanwhile else None
        if meanwhile is not None and self._before:
            await meanwhile()
        await super().copy(source, target)
        if meanwhile is not None and not self._before:
            await meanwhile()


@contextmanager
def overtaken(storage: Storage, before: bool, meanwhile: Callable[[], Awaitable[object]]) -> Iterator[None]:
    healthy = storage.room.services
    storage.room.services = replace(healthy, files=Overtaken(healthy.files, before, meanwhile))
    try:
        yield
    finally:
        storage.room.services = healthy


async def move(service: httpx.AsyncClient, bucket: str, source: str, target: str) -> httpx.Response:
    body = {"bucketId": bucket, "sourceKey": source, "destinationKey": target}
    return await service.post("/object/move", json=body)


@pytest.mark.parametrize("before", [True, False])
async def test_an_object_that_is_written_while_it_is_moved_is_moved_as_it_was_written(
    storage: Storage, before: bool
) -> None:
    bucket = await storage.bucket()
    await storage.put(bucket, "a", b"old")

    async def write() -> None:
        await storage.put(bucket, "a", b"new")
        await storage.room.services.removals.end()

    async with storage.service() as service:
        with overtaken(storage, before, write):
            answer = await move(service, bucket, "a", "b")
        assert (answer.status_code, answer.text) == (200, '{"message":"Successfully moved"}')
        assert (await service.get(f"/object/{bucket}/a")).status_code == 400
        assert (await service.get(f"/object/{bucket}/b")).content == b"new"
    assert await storage.orphans() == 0


@pytest.mark.parametrize("before", [True, False])
async def test_an_object_that_goes_while_it_is_moved_is_said_to_be_gone(storage: Storage, before: bool) -> None:
    bucket = await storage.bucket()
    await storage.put(bucket, "a", b"old")
    async with storage.service() as service:

        async def delete() -> None:
            await service.request("DELETE", f"/object/{bucket}", json={"prefixes": ["a"]})
            await storage.room.services.removals.end()

        with overtaken(storage, before, delete):
            answer = await move(service, bucket, "a", "b")
    assert (answer.status_code, answer.json()["error"]) == (400, "not_found")
    assert await storage.orphans() == 0


async def test_one_object_moved_at_once_is_moved_once(storage: Storage) -> None:
    bucket = await storage.bucket()
    await storage.put(bucket, "a", b"one")
    async with storage.service() as service:
        answers = await asyncio.gather(*(move(service, bucket, "a", f"b{number % 2}") for number in range(AT_ONCE)))
        moved = [number % 2 for number, answer in enumerate(answers) if answer.status_code == 200]
        assert len(moved) == 1
        assert {answer.json().get("error") for answer in answers} <= {None, "not_found", "Duplicate"}
        assert (await service.get(f"/object/{bucket}/b{moved[0]}")).content == b"one"
    assert await storage.orphans() == 0


async def test_objects_deleted_at_once_in_any_order_are_deleted_once_each(storage: Storage) -> None:
    bucket, keys = await storage.bucket(), [f"folder/{number}" for number in range(30)]
    for key in keys:
        await storage.put(bucket, key, b"one")
    orders = [random.Random(seed).sample(keys, len(keys)) for seed in range(AT_ONCE)]
    async with storage.service() as service:
        deletions = (service.request("DELETE", f"/object/{bucket}", json={"prefixes": order}) for order in orders)
        answers = await asyncio.gather(*deletions)
    assert {answer.status_code for answer in answers} == {200}
    assert sorted(row["name"] for answer in answers for row in answer.json()) == sorted(keys)
    assert await storage.orphans() == 0
