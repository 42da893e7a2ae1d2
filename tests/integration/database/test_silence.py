"""A server, or a node, that is gone without a word is noticed by its connections, not after hours."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator

import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.engines import OWNER
from minato.database.silence import COUNT, IDLE, INTERVAL, UNACKNOWLEDGED
from minato.tokens.caller import SERVICE_ROLE
from sqlalchemy import text

from tests.support.postgres import Cluster

SECONDS_OF_SILENCE = 30
KEPT_ALIVE = f"{IDLE} {INTERVAL} {COUNT}"
TOLD = "select concat_ws(' ', {})".format(
    ", ".join(f"current_setting('tcp_keepalives_{name}')" for name in ("idle", "interval", "count"))
)


@pytest.fixture
async def database(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[Database]:
    """One that is reached over TCP, as somebody else's is."""
    name = address.admin.rpartition("/")[2].partition("?")[0]
    url = cluster.postgres.tcp_url(database=name)
    database = Database(DatabaseAddress(url, url), DatabaseSettings(), 2)
    yield database
    await database.close()


def assert_notices_silence(connected: socket.socket) -> None:
    assert connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    asked = [connected.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in _NAMES]
    assert asked == [IDLE, INTERVAL, COUNT, UNACKNOWLEDGED]
    assert max(IDLE + INTERVAL * COUNT, UNACKNOWLEDGED / 1000) <= SECONDS_OF_SILENCE


_NAMES = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "TCP_USER_TIMEOUT")


async def test_a_request_is_not_left_waiting_for_a_server_without_power(database: Database) -> None:
    async with database.sessions.lent(10) as session:
        assert_notices_silence(session._transport.get_extra_info("socket"))


async def test_a_node_without_power_does_not_keep_the_lead(database: Database) -> None:
    listener = await database.listener(OWNER, "leading")
    ((told,),) = await listener.fetch(TOLD)
    assert told == KEPT_ALIVE
    listener.close()


async def test_a_node_without_power_does_not_keep_rows_locked(database: Database) -> None:
    async with database.engine(SERVICE_ROLE).begin() as connection:
        assert await connection.scalar(text(TOLD)) == KEPT_ALIVE


async def test_who_only_listens_is_not_ended_for_its_silence(database: Database) -> None:
    name = database.address.admin.rpartition("/")[2]
    async with database.engine(OWNER).begin() as connection:
        await connection.execute(text(f"alter database {name} set idle_session_timeout = '1s'"))
    listener = await database.listener(OWNER, "listening")
    (row,) = await listener.fetch("select current_setting('idle_session_timeout')")
    assert list(row.values()) == ["0"]
    listener.close()
