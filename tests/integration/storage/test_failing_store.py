"""A store of files that refuses everything: who asks, who watches the server and who reads its log are told."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress

from tests.integration.storage.conftest import Storage
from tests.integration.storage.test_resumable import create
from tests.support.server import running, settings_for

REFUSAL = "<Error><Code>InvalidAccessKeyId</Code><Message>There is no key 4f3a-secret.</Message></Error>"
FILE = b"a file"
HEAD = 'etag: "e"\r\nlast-modified: Wed, 21 Oct 2015 07:28:00 GMT\r\nconnection: close\r\n'


@dataclass
class Store:
    """Takes every file, and gives the same one for all of them. It `refuses` everything, or all but to give; it
    `breaks_off` before the first byte of what it gives."""

    refuses: bool = False
    gives: bool = False
    breaks_off: bool = False
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        found = re.search(r"content-length: (\d+)", head)
        await reader.readexactly(int(found[1]) if found else 0)
        writer.write(self._answer(head))
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    def _answer(self, head: str) -> bytes:
        if self.refuses and not (self.gives and head.startswith("get ")):
            return f"HTTP/1.1 403 Forbidden\r\n{HEAD}content-length: {len(REFUSAL)}\r\n\r\n{REFUSAL}".encode()
        wanted = re.search(r"range: bytes=(\d+)-(\d+)", head)
        if wanted is None:
            return f"HTTP/1.1 200 OK\r\n{HEAD}content-length: 0\r\n\r\n".encode()
        start, last = int(wanted[1]), min(int(wanted[2]), len(FILE) - 1)
        said = f"content-length: {last + 1 - start}\r\ncontent-range: bytes {start}-{last}/{len(FILE)}\r\n\r\n"
        body = b"" if self.breaks_off else FILE[start : last + 1]
        return f"HTTP/1.1 206 OK\r\n{HEAD}{said}".encode() + body


@asynccontextmanager
async def kept_in(store: Store, address: DatabaseAddress, folder: Path) -> AsyncIterator[Storage]:
    """A server that keeps its files there."""
    server = await asyncio.start_server(store.serve, "127.0.0.1", 0)
    store.port = server.sockets[0].getsockname()[1]
    url = f"s3://files/mine?endpoint=http://127.0.0.1:{store.port}&region=us-east-1"
    try:
        async with running(address, settings_for(folder, storage=StorageSettings(url=url))) as minato:
            storage = Storage(minato)
            await storage.room.house.looked.wait()
            yield storage
    finally:
        server.close()


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "4f3a-secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "9b2c-secret")


async def logged(storage: Storage, capfd: pytest.CaptureFixture[str]) -> str:
    """What the server has written into its log since the last look."""
    await asyncio.to_thread(storage.minato.backend.log_lines.flush, 5.0)
    return "".join(capfd.readouterr())


async def test_a_store_that_refuses_is_told_once_and_without_a_trace(
    address: DatabaseAddress, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = Store()
    async with kept_in(store, address, tmp_path) as storage, storage.service() as service:
        bucket = await storage.bucket()
        store.refuses = True
        await logged(storage, capfd)
        for key in ("a", "b", "c"):
            await service.post(f"/object/{bucket}/{key}", content=FILE)
        told = await logged(storage, capfd)
        failures = [line for line in map(json.loads, told.splitlines()) if line["event"] == "the file store fails"]
        assert [line["operation"] for line in failures] == ["write", "delete"]
        assert {line["store"] for line in failures} == {f"s3://files/mine at 127.0.0.1:{store.port}"}
        assert {line["reason"] for line in failures} == {"403 InvalidAccessKeyId"}
        assert "Traceback" not in told
        assert "secret" not in told
        store.refuses = False
        await service.post(f"/object/{bucket}/d", content=FILE)
        assert (await logged(storage, capfd)).count("the file store works again") == 1


async def test_who_asks_a_store_that_refuses_gets_the_reference_s_error(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    store = Store()
    async with kept_in(store, address, tmp_path) as storage, storage.service() as service:
        bucket = await storage.bucket()
        await storage.put(bucket, "k", FILE)
        store.refuses = True
        upload = await service.post(f"/object/{bucket}/a", content=FILE)
        download = await service.get(f"/object/{bucket}/k")
    refused = {"statusCode": "403", "error": "S3Error", "message": "InvalidAccessKeyId", "code": "S3Error"}
    assert (upload.status_code, upload.json()) == (400, refused)
    failed = {"statusCode": "500", "error": "Internal", "message": "Internal Server Error", "code": "InternalError"}
    assert (download.status_code, download.json()) == (500, failed)


async def test_a_resumable_upload_that_a_store_refuses_may_be_tried_again(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    store = Store()
    async with kept_in(store, address, tmp_path) as storage, storage.service() as service:
        bucket = await storage.bucket()
        store.refuses = True
        answer = await create(service, bucket, "pieces", 10)
    # With 400 clients of TUS give up.
    assert (answer.status_code, answer.text) == (500, "Something went wrong with that request\n")
    assert answer.headers["tus-resumable"] == "1.0.0"


async def test_readiness_and_metrics_tell_which_operations_a_store_refuses(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    store = Store()
    async with kept_in(store, address, tmp_path) as storage, storage.service() as service:
        bucket = await storage.bucket()
        await storage.put(bucket, "k", FILE)
        site = storage.minato.client()
        assert (await site.get("/readyz")).text == "ok"
        store.refuses = store.gives = True
        await service.post(f"/object/{bucket}/a", content=FILE)
        await service.get(f"/object/{bucket}/k")
        ready, metrics = await site.get("/readyz"), (await site.get("/metrics")).text
        assert ready.status_code == 200
        assert ready.text.splitlines()[0] == "ok"
        assert "the file store fails to write" in ready.text
        assert 'minato_file_store_failing{operation="write"} 1.0' in metrics
        assert 'minato_file_store_failing{operation="read"} 0.0' in metrics
        store.refuses = False
        await service.post(f"/object/{bucket}/a", content=FILE)
        assert (await site.get("/readyz")).text == "ok"
        assert 'minato_file_store_failing{operation="write"} 0.0' in (await site.get("/metrics")).text
        await site.aclose()


async def test_a_download_that_the_store_breaks_off_leaves_no_trace_in_the_log(
    address: DatabaseAddress, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = Store()
    async with kept_in(store, address, tmp_path) as storage, storage.service() as service:
        bucket = await storage.bucket(public=True)
        await storage.put(bucket, "k", FILE)
        store.breaks_off = True
        with pytest.raises(httpx.RemoteProtocolError):
            await service.get(f"/object/{bucket}/k")
        told = await logged(storage, capfd)
    assert "the file store fails" in told
    assert "Traceback" not in told
