"""How far each subject has written, as the processes of several machines know it through a real Redis."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import structlog
from minato.clock import Clock
from minato.database.replica.position import UNKNOWN
from minato.database.replica.written import EVERYBODY, WrittenHere
from minato.database.replica.written_shared import AWAY_SECONDS, WrittenShared
from minato.redis_outage import RedisOutage

from tests.support.redis import RedisServer, redis_server

SECONDS = 60.0


def node(redis: RedisServer, clock: Clock) -> WrittenShared:
    log = structlog.get_logger("minato")
    return WrittenShared(
        redis.url, "test:", WrittenHere(clock, SECONDS), SECONDS, clock, log, RedisOutage(redis.url, log)
    )


async def test_what_one_node_wrote_the_other_knows_and_older_news_changes_nothing(tmp_path: Path) -> None:
    async with redis_server(tmp_path) as redis:
        one, other = node(redis, Clock()), node(redis, Clock())
        await one.note("authenticated 1", 2**40)
        await other.note("authenticated 1", 5)
        await one.note(EVERYBODY, 7)
        assert [await other.wanted(each) for each in ("authenticated 1", "authenticated 2")] == [2**40, 7]
        await one.close()
        await other.close()


async def test_while_redis_is_away_nobody_knows_and_for_as_long_after_as_a_write_may_be_missed(tmp_path: Path) -> None:
    async with redis_server(tmp_path) as redis:
        clock = Clock()
        here = node(redis, clock)
        assert await here.wanted("anon ") == 0
        await redis.stop()
        assert await here.wanted("anon ") == UNKNOWN
        await here.note("anon ", 9)
        await redis.start()
        clock.advance(timedelta(seconds=AWAY_SECONDS + 1))
        assert await here.wanted("anon ") == UNKNOWN
        clock.advance(timedelta(seconds=SECONDS))
        assert await here.wanted("anon ") == 0
        await here.close()


async def test_a_redis_that_comes_back_empty_is_relied_upon_when_what_it_forgot_counts_no_more(tmp_path: Path) -> None:
    async with redis_server(tmp_path) as redis:
        clock = Clock()
        one, other = node(redis, clock), node(redis, clock)
        assert await other.wanted("anon ") == 0
        await one.note("anon ", 9)
        await redis.stop()
        await redis.start()
        assert [await other.wanted("anon ") for _ in range(2)] == [UNKNOWN, UNKNOWN]
        await one.note("anon ", 10)
        clock.advance(timedelta(seconds=SECONDS + 1))
        assert await other.wanted("anon ") == 10
        await one.close()
        await other.close()
