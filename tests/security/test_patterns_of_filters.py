"""Patterns in filters of row changes tell nothing of hidden rows, and those of one caller hold nobody up for long."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from minato.realtime.postgres_changes import catalog

from tests.integration.realtime.conftest import Table, board, both_feeds, minato, notes
from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato
from tests.support.waiting import until

__all__ = ["board", "minato", "notes"]
pytestmark = both_feeds

# Soon said of a short text, of hundreds of letters never; so is whether a text begins with the letters before it.
NEVER_SAID = r"^secret(x*)(x*)(x*)(x*)\1\2\3\4y$"
NEVER_SAID_OF = "'secret' || repeat('x', 401) || 'y'"


async def test_how_long_a_pattern_takes_tells_nothing_of_a_hidden_row(minato: Minato, notes: Table) -> None:
    owner = str(uuid4())
    async with phoenix(minato) as mine, phoenix(minato) as theirs:
        await mine.follow("room", notes.entry(), access_token=minato.token(owner))
        spying = notes.entry(filter=f"body=match.{NEVER_SAID}")
        await theirs.follow("room", spying, access_token=minato.token(str(uuid4())))
        await notes.run(f"insert into {{t}} (id, owner, body) values (1, $1, {NEVER_SAID_OF})", owner)
        assert (await mine.change())["record"]["id"] == 1
        assert await theirs.settle() == []


async def test_a_pattern_that_takes_too_long_with_a_row_one_sees_ends_the_subscription(
    minato: Minato, notes: Table
) -> None:
    owner = str(uuid4())
    async with phoenix(minato) as mine:
        followed = notes.entry(filter=f"body=match.{NEVER_SAID}")
        await mine.follow("room", followed, access_token=minato.token(owner))
        await notes.run(f"insert into {{t}} (id, owner, body) values (1, $1, {NEVER_SAID_OF})", owner)
        assert "takes too long" in (await mine.system("room"))["message"]


async def test_patterns_of_one_caller_are_read_one_at_a_time_and_others_join_meanwhile(
    minato: Minato, board: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = catalog.Catalog.fetch_by_pattern
    reading: list[object] = []
    at_once: list[int] = []
    read = asyncio.Event()

    async def slowly(self: catalog.Catalog, statement: str, *values: object) -> Any:
        if values[-1] == "hard":
            reading.append(self)
            at_once.append(len(reading))
            try:
                # Until the other has joined. A join that waits for long is begun anew, with its reading.
                await read.wait()
            finally:
                reading.remove(self)
        return await asked(self, statement, *values)

    monkeypatch.setattr(catalog.Catalog, "fetch_by_pattern", slowly)
    room: Any = minato.application.rooms["/realtime/v1"]
    turns = room.services.changes._registrar._turns
    member = minato.token(str(uuid4()))
    hard = {"config": {"postgres_changes": [board.entry(filter="body=match.hard")]}, "access_token": member}
    async with phoenix(minato) as client, AsyncExitStack() as stack:
        for _ in range(3):
            hostile = await stack.enter_async_context(phoenix(minato))
            await hostile.send("realtime:room", "phx_join", hard, "1", "1")
        await until(lambda: turns.waiting == 2)
        await client.follow("room", board.entry(filter="body=match.^y"), access_token=minato.token(str(uuid4())))
        assert set(at_once) == {1}
        read.set()
        await until(lambda: turns.waiting == 0)


async def test_of_one_callers_patterns_few_hold_up_everybodys_changes(
    minato: Minato, board: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = catalog.Catalog.fetch_by_pattern
    canceled: list[object] = []

    async def counting(self: catalog.Catalog, statement: str, *values: object) -> Any:
        try:
            return await asked(self, statement, *values)
        except asyncpg.QueryCanceledError:
            canceled.append(values)
            raise

    monkeypatch.setattr(catalog.Catalog, "fetch_by_pattern", counting)
    many = [board.entry(filter=f"body=match.{NEVER_SAID}{'z?' * number}") for number in range(12)]
    async with phoenix(minato) as client, phoenix(minato) as hostile:
        await client.follow("room", board.entry(filter="body=match.^secret"), access_token=minato.token(str(uuid4())))
        await hostile.follow("room", *many, access_token=minato.token(str(uuid4())))
        await board.run(f"insert into {{t}} (id, body) values (1, {NEVER_SAID_OF})")
        assert (await client.change())["record"]["id"] == 1
        # All together once, and three of them alone; the others end with those.
        assert len(canceled) <= 4
        assert "takes too long" in (await hostile.system("room"))["message"]
        await board.run(f"insert into {{t}} (id, body) values (2, {NEVER_SAID_OF})")
        assert (await client.change())["record"]["id"] == 2
        assert len(canceled) <= 4
