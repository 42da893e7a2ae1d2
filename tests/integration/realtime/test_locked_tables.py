"""What takes long for one keeps nobody else waiting: a table that a migration holds, a filter that is hard to read."""

from __future__ import annotations

import asyncpg
import pytest
from minato.realtime.postgres_changes import catalog

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.server import Minato
from tests.support.waiting import until_rows

pytestmark = both_feeds

# PostgreSQL tries it for some seconds, even on an empty text.
HARD_TO_READ = r"(x?){200}(y?){200}\1"
# Soon said of a short text, of hundreds of letters never.
HARD_TO_MATCH = r"^(x*)(x*)(x*)(x*)\1\2\3\4y$"
READING = """
select count(*) > 0 from pg_stat_activity
 where query like '%~ $1::text' and state = 'active' and datname = current_database()
"""


async def test_who_joins_while_a_published_table_is_altered_follows_others_at_once(
    minato: Minato, board: Table, notes: Table
) -> None:
    async with phoenix(minato) as client:
        # By now both are followed.
        await client.follow("room", board.entry())
        altering = await asyncpg.connect(minato.backend.database.admin_dsn)
        await altering.execute(f"begin; alter table public.{notes.name} add more int")
        try:
            await client.follow("other", board.entry())
            await board.run("insert into {t} (id) values (1)")
            assert (await client.change())["record"]["id"] == 1
        finally:
            await altering.close()


async def test_changes_and_joins_go_on_while_a_filter_that_is_hard_to_read_is_checked(
    minato: Minato, board: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "PATTERN_SECONDS", 12.0)
    async with phoenix(minato) as client, phoenix(minato) as asking:
        await client.follow("room", board.entry())
        await join(asking, board, HARD_TO_READ)
        await until_rows(minato.db, READING)
        await board.run("insert into {t} (id) values (1)")
        assert (await client.change())["record"]["id"] == 1
        await client.follow("other", board.entry())
        assert await minato.db.fetchval(READING)


async def test_a_pattern_that_takes_too_long_is_refused(
    minato: Minato, board: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "PATTERN_SECONDS", 0.05)
    async with phoenix(minato) as asking:
        # Not the one of before, which the session has read already.
        await join(asking, board, HARD_TO_READ.replace("200", "210"))
        refusal = (await asking.system("room"))["message"]
        assert "ERROR P0001 (raise_exception) regular expression of match filter takes too long" in refusal


async def test_a_pattern_that_takes_too_long_with_a_row_ends_its_own_subscription_alone(
    minato: Minato, board: Table
) -> None:
    async with phoenix(minato) as client, phoenix(minato) as asking:
        await client.follow("room", board.entry(filter="body=match.y"))
        await asking.follow("room", board.entry(filter=f"body=match.{HARD_TO_MATCH}"))
        await board.run("insert into {t} (id, body) values (1, repeat('x', 401) || 'y')")
        told = (await asking.system("room"))["message"]
        assert told == f"The pattern of a filter on table {board.name} takes too long, its subscription has ended"
        assert (await client.change())["record"]["id"] == 1
        await board.run("insert into {t} (id, body) values (2, 'xxy'), (3, repeat('x', 401) || 'y')")
        assert [(await client.change())["record"]["id"] for _ in range(2)] == [2, 3]
        assert [heard.event for heard in await asking.settle() if heard.event != "phx_reply"] == []


async def join(client: Phoenix, board: Table, pattern: str) -> None:
    config = {"postgres_changes": [board.entry(filter=f"body=match.{pattern}")]}
    await client.send("realtime:room", "phx_join", {"config": config}, "1", "1")
