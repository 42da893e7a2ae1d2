"""Importers who take invitations are searched by the database, and whose marks a page shows is told by it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

FACTS = """
update profiles set allow_invitations = true, full_name = 'Anna', company_name = 'Import Ltd', country = 'DE',
    interested_car_brands = '{Toyota,Mazda}' where user_id = %(importer)s;
update profiles set allow_invitations = true, full_name = 'Bo', country = 'Jamaica', interested_car_brands = '{Nissan}'
where user_id = %(other_importer)s
"""
READERS = ["agent", "importer", "suspended", "admin", "newcomer"]


async def found(stage: Stage, who: str, **search: Any) -> list[str]:
    await stage.act_as(who)
    rows = await stage.db.fetch("select full_name from search_importers($1)", search)
    await stage.act_as("owner")
    return [row["full_name"] for row in rows]


async def counted(stage: Stage, who: str, **search: Any) -> Any:
    await stage.act_as(who)
    told = await stage.db.fetchval("select count_importers($1)", search)
    await stage.act_as("owner")
    return told


@pytest.fixture
async def two(stage: Stage) -> Stage:
    """Anna and Bo take invitations."""
    await stage.db.execute(FACTS % {name: f"'{IDS[name]}'" for name in ("importer", "other_importer")})
    return stage


@pytest.mark.parametrize("who", READERS)
async def test_whoever_takes_invitations_and_is_not_suspended_is_found(two: Stage, who: str) -> None:
    assert sorted(await found(two, who)) == ["Anna", "Bo"]
    await two.db.execute(sql("update profiles set status = 'suspended' where user_id = {importer}"))
    assert await found(two, who) == ["Bo"]
    await two.db.execute(sql("update profiles set allow_invitations = false where user_id = {other_importer}"))
    assert await found(two, who) == []
    assert await counted(two, who) == {"total": 0, "countries": [], "brands": []}


async def test_whoever_has_not_confirmed_the_address_is_found_by_themselves_and_the_administrator(two: Stage) -> None:
    await two.db.execute(sql("update profiles set is_confirmed = false where user_id = {importer}"))
    assert await found(two, "agent") == ["Bo"]
    assert sorted(await found(two, "importer")) == sorted(await found(two, "admin")) == ["Anna", "Bo"]


async def test_visitors_search_no_importers(two: Stage) -> None:
    for call in ("search_importers('{}')", "count_importers('{}')", "offer_marks('{}')"):
        assert await two.outcome("anon", f"select * from {call}") == "42501"


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ({"q": " anna "}, ["Anna"]),
        ({"q": "IMPORT"}, ["Anna"]),
        ({"q": "mazd"}, ["Anna"]),
        ({"q": "jam", "place": ["JM", "Jamaica"]}, ["Bo"]),
        ({"country": ["DE", "Germany"]}, ["Anna"]),
        ({"brand": "Nissan"}, ["Bo"]),
        ({"brand": "Nissan", "country": ["DE"]}, []),
        ({"q": "%"}, []),
    ],
)
async def test_a_search_narrows_by_all_it_says(two: Stage, search: dict[str, Any], names: list[str]) -> None:
    assert await found(two, "agent", **search) == names
    assert (await counted(two, "agent", **search))["total"] == len(names)


async def test_the_choices_are_those_of_all_whatever_is_asked_for(two: Stage) -> None:
    told = await counted(two, "agent", brand="Nissan")
    assert told == {"total": 1, "countries": ["DE", "Jamaica"], "brands": ["Mazda", "Nissan", "Toyota"]}


async def test_a_page_begins_behind_the_last_importer_of_the_one_before(two: Stage) -> None:
    await two.act_as("agent")
    first = await two.db.fetch("select full_name, cursor(i) as cursor from search_importers('{\"limit\": 1}') i")
    asked = "select full_name from search_importers(jsonb_build_object('cursor', $1::text))"
    second = await two.db.fetch(asked, first[0]["cursor"])
    assert {first[0]["full_name"], second[0]["full_name"]} == {"Anna", "Bo"}
    assert len(second) == 1


@pytest.mark.parametrize(
    "search", ["'[]'", "'{\"owner\": 1}'", '\'{"cursor": "x"}\'', "'{\"limit\": 61}'", "'{\"brand\": 1}'"]
)
async def test_a_search_that_cannot_be_read_is_refused(two: Stage, search: str) -> None:
    assert await two.outcome("agent", f"select * from search_importers({search})") == "22023"


async def marks(stage: Stage, who: str, *shown: str) -> Any:
    await stage.act_as(who)
    told = await stage.db.fetchval("select offer_marks($1)", [IDS[name] for name in shown])
    await stage.act_as("owner")
    return told


async def test_marks_are_the_callers_own_of_what_is_shown(stage: Stage) -> None:
    told = await marks(stage, "importer", "post", "suspended_post")
    assert told == {"saved": [IDS["post"]], "followed": [IDS["agent"]]}
    assert await marks(stage, "importer", "nobody") == {"saved": [], "followed": []}
    for who in ("other_importer", "agent", "admin"):
        assert await marks(stage, who, "post") == {"saved": [], "followed": []}


async def test_marks_of_more_than_a_screen_shows_are_refused(stage: Stage) -> None:
    many = f"array_fill('{IDS['post']}'::uuid, '{{1001}}')"
    assert await stage.outcome("importer", f"select offer_marks({many})") == "22023"
