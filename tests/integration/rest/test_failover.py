"""Another primary under the same address, and replicas that went with it, stayed behind or were made anew."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from pydantic import SecretStr

from tests.integration.rest.test_replica import BINARIES, SCHEMA, caught_up, read_there, replica_of
from tests.support.postgres import Cluster
from tests.support.relay import Relay
from tests.support.replica import StreamingReplica, streaming_replica
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import until, until_rows

HAS_ALL = "select pg_last_wal_replay_lsn() >= '{}'"
# All that is committed. What is behind it in the log may stay in memory for seconds.
FLUSHED = "select pg_current_wal_flush_lsn()::text"


def database_of(address: DatabaseAddress) -> str:
    return address.admin.rpartition("/")[2].partition("?")[0]


@pytest.fixture
async def schema(address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    """The owner's connection to the first primary, which has the tables."""
    connection = await asyncpg.connect(address.admin)
    await connection.execute(SCHEMA)
    yield connection
    await connection.close()


@asynccontextmanager
async def standby_of(cluster: Cluster, folder: Path, primary: asyncpg.Connection) -> AsyncIterator[StreamingReplica]:
    """One that has all of it by now."""
    async with streaming_replica(cluster, folder, BINARIES) as standby:
        head = await primary.fetchval(FLUSHED)
        connection = await asyncpg.connect(standby.at.socket_url())
        await until_rows(connection, HAS_ALL.format(head))
        await connection.close()
        yield standby


async def go_on_alone(primary: asyncpg.Connection, behind: StreamingReplica) -> None:
    """The old primary lives on, unseen by us, and what follows it is far ahead of any other by the number."""
    for _ in range(2):
        await primary.execute("create table public.alone (); drop table public.alone")
        await primary.execute("select pg_switch_wal()")
    head = await primary.fetchval(FLUSHED)
    connection = await asyncpg.connect(behind.at.socket_url())
    await until_rows(connection, HAS_ALL.format(head))
    await connection.close()


def served(primary: Relay, replica: Relay, folder: Path, lag: float = 3600.0) -> AbstractAsyncContextManager[Minato]:
    options = DatabaseSettings(read_url=SecretStr(replica.url()), replica_lag=lag, replica_wait=0.05)
    return running(primary.address, settings_for(folder, database=options))


async def assert_finds_what_it_writes(minato: Minato) -> None:
    async with minato.client(minato.token(str(uuid.uuid4()))) as client:
        for number in range(5):
            assert (await client.post("/rest/v1/notes", json={"body": str(number)})).status_code == 201
            assert len((await client.get("/rest/v1/notes?select=id")).json()) == number + 1


async def test_a_replica_that_stayed_with_the_old_primary_takes_no_read_of_who_wrote_on_the_new_one(
    cluster: Cluster, address: DatabaseAddress, schema: asyncpg.Connection, tmp_path: Path
) -> None:
    name = database_of(address)
    async with (
        standby_of(cluster, tmp_path / "new", schema) as new,
        standby_of(cluster, tmp_path / "behind", schema) as behind,
        Relay(tmp_path / "primary", name, new.at) as primary,
        Relay(tmp_path / "replica", name, behind.at) as replica,
    ):
        await new.promote()
        await go_on_alone(schema, behind)
        async with served(primary, replica, tmp_path / "served") as minato:
            await until(lambda: replica_of(minato).replayed > 0)
            await assert_finds_what_it_writes(minato)
            assert await read_there(minato) is False


async def test_a_failover_keeps_reads_from_the_past_and_uses_the_replica_that_is_made_anew(
    cluster: Cluster, address: DatabaseAddress, schema: asyncpg.Connection, tmp_path: Path
) -> None:
    name = database_of(address)
    async with (
        standby_of(cluster, tmp_path / "new", schema) as new,
        standby_of(cluster, tmp_path / "behind", schema) as behind,
        Relay(tmp_path / "primary", name, cluster.postgres) as primary,
        Relay(tmp_path / "replica", name, behind.at) as replica,
    ):
        async with served(primary, replica, tmp_path / "served", lag=2.0) as minato:
            await caught_up(minato)
            assert await read_there(minato) is True
            await new.promote()
            await primary.point_at(new.at)
            await go_on_alone(schema, behind)
            await assert_finds_what_it_writes(minato)
            await until(lambda: replica_of(minato).unused is not None)
            followers = Cluster(new.at)
            own = await asyncpg.connect(primary.url())
            async with standby_of(followers, tmp_path / "anew", own) as anew:
                await replica.point_at(anew.at)
                await caught_up(minato)
                assert await read_there(minato) is True
                await assert_finds_what_it_writes(minato)
            await own.close()
            await followers.close()


async def test_a_standby_in_the_primarys_place_keeps_no_session_until_the_new_primary_is_there(
    cluster: Cluster, address: DatabaseAddress, schema: asyncpg.Connection, tmp_path: Path
) -> None:
    async with (
        standby_of(cluster, tmp_path / "standby", schema) as standby,
        Relay(tmp_path / "primary", database_of(address), cluster.postgres) as primary,
        running(primary.address, settings_for(tmp_path / "served")) as minato,
        minato.client() as client,
    ):
        note = {"body": "a"}
        assert (await client.post("/rest/v1/notes", json=note)).status_code == 201
        await primary.point_at(standby.at)
        account = {"email": "a@example.com", "password": "long enough 1"}
        answers = [
            await client.post("/rest/v1/notes", json=note),
            await client.get("/rest/v1/notes"),
            await client.post("/auth/v1/signup", json=account),
        ]
        assert {answer.status_code for answer in answers} == {503}
        await primary.point_at(cluster.postgres)
        assert (await client.post("/rest/v1/notes", json=note)).status_code == 201
        assert (await client.post("/auth/v1/signup", json=account)).status_code == 200
