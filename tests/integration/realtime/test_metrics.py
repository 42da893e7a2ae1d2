"""The room's numbers at /metrics."""

from __future__ import annotations

import httpx

from tests.integration.realtime.conftest import Table
from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato


async def numbers(server: Minato) -> dict[str, float]:
    """The room's series, without their common prefix."""
    async with httpx.AsyncClient() as client:
        text = (await client.get(f"{server.url}/metrics")).text
    prefix = "minato_realtime_"
    lines = (line.removeprefix(prefix).split() for line in text.splitlines() if line.startswith(prefix))
    return {name: float(value) for name, value in lines}


async def test_a_room_that_nobody_has_used_counts_nothing(own_minato: Minato) -> None:
    counted = await numbers(own_minato)
    assert counted.pop("changes_live") in (0, 1)
    assert counted
    assert set(counted.values()) == {0}


async def test_connections_and_channels_are_counted_while_they_are_there(own_minato: Minato) -> None:
    before = await numbers(own_minato)
    async with phoenix(own_minato) as one, phoenix(own_minato) as other:
        for name in ("a", "b"):
            await one.join(name)
        await other.join("a")
        during = await numbers(own_minato)
        await one.call("realtime:a", "phx_leave", {})
        left = await numbers(own_minato)
    assert (before["connections"], before["channels"]) == (0, 0)
    assert (during["connections"], during["channels"], during["joins_total"]) == (2, 3, 3)
    assert left["channels"] == 2


async def test_broadcasts_are_counted_whatever_their_topics_are_called(own_minato: Minato) -> None:
    async with phoenix(own_minato) as client:
        for n in range(3):
            await client.join(f"topic{n}", {"broadcast": {"ack": True}})
            await client.call(f"realtime:topic{n}", "broadcast", {"type": "broadcast", "event": "e", "payload": {}})
        counted = await numbers(own_minato)
    assert counted["events_total"] == 3
    assert not [name for name in counted if "topic" in name]


async def test_row_changes_are_counted_with_the_time_they_took(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("board", board.entry())
        before = await numbers(minato)
        await board.run("insert into {t} (id) select generate_series(1, 5)")
        for _ in range(5):
            await client.change()
        await board.run("insert into {t} (id) values (6)")
        await client.change()
        after = await numbers(minato)
    assert after["changes_live"] == 1
    assert after["subscriptions"] >= 1
    assert after["changes_total"] - before["changes_total"] >= 5
    assert 0 < after["changes_lag_seconds"] < 5
