"""Whoever sends is torn away again and again: nothing arrives twice, and what did not arrive is told."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial

from minato.database.address import DatabaseAddress
from minato.database.outage import CONNECTION_ERRORS

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


def _has(there: Loopback, number: int) -> bool:
    return len(there.asked) >= number
