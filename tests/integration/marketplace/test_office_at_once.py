"""Two who write at once about the same importer or conversation: the second counts what the first one wrote."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from tests.integration.marketplace.cast import set_the_scene, sql
from tests.support.postgres import Cluster
from tests.support.waiting import until_somebody_is_locked_out


@pytest.fixture
async def writers(cluster: Cluster) -> AsyncIterator[list[asyncpg.Connection]]:
    async with cluster.fresh_database() as address:
        connections = [await asyncpg.connect(address.admin) for _ in range(3)]
        await set_the_scene(connections[0])
        yield connections
        for connection in connections:
            await connection.close()


@pytest.mark.parametrize(
    ("write", "counted", "expected"),
    [
        (
            "insert into deals (importer_id, value_usd, status) values ({importer}, 100, 'completed')",
            "select spent::integer from private.importer_entries where id = {importer}::text",
            200,
        ),
        (
            "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, 'Hello')",
            "select messages from private.conversation_entries",
            3,
        ),
        (
            "insert into messages (sender_id, receiver_id, content) values ({importer}, {other_agent}, 'First')",
            "select sum(messages)::integer from private.conversation_entries",
            3,
        ),
    ],
)
async def test_what_both_wrote_is_counted(
    writers: list[asyncpg.Connection], write: str, counted: str, expected: int
) -> None:
    first, second, looking = writers
    transaction = first.transaction()
    await transaction.start()
    await first.execute(sql(write))
    other = asyncio.create_task(second.execute(sql(write)))
    await until_somebody_is_locked_out(looking)
    await transaction.commit()
    await other
    assert await looking.fetchval(sql(counted)) == expected
