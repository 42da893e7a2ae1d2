"""What is written right behind the reply to a join is heard: on a branch that wakes for it, and on main."""

from __future__ import annotations

import asyncio

import pytest
from minato.realtime import changes_follower
from minato.realtime.postgres_changes.changes import PostgresChanges

from tests.integration.realtime.phoenix import phoenix
from tests.support.hosted import Backed, Hosted

NOTES = {"event": "INSERT", "schema": "public", "table": "notes"}
JOINED = {"postgres_changes": [NOTES]}
BRANCHES = 6


@pytest.fixture
async def fresh(hosted: Hosted) -> list[Backed]:
    return [await hosted.branch() for _ in range(BRANCHES)]


async def test_the_first_row_after_a_join_comes_on_a_branch_that_has_just_been_made(fresh: list[Backed]) -> None:
    for branch in fresh:
        async with phoenix(branch) as socket, branch.client() as client:
            joined = await socket.join("room", JOINED)
            written = await client.post("/rest/v1/notes", json={"body": "first"})
            assert (joined.payload["status"], written.status_code) == ("ok", 201)
            assert (await socket.change())["record"]["body"] == "first"


async def test_a_join_is_answered_before_it_is_told_that_changes_flow(hosted: Hosted) -> None:
    branch = await hosted.branch()
    async with phoenix(branch) as socket:
        reply = await socket.join("room", JOINED)
        assert reply.payload["status"] == "ok"
        assert (await socket.system("room"))["message"] == "Subscribed to PostgreSQL"


async def test_a_join_waits_for_a_database_that_is_slow_to_say_what_is_published_only_so_long(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    branch = await hosted.branch()
    answers, check = asyncio.Event(), PostgresChanges.check

    async def slow(self: PostgresChanges, *asked: object) -> object:
        await answers.wait()
        return await check(self, *asked)  # type: ignore[arg-type]

    monkeypatch.setattr(PostgresChanges, "check", slow)
    monkeypatch.setattr(changes_follower, "PREPARE_SECONDS", 0.05)
    async with phoenix(branch) as socket:
        assert (await socket.join("room", JOINED)).payload["status"] == "ok"
        answers.set()
        assert (await socket.system("room"))["message"] == "Subscribed to PostgreSQL"


async def test_a_table_that_is_not_published_is_told_behind_the_reply(hosted: Hosted) -> None:
    branch = await hosted.branch()
    async with phoenix(branch) as socket:
        reply = await socket.join("room", {"postgres_changes": [{**NOTES, "table": "nowhere"}]})
        assert reply.payload["status"] == "ok"
        told = await socket.system("room")
        assert (told["status"], told["extension"]) == ("error", "postgres_changes")
