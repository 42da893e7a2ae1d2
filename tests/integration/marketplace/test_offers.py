"""Offers: the day of an auction, the shape of a car, and what is left when an offer goes."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import asyncpg

from tests.integration.marketplace.cast import Stage, sql
from tests.support.postgres import Cluster

LOST = "select car_name || ' ' || model from lost_saves where user_id = {%s} order by 1"


async def lost_by(stage: Stage, who: str) -> list[str]:
    return [row[0] for row in await stage.db.fetch(sql(LOST % who))]


async def test_a_deleted_offer_leaves_its_name_with_those_who_saved_it(stage: Stage) -> None:
    await stage.db.execute("delete from lost_saves")
    await stage.outcome("agent", "delete from agent_posts where id = {post}")
    assert await lost_by(stage, "importer") == ["Toyota Aqua"]
    assert await lost_by(stage, "other_importer") == []
    assert await stage.db.fetchval("select count(*) from saved_posts") == 0


async def test_an_account_that_leaves_with_its_offers_leaves_their_names_too(stage: Stage) -> None:
    await stage.db.execute(sql("insert into saved_posts (user_id, post_id) values ({agent}, {post})"))
    await stage.db.execute("delete from lost_saves")
    await stage.db.execute(sql("delete from auth.users where id = {agent}"))
    assert await lost_by(stage, "importer") == ["Toyota Aqua"]
    assert await stage.db.fetchval("select count(*) from lost_saves") == 1


async def test_who_saved_offers_and_leaves_with_their_agent_needs_no_note(stage: Stage) -> None:
    await stage.db.execute("delete from lost_saves")
    await stage.db.execute(sql("delete from auth.users where id in ({agent}, {importer})"))
    assert await stage.db.fetchval("select count(*) from lost_saves") == 0


async def test_a_changed_offer_stays_saved(stage: Stage) -> None:
    await stage.outcome("agent", "update agent_posts set cnf_price = 9900, model = 'Aqua S' where id = {post}")
    assert await stage.db.fetchval("select count(*) from saved_posts") == 1


async def test_an_auction_is_on_a_day_however_it_is_written(stage: Stage) -> None:
    for written in ("2026-11-25", "2026-11-25T00:00:00Z"):
        await stage.outcome("agent", f"update agent_posts set auction_date = '{written}' where id = {{post}}")
        day = await stage.db.fetchval(sql("select auction_date::text from agent_posts where id = {post}"))
        assert day == "2026-11-25"


async def test_the_shape_of_a_car_is_one_of_a_list(stage: Stage) -> None:
    assert await stage.outcome("agent", "update agent_posts set body = 'van' where id = {post}") == 1
    assert await stage.outcome("agent", "update agent_posts set body = 'boat' where id = {post}") == "23514"


async def test_auctions_noted_as_instants_become_the_day_they_were_in_japan(cluster: Cluster) -> None:
    async with cluster.database_at("20261122000061") as address:
        db = await asyncpg.connect(address.admin)
        user = str(uuid4())
        await db.execute("insert into auth.users (id, raw_user_meta_data) values ($1, $2)", user, '{"role": "agent"}')
        noted = (
            "insert into agent_posts (agent_id, car_name, model, auction_date) values ($1, 'a', $2, $3::timestamptz)"
        )
        await db.execute(noted, user, "by form", datetime(2026, 11, 25, tzinfo=UTC))
        await db.execute(noted, user, "by hour", datetime(2026, 11, 25, 22, tzinfo=UTC))
        await cluster.upgrade(address)
        days = await db.fetch("select model, auction_date::text from agent_posts order by 1")
        await db.close()
    assert [tuple(row) for row in days] == [("by form", "2026-11-25"), ("by hour", "2026-11-26")]
