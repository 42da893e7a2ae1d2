"""Whoever sends is torn away again and again: nothing arrives twice, and what did not arrive is told."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import partial

import pytest
from minato.database.address import DatabaseAddress
from minato.database.outage import CONNECTION_ERRORS
from minato.jobs.net.sender import Sender
from minato.jobs.net.tables import Answer, NetTables, Request

from tests.support.loopback import Loopback
from tests.support.net import sending
from tests.support.postgres import Cluster
from tests.support.waiting import until

REQUESTS, ROUNDS = 600, 6
TEAR = """select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'minato pg_net' and datname = current_database()"""


async def test_requests_arrive_once_or_are_told_of_whoever_is_killed(
    cluster: Cluster, address: DatabaseAddress, there: Loopback
) -> None:
    owner = cluster.url(address, "postgres")
    async with sending(address, owner) as net:
        await net.owner.execute(
            "create table public.asked as select n, net.http_get($1 || '/' || n) as request"
            f" from generate_series(1, {REQUESTS}) n".replace("$1", f"'{there.url}'")
        )
    for round_ in range(1, ROUNDS + 1):
        async with sending(address, owner) as net:
            keeping = asyncio.create_task(net.sender.keep_sending())
            await until(partial(_has, there, round_ * REQUESTS // (ROUNDS + 2)))
            await net.admin.execute(TEAR)
            (ended,) = await asyncio.gather(keeping, return_exceptions=True)
            assert isinstance(ended, CONNECTION_ERRORS)
    async with sending(address, owner) as net:
        await net.sender.drain()
        answers = await net.owner.fetch(
            "select n, count(r.id) as answers, bool_or(error_msg = 'server restarted') as told"
            " from public.asked left join net._http_response r on r.id = request group by n"
        )
    arrived = Counter(int(asked.path[1:]) for asked in there.asked)
    assert max(arrived.values()) == 1
    assert [row["n"] for row in answers if row["answers"] != 1] == []
    assert [row["n"] for row in answers if row["n"] not in arrived and not row["told"]] == []


class Stopped(NetTables):
    """Stands still once, where the database has said yes and nobody has heard it yet: there a server is stopped."""

    def __init__(self, tables: NetTables, at: str) -> None:
        super().__init__(tables._leader)
        self._at = at
        self.reached = asyncio.Event()

    async def take(self, most: int) -> Sequence[Request]:
        taken = await super().take(most)
        await self._stand_still("take")
        return taken

    async def keep(self, answers: Sequence[Answer], now: datetime) -> None:
        await super().keep(answers, now)
        await self._stand_still("keep")

    async def _stand_still(self, place: str) -> None:
        if self._at == place and not self.reached.is_set():
            self.reached.set()
            await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("place", "answers", "arrived"), [("take", [("server restarted", None)], 0), ("keep", [(None, 200)], 1)]
)
async def test_a_request_has_one_answer_wherever_its_server_is_stopped(
    cluster: Cluster,
    address: DatabaseAddress,
    there: Loopback,
    place: str,
    answers: list[tuple[str | None, int | None]],
    arrived: int,
) -> None:
    owner = cluster.url(address, "postgres")
    async with sending(address, owner) as net:
        await net.owner.execute("select net.http_get($1)", there.url)
        tables = Stopped(NetTables(net.leader), place)
        keeping = asyncio.create_task(Sender(tables, net.outgoing, net.clock).keep_sending())
        await tables.reached.wait()
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    async with sending(address, owner) as net:
        await net.sender.drain()
        rows = await net.owner.fetch("select error_msg, status_code from net._http_response")
        assert [tuple(row) for row in rows] == answers
        assert await net.admin.fetchval("select count(*) from net._taken") == 0
    assert len(there.asked) == arrived


def _has(there: Loopback, number: int) -> bool:
    return len(there.asked) >= number
