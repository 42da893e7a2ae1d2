"""Facets, counts and pages read the facts of offers: the answers are those of the offers themselves."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import asyncpg

from tests.integration.marketplace.cast import IDS, Stage, set_the_scene, sql, staged
from tests.support.postgres import Cluster

BEFORE = "20261123001400"
# Spellings differ, anything may be unsaid, and some values are rare.
MANY = """
insert into agent_posts (id, agent_id, car_name, model, variant, year, mileage_km, cnf_price, fuel_type, transmission,
    drivetrain, color, condition, location, body, availability_status, auction_date, created_at)
select md5('car' || n)::uuid, (array[{agent}, {other_agent}, {suspended}])[1 + n % 3],
    (array['Toyota', 'toyota', 'Nissan', 'Honda', 'Mazda'])[1 + n % 5],
    (array['Aqua', 'Note', 'aqua', 'Fit'])[1 + n / 3 % 4], (array['S', 'G', null])[1 + n % 3],
    nullif(2000 + n % 17, 2016), nullif(1000 * (n % 23), 22000), nullif(99.5 * (n % 31), 0),
    (array['Petrol', 'Hybrid petrol', 'Diesel', null])[1 + n % 4], (array['Auto', 'CVT', 'MT'])[1 + n % 3],
    (array['4WD', 'FWD', null])[1 + n % 3], (array['Pearl white', 'Navy', 'White', null])[1 + n % 4],
    (array['Good', 'good', 'Fair'])[1 + n % 3], case when n % 97 = 0 then 'Ōsaka' else 'Kobe' end,
    (array['hatch', 'suv', null])[1 + n % 3], (array['available', 'available', 'pending', 'sold'])[1 + n % 4],
    case when n % 6 < 2 then current_date + 30 - n % 6 * 60 end, now() - n / 4 * interval '1 minute'
from generate_series(1, 700) n
"""
CHOICES: dict[str, list[Any]] = {
    "make": ["toyota", "Toyota,HONDA", "volvo", ["mazda", "volvo"], "toyota,nissan,honda,mazda"],
    "model": ["aqua", "note,fit", "none"],
    "body": ["suv", "hatch,suv", "bus"],
    "fuel": ["gasoline", "hybrid,diesel", "electric"],
    "gearbox": ["cvt", "manual,automatic"],
    "drive": ["awd", "fwd"],
    "colour": ["white", "blue,white", "purple"],
    "condition": ["good", "fair"],
    "location": ["ōsaka", "kobe", "nowhere"],
    "agent": [IDS["agent"], IDS["suspended"]],
    "year": ["2003-2010", "2015-", "-1999"],
    "km": ["-9000", "21000-"],
    "price": ["995-1990", "99.5-99.5", "-0.99", "2985-"],
    "status": ["auction", "in-stock", "sold,reserved", "in-stock,auction,reserved,sold"],
    "q": ["toyota", "aqua n", "toyoat", "nothing"],
    "saved": ["1"],
    "followed": ["1"],
    "sort": ["price", "-price", "year", "-year", "km"],
}
PEOPLE = ("importer", "suspended", "admin")
PAGE = "select id, cursor from search_offers($1)"


def searches(count: int) -> list[dict[str, Any]]:
    """The same ones in every run; the first asks for everything."""
    draw = Random(5)
    asked = [sorted(draw.sample(sorted(CHOICES), draw.randrange(1, 5))) for _ in range(count)]
    return [{}, *({key: draw.choice(CHOICES[key]) for key in keys} for keys in asked)]


async def answers(db: asyncpg.Connection) -> list[Any]:
    """What everybody is told of every search."""
    told: list[Any] = []
    async with staged(db) as stage:
        for who in PEOPLE:
            await stage.act_as(who)
            for search in searches(150):
                rows = await db.fetch(PAGE, search)
                if rows:
                    rows += await db.fetch(PAGE, {**search, "cursor": rows[-1]["cursor"]})
                counts = await db.fetchrow("select count_offers($1) as n, offer_facets($1) as f", search)
                told.append((who, search, [tuple(row) for row in rows], counts["n"], counts["f"]))
            agents = await db.fetch("select * from agent_directory()")
            figures = await db.fetch(sql("select * from member_figures({agent})"))
            told.append([tuple(row) for row in [*agents, *figures]])
    return told


async def test_every_search_is_answered_as_it_was_before_there_were_facts(cluster: Cluster) -> None:
    async with cluster.database_at(BEFORE) as address:
        db = await asyncpg.connect(address.admin)
        await db.set_type_codec("jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads)
        await set_the_scene(db)
        await db.execute(sql(MANY))
        before = await answers(db)
        await cluster.upgrade(address)
        after = await answers(db)
        await db.close()
    assert any(len(found) > 1 for _, _, found, _, _ in before[1:100])
    for was, now in zip(before, after, strict=True):
        assert now == was


FACTS_DIFFER = """
select count(*) from (select (private.offer_facts_of(o)).* from agent_posts o) of_offers
full join private.offer_facts kept using (id) where of_offers is distinct from kept
"""
CHANGES = (
    "update agent_posts set car_name = 'Lada', location = null where id = md5('car7')::uuid",
    "update agent_posts set cnf_price = cnf_price + 1 where cnf_price < 1000",
    "update agent_posts set agent_id = {agent} where id = md5('car8')::uuid",
    "update agent_posts set id = md5('other')::uuid where id = md5('car9')::uuid",
    "delete from agent_posts where year = 2005",
    "delete from auth.users where id = {other_agent}",
)


async def test_facts_follow_whatever_happens_to_offers(stage: Stage) -> None:
    await stage.db.execute(sql(MANY))
    assert await stage.db.fetchval(FACTS_DIFFER) == 0
    for change in CHANGES:
        await stage.db.execute(sql(change))
        assert await stage.db.fetchval(FACTS_DIFFER) == 0, change
    whole = "select (select count(*) from agent_posts), (select count(*) from private.offer_facts)"
    offers, facts = await stage.db.fetchrow(whole)
    assert offers == facts > 0


async def test_nobody_reads_facts_past_the_functions(stage: Stage) -> None:
    for who in ("anon", "importer", "agent", "admin"):
        for table in ("offer_facts", "facet_values"):
            assert await stage.outcome(who, f"select from private.{table}") == "42501"
        for call in ("few_offers(null)", "offer_facts_of(null)", "response_time_of({agent})"):
            assert await stage.outcome(who, f"select private.{call}") == "42501"
