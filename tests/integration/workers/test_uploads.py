"""A resumable upload is one upload, whichever worker its requests meet."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator

import httpx
from minato.storage.tus.upload_folder import BLOCK

from tests.support.crew import Crew
from tests.support.waiting import PATIENCE

TUS = {"tus-resumable": "1.0.0"}


def client(crew: Crew) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"{crew.url}/storage/v1", headers={**crew.headers(), **TUS}, timeout=PATIENCE)


def named(bucket: str, key: str) -> str:
    pairs = {"bucketName": bucket, "objectName": key}
    return ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in pairs.items())


async def begun(http: httpx.AsyncClient, key: str, length: int) -> str:
    headers = {"upload-length": str(length), "upload-metadata": named("pieces", key)}
    answer = await http.post("/upload/resumable", headers=headers)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["location"])


async def append(
    http: httpx.AsyncClient, url: str, offset: int, content: bytes | AsyncIterator[bytes]
) -> httpx.Response:
    headers = {"content-type": "application/offset+octet-stream", "upload-offset": str(offset)}
    return await http.patch(url, content=content, headers=headers)


async def arrived(http: httpx.AsyncClient, url: str) -> str:
    return str((await http.head(url)).headers["upload-offset"])


async def test_an_upload_is_written_by_one_worker_at_a_time_and_goes_on_at_another(crew: Crew) -> None:
    first, second = crew.workers()
    go = asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b"a" * BLOCK
        await go.wait()
        yield b"b" * 5

    async with client(crew) as somebody:
        assert (await somebody.post("/bucket", json={"id": "pieces", "name": "pieces"})).is_success
    # Each opens its connections, and keeps them, while its worker alone goes on.
    async with client(crew) as one, client(crew) as other:
        with crew.only(first):
            url = await begun(one, "k", BLOCK + 10)
            writing = asyncio.create_task(append(one, url, 0, slowly()))
            async with asyncio.timeout(PATIENCE):
                while await arrived(one, url) != str(BLOCK):  # noqa: ASYNC110 - what is waited for rings no bell
                    await asyncio.sleep(0.01)
        with crew.only(second):
            refused = await append(other, url, BLOCK, b"c")
        assert (refused.status_code, refused.text) == (423, "The resource is locked")
        go.set()
        assert (await writing).headers["upload-offset"] == str(BLOCK + 5)
        with crew.only(second):
            assert await arrived(other, url) == str(BLOCK + 5)
            last = await append(other, url, BLOCK + 5, b"c" * 5)
        assert last.headers.get("tus-complete") == "1"
        found = await one.get("/object/pieces/k")
        assert found.content == b"a" * BLOCK + b"b" * 5 + b"c" * 5
