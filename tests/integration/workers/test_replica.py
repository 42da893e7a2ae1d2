"""Workers that read on a real streaming replica: what one of them wrote another one finds."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import jwt
import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress

from tests.support.command import served
from tests.support.crew import Crew
from tests.support.postgres import Cluster
from tests.support.replica import StreamingReplica, streaming_replica
from tests.support.waiting import PATIENCE

SCHEMA = """
    create table public.notes (id serial primary key, author uuid default auth.uid(), body text);
    grant all on public.notes to authenticated;
    grant usage on sequence public.notes_id_seq to authenticated;
    create function public.here() returns boolean stable language sql as 'select pg_is_in_recovery()';
    notify pgrst, 'reload schema';
"""
BINARIES = DatabaseSettings.of(os.environ).postgres_bin
LAGGING = {"MINATO_REPLICA_LAG": "3600", "MINATO_REPLICA_WAIT": "0.05"}


@pytest.fixture
async def standby(cluster: Cluster, address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[StreamingReplica]:
    async with streaming_replica(cluster, tmp_path / "replica", BINARIES) as replica:
        yield replica


@asynccontextmanager
async def asking(crew: Crew, worker: int, subject: str) -> AsyncIterator[httpx.AsyncClient]:
    """A connection of `subject` to this worker, which it stays with."""
    secret = str(crew.server.info["jwt_secret"])
    token = jwt.encode({"role": "authenticated", "sub": subject, "aud": "authenticated", "exp": 2**31}, secret)
    headers = {"apikey": crew.anon_key, "authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=f"{crew.url}/rest/v1", headers=headers, timeout=PATIENCE) as http:
        with crew.only(worker):
            await http.get("/rpc/here")
        yield http


async def reads_there(http: httpx.AsyncClient) -> bool:
    there: bool = (await http.get("/rpc/here")).json()
    return there


async def until_read_there(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await reads_there(http):
            pass


async def test_who_wrote_by_one_worker_reads_it_by_another_while_the_replica_lags(
    cluster: Cluster, address: DatabaseAddress, standby: StreamingReplica, tmp_path: Path
) -> None:
    database = address.admin.rpartition("/")[2].partition("?")[0]
    urls = {"DATABASE_URL": cluster.postgres.tcp_url(database=database), "DATABASE_READ_URL": standby.url(address)}
    with served(tmp_path / "data", "--workers", "2", **urls, **LAGGING) as server:
        crew, author, stranger = Crew(server), str(uuid.uuid4()), str(uuid.uuid4())
        crew.execute(SCHEMA)
        first, second = crew.workers()
        async with (
            asking(crew, first, author) as writer,
            asking(crew, second, author) as reader,
            asking(crew, second, stranger) as other,
        ):
            for each in (writer, reader, other):
                await until_read_there(each)
            await standby.pause()
            for number in range(5):
                assert (await writer.post("/notes", json={"body": str(number)})).status_code == 201
                assert len((await reader.get("/notes?select=id")).json()) == number + 1
            assert [await reads_there(each) for each in (writer, reader, other)] == [False, False, True]
            assert (await other.get("/notes?select=id")).json() == []
            await standby.resume()
            await until_read_there(reader)
            assert len((await reader.get("/notes?select=id")).json()) == 5
