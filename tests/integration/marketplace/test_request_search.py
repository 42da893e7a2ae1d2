"""Requests are searched by the database: who sees what, in pages that hold while requests come and go."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

MORE = """
update profiles set country = 'DE', city = 'Hamburg' where user_id = {other_importer};
insert into car_requests (importer_id, car_make, car_model, condition, urgency, status, budget_max, created_at)
select {other_importer}, (array['Toyota', 'Nissan'])[1 + n % 2], 'Aqua ' || n % 5, (array['used', 'new'])[1 + n % 2],
    (array['high', 'low', 'none'])[1 + n % 3], (array['active', 'active', 'completed'])[1 + n % 3],
    nullif(5000 * (n % 6), 0), now() - n / 4 * interval '1 minute'
from generate_series(1, 100) n
"""
PEOPLE = ["agent", "other_agent", "suspended", "importer", "other_importer", "admin", "newcomer", "unconfirmed"]


async def found(stage: Stage, who: str, **search: Any) -> list[Any]:
    await stage.act_as(who)
    rows = await stage.db.fetch("select * from search_requests($1)", search)
    await stage.act_as("owner")
    return list(rows)


async def counted(stage: Stage, who: str, **search: Any) -> int:
    await stage.act_as(who)
    counts = await stage.db.fetchval("select count_requests($1)", search)
    await stage.act_as("owner")
    return int(counts["total"])


async def changes(stage: Stage, who: str, shown: list[Any], seconds: int = 0, **search: Any) -> Any:
    await stage.act_as(who)
    told = await stage.db.fetchval("select request_changes($1, $2, $3)", search, seconds, shown)
    await stage.act_as("owner")
    return told


async def every_page(stage: Stage, who: str, between: str = "", **search: Any) -> list[Any]:
    """The ids of all pages; `between` is done after each."""
    rows = page = await found(stage, who, **search)
    while page:
        if between:
            await stage.db.execute(sql(between))
        page = await found(stage, who, **search, cursor=page[-1]["cursor"])
        rows = rows + page
    return [row["id"] for row in rows]


@pytest.mark.parametrize("who", PEOPLE)
async def test_a_search_finds_what_the_table_shows_the_caller(stage: Stage, who: str) -> None:
    await stage.db.execute(sql(MORE))
    await stage.act_as(who)
    seen = await stage.db.fetch("select id from car_requests order by created_at desc, id desc")
    for limit in (7, 60):
        assert await every_page(stage, who, limit=limit) == [row["id"] for row in seen]
    assert await counted(stage, who) == len(seen)


async def test_visitors_search_no_requests(stage: Stage) -> None:
    for call in ("search_requests('{}')", "count_requests('{}')", "request_changes('{}', 9)"):
        assert await stage.outcome("anon", f"select * from {call}") == "42501"


async def test_requests_of_a_suspended_importer_are_found_by_themselves_and_the_administrator(stage: Stage) -> None:
    await stage.db.execute(sql("update profiles set status = 'suspended' where user_id = {importer}"))
    assert await found(stage, "other_agent") == []
    assert len(await found(stage, "importer")) == len(await found(stage, "admin")) == 2


FILTERS = [
    ({"make": "toyota"}, "car_make = 'Toyota'"),
    ({"urgency": "high,low"}, "urgency in ('high', 'low')"),
    ({"condition": "used"}, "condition = 'used'"),
    ({"status": "completed"}, "status = 'completed'"),
    ({"budget": "-10000"}, "budget_max <= 10000"),
    ({"budget": "10000-20000"}, "budget_max > 10000 and budget_max <= 20000"),
    ({"budget": "20000-"}, "budget_max > 20000"),
    ({"country": "de"}, "importer_id = {other_importer}"),
    ({"mine": "1"}, "false"),
    ({"q": "AQUA 3"}, "car_model = 'Aqua 3'"),
    ({"q": "hamburg"}, "importer_id = {other_importer}"),
    ({"q": "germany", "place": "DE"}, "importer_id = {other_importer}"),
    ({"q": "100%_"}, "false"),
]


@pytest.mark.parametrize(("search", "condition"), FILTERS)
async def test_a_filter_holds_over_every_request(stage: Stage, search: dict[str, str], condition: str) -> None:
    await stage.db.execute(sql(MORE))
    listed = f"select id from car_requests where {condition} order by created_at desc, id desc"
    wanted = [row["id"] for row in await stage.db.fetch(sql(listed))]
    assert await every_page(stage, "admin", **search, limit=9) == wanted
    assert await counted(stage, "admin", **search) == len(wanted)


async def test_importers_find_their_own_requests_alone(stage: Stage) -> None:
    await stage.db.execute(sql(MORE))
    mine = await found(stage, "importer", mine="1")
    assert {str(row["id"]) for row in mine} == {IDS["request"], IDS["pending_request"]}


async def test_requests_that_come_and_go_meanwhile_neither_repeat_nor_hide_others(stage: Stage) -> None:
    await stage.db.execute(sql(MORE))
    before = await every_page(stage, "agent", limit=60)
    come_and_go = (
        "insert into car_requests (importer_id, car_make, car_model, created_at)"
        f" values ({{importer}}, 'A', 'B', now() + interval '1 day'); delete from car_requests where id = '{before[0]}'"
    )
    assert await every_page(stage, "agent", come_and_go, limit=9) == before


@pytest.mark.parametrize(
    "search",
    ['{"x": 1}', '{"limit": 61}', '{"budget": "9-1"}', '{"cursor": "x"}', '{"mine": 2}', '{"make": {}}', "[]", "null"],
)
async def test_a_search_that_cannot_be_read_is_refused(stage: Stage, search: str) -> None:
    assert await stage.outcome("agent", f"select * from search_requests('{search}')") == "22023"


async def test_counts_say_what_fits_and_of_how_many(stage: Stage) -> None:
    await stage.db.execute(sql(MORE))
    await stage.act_as("agent")
    counts = await stage.db.fetchval("select count_requests($1)", {"status": "active", "make": "toyota"})
    seen = await stage.db.fetchrow(
        "select count(*) as n, count(*) filter (where car_make = 'Toyota') as fits"
        " from car_requests where status = 'active'"
    )
    assert (counts["all"], counts["total"]) == (seen["n"], seen["fits"])
    assert "DE" in counts["countries"]


async def test_own_requests_are_counted_in_every_state(stage: Stage) -> None:
    await stage.act_as("importer")
    counts = await stage.db.fetchval("select count_requests($1)", {"mine": "1", "status": "pending"})
    assert counts["states"] == {"active": 1, "pending": 1}
    assert (counts["all"], counts["total"]) == (1, 1)


async def test_the_table_says_where_a_search_goes_on_behind_a_request(stage: Stage) -> None:
    await stage.db.execute(sql(MORE))
    await stage.act_as("admin")
    rows = await stage.db.fetch("select id, cursor(r) from car_requests r order by created_at desc, id desc limit 9")
    behind = await found(stage, "admin", cursor=rows[4]["cursor"], limit=4)
    assert [row["id"] for row in behind] == [row["id"] for row in rows[5:]]


AGED = """
update car_requests set created_at = now() - interval '2 hours', updated_at = now() - interval '1 hour';
update invitations set updated_at = now() - interval '1 hour'
"""


async def age(stage: Stage) -> None:
    await stage.db.execute("set session_replication_role = replica")
    await stage.db.execute(AGED)
    await stage.db.execute("set session_replication_role = origin")


async def test_a_list_is_told_what_came_and_what_changed(stage: Stage) -> None:
    await age(stage)
    assert (await changes(stage, "agent", [], status="active"))["rows"] == []
    await stage.db.execute(sql("update car_requests set car_model = 'Vitz' where id = {request}"))
    await stage.db.execute(
        sql("insert into car_requests (importer_id, car_make, car_model) values ({other_importer}, 'Mazda', 'Demio')")
    )
    told = await changes(stage, "agent", [IDS["request"]], status="active")
    assert {row["car_model"] for row in told["rows"]} == {"Vitz", "Demio"}
    assert (told["gone"], told["is_more"]) == ([], False)
    assert told["counts"]["total"] == await counted(stage, "agent", status="active")


@pytest.mark.parametrize(
    "done",
    [
        "delete from car_requests where id = {request}",
        "update car_requests set status = 'completed' where id = {request}",
        "update profiles set status = 'suspended' where user_id = {importer}",
    ],
)
async def test_a_list_is_told_what_it_must_no_longer_show(stage: Stage, done: str) -> None:
    await stage.db.execute(sql(done))
    told = await changes(stage, "other_agent", [IDS["request"]], status="active")
    assert told["gone"] == [IDS["request"]]
    assert IDS["request"] not in [row["id"] for row in told["rows"]]


async def test_changes_tell_nobody_of_what_they_may_not_see(stage: Stage) -> None:
    for who in ("other_importer", "suspended"):
        told = await changes(stage, who, [IDS["request"]], 10_000)
        assert (told["rows"], told["gone"]) == ([], [IDS["request"]])


async def test_more_changes_than_a_screen_shows_are_left_to_a_new_read(stage: Stage) -> None:
    await stage.db.execute(sql(MORE))
    told = await changes(stage, "admin", [])
    assert told["is_more"]
    many = f"array_fill('{IDS['request']}'::uuid, '{{1001}}')"
    assert await stage.outcome("agent", f"select request_changes('{{}}', 1, {many})") == "22023"
