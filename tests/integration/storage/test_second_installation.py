"""A second installation on the store of a first one, from its start to its end, while the store refuses it things."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress
from minato.storage.backend.told import StoreFailed

from tests.integration.storage.conftest import Storage
from tests.support.postgres import Cluster
from tests.support.server import running, settings_for

REFUSAL = "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"
WRITES, LISTS = frozenset({"PUT", "POST", "DELETE"}), frozenset({"LIST"})


@dataclass
class Gate:
    """Stands before a store, and refuses what is in `refused`: methods, and lists."""

    store: str
    refused: frozenset[str]
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        found = re.search(r"content-length: (\d+)", head, re.I)
        body = await reader.readexactly(int(found[1]) if found else 0)
        act = "LIST" if "list-type=2" in head else head.partition(" ")[0]
        if act in self.refused:
            told = f"HTTP/1.1 403 Forbidden\r\ncontent-length: {len(REFUSAL)}\r\nconnection: close\r\n\r\n{REFUSAL}"
            writer.write(told.encode())
        else:
            writer.write(await self._pass_on(head, body))
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async def _pass_on(self, head: str, body: bytes) -> bytes:
        """What the store answers; it and the client are asked to say no more."""
        address = urlsplit(self.store)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        writer.write(head.replace("\r\n", "\r\nconnection: close\r\n", 1).encode() + body)
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        return answer.replace(b"\r\n", b"\r\nconnection: close\r\n", 1)


@asynccontextmanager
async def gated(store: str, refused: frozenset[str]) -> AsyncIterator[Gate]:
    gate = Gate(store, refused)
    server = await asyncio.start_server(gate.serve, "127.0.0.1", 0)
    gate.port = server.sockets[0].getsockname()[1]
    try:
        yield gate
    finally:
        server.close()


@asynccontextmanager
async def installed(address: DatabaseAddress, folder: Path, url: str) -> AsyncIterator[Storage]:
    async with running(address, settings_for(folder, storage=StorageSettings(url=url))) as minato:
        storage = Storage(minato)
        await storage.room.house.looked.wait()
        yield storage


async def upload_and_sweep(storage: Storage) -> None:
    """As far as the store lets it."""
    bucket = await storage.bucket()
    async with storage.service() as service:
        for key in ("a", "b", "c"):
            answer = await service.post(f"/object/{bucket}/{key}", content=b"mine")
            assert answer.status_code in (200, 400), answer.text
    with suppress(StoreFailed):
        await storage.orphans()


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        (WRITES, {"write", "delete"}),
        (LISTS, {"list"}),
        (WRITES | LISTS | {"GET", "HEAD"}, {"read", "write", "delete", "list"}),
    ],
    ids=["writes", "lists", "everything"],
)
async def test_a_store_that_refuses_a_second_installation_is_told_once_and_keeps_the_first_one_s_files(
    cluster: Cluster,
    tmp_path: Path,
    s3_url: str,
    s3_endpoint: str,
    refused: frozenset[str],
    told: set[str],
    capfd: pytest.CaptureFixture[str],
) -> None:
    async with (
        cluster.fresh_database() as own,
        cluster.fresh_database() as another,
        installed(own, tmp_path / "first", s3_url) as first,
        gated(s3_endpoint, refused) as gate,
    ):
        bucket = await first.bucket()
        await first.put(bucket, "k", b"first")
        capfd.readouterr()
        url = s3_url.replace(s3_endpoint, f"http://127.0.0.1:{gate.port}")
        async with installed(another, tmp_path / "second", url) as second:
            await upload_and_sweep(second)
        log = "".join(capfd.readouterr())
        failures = [line for line in map(json.loads, log.splitlines()) if line["event"] == "the file store fails"]
        assert sorted(line["operation"] for line in failures) == sorted(told)
        assert "Traceback" not in log
        gate.refused = frozenset()
        async with installed(another, tmp_path / "second", url) as second:
            await upload_and_sweep(second)
            assert (await second.room.services.installation.standing(second.room.services.files)).reason is None
        assert sum([len(batch) async for batch in first.room.services.files.list()]) == 1
        async with first.service() as service:
            assert (await service.get(f"/object/{bucket}/k")).content == b"first"
