"""What takes long for one keeps nobody else waiting: a table that a migration holds, a filter that is hard to read."""

from __future__ import annotations

import asyncpg

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato
from tests.support.waiting import until_rows

pytestmark = both_feeds

# PostgreSQL tries it for some seconds, even on an empty text.
HARD_TO_READ = r"(x?){200}(y?){200}\1"
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


async def test_changes_go_on_while_a_filter_that_is_hard_to_read_is_checked(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client, phoenix(minato) as asking:
        await client.follow("room", board.entry())
        config = {"postgres_changes": [board.entry(filter=f"body=match.{HARD_TO_READ}")]}
        await asking.send("realtime:room", "phx_join", {"config": config}, "1", "1")
        await until_rows(minato.db, READING)
        await board.run("insert into {t} (id) values (1)")
        assert (await client.change())["record"]["id"] == 1
        assert await minato.db.fetchval(READING)
