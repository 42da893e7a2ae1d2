"""Branches take turns at PostgreSQL's sessions: few are awake at a time, whatever number is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import structlog
from minato.host import rota as module
from minato.host.errors import BranchError

from tests.integration.realtime.phoenix import phoenix
from tests.support.hosted import Backed, Hosted
from tests.support.waiting import PATIENCE, until

BUDGET = 2


@pytest.fixture
async def tight(hosted: Hosted) -> AsyncIterator[Hosted]:
    """The server with a budget for two branches."""
    await hosted.branches.open()
    rota = hosted.branches.rota
    usual, rota.most = rota.most, BUDGET
    yield hosted
    rota.most = usual


async def status(branch: Backed) -> int:
    async with branch.client() as client:
        return (await client.get("/rest/v1/notes")).status_code


async def test_the_budget_follows_what_postgresql_takes(hosted: Hosted) -> None:
    await hosted.branches.open()
    connections = await hosted.branches.databases.connections()
    assert hosted.branches.rota.most == max((connections - module.RESERVED) // module.EACH, module.FEWEST)


async def test_many_branches_are_asked_in_turn_and_at_once_with_sessions_for_two(tight: Hosted) -> None:
    made = [await tight.branch() for _ in range(8)]
    for branch in made:
        assert await status(branch) == 200
        assert tight.branches.rota.awake <= BUDGET
    assert await asyncio.gather(*(status(branch) for branch in made * 3)) == [200] * 24
    assert sum(branch.is_awake for branch in tight.branches.living) <= BUDGET


async def test_who_was_asked_longest_ago_sleeps_first(tight: Hosted) -> None:
    first, second, third = [await tight.branch() for _ in range(3)]
    for branch in (first, second, first, third):
        assert await status(branch) == 200
    awake = {branch.id for branch in tight.branches.living if branch.is_awake}
    assert awake == {first.told["id"], third.told["id"]}


async def test_a_branch_that_cannot_have_a_turn_is_told_why_and_gets_it_when_a_socket_closes(
    tight: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = [await tight.branch() for _ in range(3)]
    async with phoenix(first):
        async with phoenix(second), third.client() as client:
            monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.05)
            refused = await client.get("/rest/v1/notes")
            assert (refused.status_code, refused.json()["code"]) == (503, "too_many_awake")
            monkeypatch.setattr(module, "PATIENCE_SECONDS", PATIENCE)
            waiting = asyncio.ensure_future(status(third))
        assert await waiting == 200


async def test_a_request_waits_where_postgresql_has_no_session_left_just_now(hosted: Hosted) -> None:
    made = await hosted.branch()
    branch = hosted.branches.require(made.told["id"])
    await branch.doze()
    async with hosted.branches.databases._asking() as session:
        await session.execute(f"alter database {branch.database} connection limit 0")
        asked = asyncio.create_task(status(made))
        await until(lambda: made.backend.database.short > 0)
        await session.execute(f"alter database {branch.database} connection limit -1")
    assert await asked == 200


async def test_a_request_that_waited_in_vain_is_told_so(hosted: Hosted) -> None:
    made = await hosted.branch()
    branch = hosted.branches.require(made.told["id"])
    database = made.backend.database
    database.settings = database.settings.model_copy(update={"pool_timeout": 0.1})
    await branch.doze()
    async with hosted.branches.databases._asking() as session:
        await session.execute(f"alter database {branch.database} connection limit 0")
        assert await status(made) == 503
        await session.execute(f"alter database {branch.database} connection limit -1")
    assert await status(made) == 200


class Sleeper:
    """A branch that falls asleep when it is let."""

    def __init__(self) -> None:
        self.may = asyncio.Event()
        self.is_idle = True
        self.sleeps = False

    async def doze(self) -> None:
        self.is_idle = False
        await self.may.wait()
        self.sleeps = True


async def test_who_is_put_to_sleep_falls_asleep_also_when_nobody_waits_for_it_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.05)
    rota, former = module.Rota(structlog.get_logger()), Sleeper()
    rota.most = 1
    await rota.admit(former)
    with pytest.raises(BranchError, match="all of these are in use"):
        await rota.admit(Sleeper())
    former.may.set()
    await until(lambda: former.sleeps)
    assert rota.awake == 0
