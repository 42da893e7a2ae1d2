"""What a car, a budget or a deal may come to at most: the database takes what the forms take, and no more."""

from __future__ import annotations

import asyncpg
import pytest

from tests.integration.marketplace.cast import Stage, sql

MOST = 100_000_000

AMOUNTS = [
    ("agent", "agent_posts", "cnf_price", "id = {post}"),
    ("importer", "car_requests", "budget_max", "id = {request}"),
]


@pytest.mark.parametrize(("who", "table", "column", "which"), AMOUNTS)
async def test_the_highest_amount_is_taken_and_a_dollar_more_refused(
    stage: Stage, who: str, table: str, column: str, which: str
) -> None:
    assert await stage.outcome(who, f"update {table} set {column} = {MOST} where {which}") == 1
    await stage.act_as(who)
    with pytest.raises(asyncpg.CheckViolationError, match=f"{table}_{column}_limit"):
        await stage.db.execute(sql(f"update {table} set {column} = {MOST + 1} where {which}"))


async def test_every_amount_has_its_limit(market: asyncpg.Connection) -> None:
    limits = "array['%_price_limit', '%_budget_m%_limit', '%_usd_limit']"
    names = await market.fetch(f"select conname from pg_constraint where conname like any ({limits})")
    assert sorted(row["conname"] for row in names) == [
        "agent_posts_cnf_price_limit",
        "car_requests_budget_max_limit",
        "car_requests_budget_min_limit",
        "deals_value_usd_limit",
    ]
