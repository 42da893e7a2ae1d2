"""Buckets of a test's own, and the ways to them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import httpx
import pytest
from minato.config.storage import StorageSettings
from minato.storage.app import StorageRoom
from minato.storage.sweep import sweep_orphans
from moto.server import ThreadedMotoServer

from tests.integration.storage.vector_client import Vectors
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

BUCKET = "files"


def holds_files(folder: Path) -> bool:
    """Whether files lie below, partial ones among them. Folders may go while they are read."""
    return any(files for _, _, files in os.walk(folder))


@dataclass
class Storage:
    """The storage service of a running server."""

    minato: Minato

    def client(self, token: str | None = None) -> httpx.AsyncClient:
        """A client below the service's prefix, speaking as `token`."""
        client = self.minato.client(token)
        client.base_url = httpx.URL(f"{self.minato.url}/storage/v1")
        return client

    def service(self) -> httpx.AsyncClient:
        """A client with every right."""
        return self.client(self.minato.service_role_key)

    async def bucket(self, **settings: Any) -> str:
        """A new bucket."""
        name = f"b-{self.minato.backend.entropy.uuid4()}"
        async with self.service() as service:
            answer = await service.post("/bucket", json={"name": name, **settings})
        assert answer.json() == {"name": name}, answer.text
        return name

    async def put(self, bucket: str, key: str, content: bytes, content_type: str = "text/plain") -> None:
        """An object in it."""
        async with self.service() as service:
            answer = await service.put(
                f"/object/{bucket}/{key}", content=content, headers={"content-type": content_type}
            )
        assert answer.status_code == 200, answer.text

    @property
    def room(self) -> StorageRoom:
        room = self.minato.application.rooms["/storage/v1"]
        assert isinstance(room, StorageRoom)
        return room

    async def folder(self, bucket: str) -> Path:
        """Where the bucket's files lie on this machine."""
        data_dir = self.minato.backend.settings.server.data_dir.absolute()
        return data_dir / "storage" / await self.room.services.installation.prefix() / bucket

    async def orphans(self) -> int:
        """Files no row names; they are gone afterwards."""
        services = self.room.services
        await services.removals.end()
        settings = services.settings.model_copy(update={"orphan_age": 0})
        return await sweep_orphans(replace(services, settings=settings))


@pytest.fixture(scope="session")
def s3_endpoint() -> Iterator[str]:
    """The address of a store with one bucket, its credentials in the environment.

    It is moto's, or the one of TEST_S3_ENDPOINT, whose credentials are TEST_S3_ACCESS_KEY and TEST_S3_SECRET_KEY.
    """
    key, secret = (os.environ.get(f"TEST_S3_{name}_KEY", name.lower()) for name in ("ACCESS", "SECRET"))
    with pytest.MonkeyPatch.context() as patch, _store() as endpoint:
        patch.setenv("AWS_ACCESS_KEY_ID", key)
        patch.setenv("AWS_SECRET_ACCESS_KEY", secret)
        client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
        with suppress(client.exceptions.BucketAlreadyOwnedByYou):
            client.create_bucket(Bucket=BUCKET)
        yield endpoint


@contextmanager
def _store() -> Iterator[str]:
    if told := os.environ.get("TEST_S3_ENDPOINT"):
        yield told
        return
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3_url(s3_endpoint: str) -> str:
    """A place of the test's own in the store."""
    return f"s3://{BUCKET}/{uuid4()}?endpoint={s3_endpoint}&region=us-east-1"


@pytest.fixture(scope="session")
async def remote_minato(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory, s3_endpoint: str
) -> AsyncIterator[Minato]:
    """A server whose files lie there, shared by the tests of this process."""
    url = f"s3://{BUCKET}/shared?endpoint={s3_endpoint}&region=us-east-1"
    settings = settings_for(tmp_path_factory.mktemp("data"), storage=StorageSettings(url=url))
    async with cluster.fresh_database() as address, running(address, settings) as server:
        yield server


@pytest.fixture
def storage(minato: Minato) -> Storage:
    return Storage(minato)


@pytest.fixture(scope="session")
async def vector_minato(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server with vector buckets, shared by the tests of this process."""
    storage = StorageSettings(vector_enabled=True, vector_max_buckets=1000)
    settings = settings_for(tmp_path_factory.mktemp("data"), storage=storage)
    async with cluster.fresh_database() as address, running(address, settings) as server:
        yield server


@pytest.fixture
def vectors(vector_minato: Minato) -> Vectors:
    return Vectors(vector_minato)


@pytest.fixture
async def few(cluster: Cluster, tmp_path: Path) -> AsyncIterator[Vectors]:
    """Those of a server of the test's own, with three buckets of two indexes at most."""
    storage = StorageSettings(vector_enabled=True, vector_max_buckets=3, vector_max_indexes=2)
    async with cluster.fresh_database() as address, running(address, settings_for(tmp_path, storage=storage)) as server:
        yield Vectors(server)
