"""Refusals that used to be failures, and where a resumable upload is said to lie."""

from __future__ import annotations

import errno
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import obstore
import pytest
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from minato.storage.backend import disk
from obstore.exceptions import BaseError
from structlog.testing import CapturingLogger

from tests.integration.storage.conftest import Storage
from tests.support.server import Minato, running, settings_for
from tests.support.ways_in import meant, tus_headers


@pytest.fixture
def storage(minato: Minato) -> Storage:
    return Storage(minato)


@pytest.mark.parametrize("path", ["/bucket", "/object/authenticated/none/a", "/object/list/none"])
async def test_a_role_nobody_made_is_no_ones(storage: Storage, path: str) -> None:
    async with storage.client(storage.minato.token(role="nobody_made_this")) as client:
        method, body = ("POST", {"prefix": ""}) if "list" in path else ("GET", None)
        answer = await client.request(method, path, json=body)
    assert (answer.status_code, answer.json()["statusCode"]) == (401, "401")


@pytest.mark.parametrize("path", ["/object/sign/{bucket}/a", "/object/sign/{bucket}"])
async def test_a_url_is_signed_for_a_hundred_years_at_most(storage: Storage, path: str) -> None:
    bucket = await storage.bucket()
    await storage.put(bucket, "a", b"x")
    async with storage.service() as service:
        for seconds, status in ((3_153_600_000, 200), (3_153_600_001, 400), (10**12, 400), (10**30, 400)):
            body = {"expiresIn": seconds, "paths": ["a"]}
            assert (await service.post(path.format(bucket=bucket), json=body)).status_code == status, seconds


async def test_a_url_that_ends_after_time_itself_is_read(storage: Storage) -> None:
    bucket = await storage.bucket()
    await storage.put(bucket, "a", b"x")
    token = storage.minato.backend.keys.sign({"url": f"{bucket}/a", "scope": "download", "exp": 10**15})
    async with storage.service() as service:
        answer = await service.get(f"/object/sign/{bucket}/a?token={token}")
    assert (answer.status_code, answer.headers["expires"]) == (200, "Fri, 31 Dec 9999 23:59:59 GMT")


FULL_DISK = (
    "Generic LocalFileSystem error: Unable to copy data to file: No space left on device (os error 28)\n\nDebug source:"
)


@pytest.mark.parametrize("size", [10, 7_000_000])
async def test_a_full_disk_is_said_in_one_line(storage: Storage, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def full_store(*_: Any, **__: Any) -> None:
        raise BaseError(FULL_DISK)

    bucket = await storage.bucket()
    monkeypatch.setattr(disk, "write_new", full)
    monkeypatch.setattr(obstore, "put_async", full_store)
    log: Any = CapturingLogger()
    monkeypatch.setattr(storage.minato.application._gateway.observer, "_log", log)
    monkeypatch.setattr(storage.room, "services", replace(storage.room.services, log=log))
    async with storage.service() as service:
        answer = await service.post(f"/object/{bucket}/a", content=b"x" * size)
    assert (answer.status_code, answer.json()["code"]) == (507, "InsufficientStorage")
    assert [(line.method_name, line.args, line.kwargs["status"]) for line in log.calls] == [
        ("error", ("request failed",), 507)
    ]
    assert not await storage.minato.db.fetchval("select count(*) from storage.objects where bucket_id = $1", bucket)


async def begin(client: httpx.AsyncClient, bucket: str) -> str:
    begun = await client.post("/upload/resumable", content=b"ab", headers=tus_headers(bucket, "a", 4, "text/plain"))
    assert begun.status_code == 201, begun.text
    location: str = begun.headers["location"]
    return location


async def test_a_resumable_upload_lies_where_clients_call_the_server(address: DatabaseAddress, tmp_path: Path) -> None:
    server = ServerSettings(data_dir=tmp_path, web_root=None, public_url="https://cars.example/b/one/")
    async with running(address, settings_for(tmp_path, server=server)) as minato:
        storage = Storage(minato)
        async with storage.service() as service:
            location = await begin(service, await storage.bucket())
    assert location.startswith("https://cars.example/b/one/storage/v1/upload/resumable/")


@pytest.fixture
async def below(own_minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the same server, reached through an application that has it below /b/one."""

    async def outer(scope: Any, receive: Any, send: Any) -> None:
        cut = len("/b/one")
        paths = {"path": scope["path"][cut:], "raw_path": scope["raw_path"][cut:], "root_path": "/b/one"}
        await own_minato.application({**scope, **paths}, receive, send)

    key = own_minato.service_role_key
    headers = {"authorization": f"Bearer {key}", "apikey": key}
    transport = httpx.ASGITransport(outer)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://outer/b/one/storage/v1", headers=headers
    ) as client:
        yield client


async def test_a_resumable_upload_goes_on_below_an_outer_prefix(own_minato: Minato, below: httpx.AsyncClient) -> None:
    bucket = await Storage(own_minato).bucket()
    location = await begin(below, bucket)
    assert location.startswith("http://outer/b/one/storage/v1/upload/resumable/")
    rest = {"tus-resumable": "1.0.0", "upload-offset": "2", "content-type": "application/offset+octet-stream"}
    assert meant(await below.patch(location, content=b"cd", headers=rest)) == 200
    assert (await below.get(f"/object/{bucket}/a")).content == b"abcd"
