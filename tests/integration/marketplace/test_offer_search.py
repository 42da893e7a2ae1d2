"""Offers are searched by the database: who sees what, in which order, in pages that hold while offers come."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

MORE = """
insert into agent_posts (agent_id, car_name, model, year, mileage_km, cnf_price, fuel_type, color, body,
    availability_status, auction_date, created_at)
select {other_agent}, (array['Toyota', 'Nissan', 'Honda'])[1 + n % 3],
    (array['Aqua', 'Note'])[1 + n % 2] || ' ' || n % 5,
    nullif(2000 + n % 7, 2006), nullif(1000 * (n % 9), 8000), nullif(500 * (n % 11), 0),
    (array['Petrol', 'Hybrid petrol', 'Diesel'])[1 + n % 3], (array['Pearl white', 'Navy', null])[1 + n % 3],
    (array['hatch', 'suv'])[1 + n % 2], (array['available', 'pending', 'sold'])[1 + n % 3],
    case when n % 6 = 0 then current_date + 30 end, now() - n / 4 * interval '1 minute'
from generate_series(1, 100) n
"""
ANY = "in-stock,auction,reserved,sold"


async def found(stage: Stage, who: str, **search: Any) -> list[Any]:
    """The rows somebody finds, in their order."""
    await stage.act_as(who)
    rows = await stage.db.fetch("select * from search_offers($1)", search)
    await stage.act_as("owner")
    return list(rows)


async def counted(stage: Stage, who: str, **search: Any) -> dict[str, Any]:
    await stage.act_as(who)
    told = await stage.db.fetchval("select count_offers($1)", search)
    await stage.act_as("owner")
    return dict(told)


async def facets(stage: Stage, **search: Any) -> dict[str, Any]:
    await stage.act_as("importer")
    told = await stage.db.fetchval("select offer_facets($1)", search)
    await stage.act_as("owner")
    return dict(told)


async def every_page(stage: Stage, between: str = "", **search: Any) -> list[Any]:
    """The ids of all pages; `between` is done after each."""
    rows = page = await found(stage, "importer", **search)
    while page:
        if between:
            await stage.db.execute(sql(between))
        page = await found(stage, "importer", **search, cursor=page[-1]["cursor"])
        rows = rows + page
    return [row["id"] for row in rows]


@pytest.mark.parametrize("who", ["agent", "importer", "suspended", "admin", "newcomer", "unconfirmed"])
async def test_a_search_finds_what_the_table_shows_the_caller(stage: Stage, who: str) -> None:
    await stage.act_as(who)
    seen = await stage.db.fetch("select id from agent_posts")
    rows = await found(stage, who, status=ANY)
    assert {row["id"] for row in rows} == {row["id"] for row in seen}
    assert (await counted(stage, who, status=ANY))["total"] == len(seen)


@pytest.mark.parametrize("who", ["agent", "importer", "suspended", "admin", "newcomer", "unconfirmed"])
async def test_facets_count_what_the_table_shows_the_caller(stage: Stage, who: str) -> None:
    await stage.db.execute(sql(MORE))
    await stage.act_as(who)
    seen = await stage.db.fetch("select lower(car_name) as v, count(*)::int as n from agent_posts group by 1")
    told = await stage.db.fetchval("select offer_facets($1)", {"status": ANY})
    of_suspended = await stage.db.fetchval("select offer_facets($1)", {"status": ANY, "agent": IDS["suspended"]})
    assert {row["v"]: row["n"] for row in told["make"]} == {row["v"]: row["n"] for row in seen}
    assert told["total"] == sum(row["n"] for row in seen)
    assert of_suspended["total"] == (1 if who in ("suspended", "admin") else 0)


async def test_visitors_search_nothing(stage: Stage) -> None:
    for column in ("is_saved", "is_followed", "cursor"):
        assert await stage.outcome("anon", f"select {column}(p) from agent_posts p") == "42501"
    for call in ("search_offers('{}')", "count_offers('{}')", "offer_facets('{}')"):
        assert await stage.outcome("anon", f"select * from {call}") == "42501"


@pytest.mark.parametrize("who", ["agent", "importer", "suspended", "admin"])
async def test_the_columns_of_the_table_say_what_a_search_says_beside_each_offer(stage: Stage, who: str) -> None:
    await stage.db.execute(sql(MORE))
    searched = await found(stage, who, status=ANY, limit=60)
    await stage.act_as(who)
    columns = "p.id, p.is_saved, p.is_followed, p.cursor"
    rows = await stage.db.fetch(f"select {columns} from agent_posts p order by created_at desc, id desc limit 60")
    assert [tuple(row) for row in rows] == [
        (row["id"], row["is_saved"], row["is_followed"], row["cursor"]) for row in searched
    ]


async def test_the_name_of_an_unconfirmed_agent_stays_hidden(stage: Stage) -> None:
    await stage.db.execute(sql("update profiles set is_confirmed = false where user_id = {agent}"))
    assert [row["agent"] for row in await found(stage, "importer")] == [None]
    assert json.loads(json.dumps((await found(stage, "agent"))[0]["agent"]))["full_name"] == "agent"


async def test_each_row_says_what_the_caller_saved_and_follows(stage: Stage) -> None:
    [mine] = await found(stage, "importer")
    [theirs] = await found(stage, "other_importer")
    assert (mine["is_saved"], mine["is_followed"], theirs["is_saved"], theirs["is_followed"]) == (
        True,
        True,
        False,
        False,
    )
    await stage.db.execute(sql(MORE))
    assert [str(row["id"]) for row in await found(stage, "importer", saved="1")] == [IDS["post"]]
    assert [str(row["id"]) for row in await found(stage, "importer", followed="1")] == [IDS["post"]]
    assert await found(stage, "other_importer", followed="1") == []


ORDERS = {
    "new": "created_at desc, id desc",
    "price": "cnf_price nulls last, id",
    "-price": "cnf_price desc nulls last, id desc",
    "year": "year nulls last, id",
    "-year": "year desc nulls last, id desc",
    "km": "mileage_km nulls last, id",
}
# behind everything read so far in `new`, and at the very beginning: neither may shift the pages
NEWER = (
    "insert into agent_posts (agent_id, car_name, model, created_at)"
    " values ({agent}, 'A', 'B', now() + interval '1 day')"
)


@pytest.mark.parametrize("sort", ORDERS)
async def test_pages_follow_one_another_to_the_whole_list(stage: Stage, sort: str) -> None:
    await stage.db.execute(sql(MORE))
    listed = f"select id from agent_posts where agent_id <> {{suspended}} order by {ORDERS[sort]}"
    whole = [row["id"] for row in await stage.db.fetch(sql(listed))]
    for limit in (1, 7, 60):
        assert await every_page(stage, sort=sort, status=ANY, limit=limit) == whole


@pytest.mark.parametrize("sort", ORDERS)
async def test_offers_that_come_and_go_meanwhile_neither_repeat_nor_hide_others(stage: Stage, sort: str) -> None:
    await stage.db.execute(sql(MORE))
    before = await every_page(stage, sort=sort, status=ANY, limit=60)
    come_and_go = f"{NEWER}; delete from agent_posts where id = '{before[0]}'"
    after = await every_page(stage, come_and_go, sort=sort, status=ANY, limit=9)
    assert len(after) == len(set(after))
    assert [post for post in after if post in set(before)] == before


async def test_a_newer_offer_does_not_enter_the_pages_behind_it(stage: Stage) -> None:
    await stage.db.execute(sql(MORE))
    before = await every_page(stage, status=ANY, limit=60)
    assert await every_page(stage, NEWER, status=ANY, limit=9) == before


@pytest.mark.parametrize(
    ("search", "condition"),
    [
        ({"make": "toyota,HONDA"}, "car_name in ('Toyota', 'Honda')"),
        ({"make": ["Toyota"], "model": "Aqua 1"}, "car_name = 'Toyota' and model = 'Aqua 1'"),
        ({"fuel": "gasoline"}, "fuel_type = 'Petrol'"),
        ({"fuel": "hybrid", "colour": "blue"}, "fuel_type = 'Hybrid petrol' and color = 'Navy'"),
        ({"body": "suv"}, "body = 'suv'"),
        ({"year": "2002-2004"}, "year between 2002 and 2004"),
        ({"price": "-2000"}, "cnf_price <= 2000"),
        ({"price": "1999.99-2000.01"}, "cnf_price = 2000"),
        ({"km": "5000-"}, "mileage_km >= 5000"),
        ({"status": "auction"}, "availability_status = 'available' and auction_date is not null"),
        ({"status": "in-stock"}, "availability_status = 'available' and auction_date is null"),
        ({"status": "in-stock,auction"}, "availability_status = 'available'"),
        (
            {"status": "auction,sold"},
            "availability_status <> 'pending' and (auction_date is not null or availability_status = 'sold')",
        ),
        ({"status": "reserved,sold"}, "availability_status in ('pending', 'sold')"),
        ({"q": "toyota aq"}, "car_name = 'Toyota' and model like 'Aqua%'"),
        ({"q": "Navy 2003"}, "color = 'Navy' and year = 2003"),
        ({"agent": IDS["agent"]}, "agent_id = {agent}"),
    ],
)
async def test_a_filter_finds_what_it_says(stage: Stage, search: dict[str, Any], condition: str) -> None:
    await stage.db.execute(sql(MORE))
    asked = {"status": ANY, **search}
    wanted = await stage.db.fetch(sql(f"select id from agent_posts where agent_id <> {{suspended}} and {condition}"))
    assert set(await every_page(stage, **asked)) == {row["id"] for row in wanted}
    assert (await counted(stage, "importer", **asked))["total"] == len(wanted) > 0
    assert (await facets(stage, **asked))["total"] == len(wanted)


async def test_what_is_sold_is_found_only_when_asked_for(stage: Stage) -> None:
    await stage.db.execute(sql("update agent_posts set availability_status = 'sold' where id = {post}"))
    assert await found(stage, "importer") == []
    assert len(await found(stage, "importer", status="sold")) == 1


async def test_a_mistyped_word_is_read_as_the_nearest_one(stage: Stage) -> None:
    assert len(await found(stage, "importer", q="toyoat")) == 1
    assert (await counted(stage, "importer", q="Toyoat aqua"))["read_as"] == "toyota aqua"
    assert (await counted(stage, "importer", q="Toyota aq"))["read_as"] is None
    told = await counted(stage, "importer", q="toyoat", exact="1")
    assert (told["total"], told["read_as"]) == (0, None)


async def test_words_of_new_offers_are_known_and_those_of_none_forgotten(stage: Stage) -> None:
    await stage.outcome(
        "agent", "insert into agent_posts (agent_id, car_name, model) values ({agent}, 'Daihatsu', 'Copen')"
    )
    await stage.db.execute(
        sql("insert into agent_posts (agent_id, car_name, model) values ({agent}, 'Suzuki', 'Jimny')")
    )
    assert (await counted(stage, "importer", q="jimnny"))["read_as"] == "jimny"
    await stage.db.execute("delete from agent_posts where car_name = 'Suzuki'")
    await stage.db.execute("select private.tidy()")
    assert (await counted(stage, "importer", q="jimnny"))["read_as"] is None


async def test_a_changed_offer_is_found_by_its_new_words_alone(stage: Stage) -> None:
    await stage.db.execute(sql("update agent_posts set description = 'Sunroof' where id = {post}"))
    assert len(await found(stage, "importer", q="sunroof")) == 1
    await stage.db.execute(sql("update agent_posts set description = 'Towbar' where id = {post}"))
    assert await found(stage, "importer", q="sunroof", exact="1") == []
    assert len(await found(stage, "importer", q="towbar")) == 1


@pytest.mark.parametrize(
    "q", ["'", "a' | 'b", ":*", "\\", "& ! |", "''", "%", "日本", "x" * 100, "a\nb\tc", "\\'", "q':A"]
)
async def test_no_text_breaks_a_search(stage: Stage, q: str) -> None:
    assert (await counted(stage, "importer", q=q))["total"] >= 0


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sort", "cheapest"),
        ("limit", 0),
        ("limit", 61),
        ("limit", "1e1"),
        ("year", "2010"),
        ("year", "2015-2010"),
        ("price", "1-2-3"),
        ("km", "9999999999-"),
        ("status", "gone"),
        ("agent", "me"),
        ("make", {"a": 1}),
        ("make", ["a"] * 61),
        ("saved", "perhaps"),
        ("q", "x" * 101),
        ("colours", "red"),
        ("cursor", "?"),
        ("cursor", "WzFd"),
        ("cursor", "bm9uZQ"),
        ("cursor", "WyJuZXciLCJ4IiwieSJd"),
        ("cursor", "gICA"),
        ("cursor", "W10"),
    ],
)
async def test_a_search_that_cannot_be_read_is_refused_by_its_key(stage: Stage, key: str, value: Any) -> None:
    text = json.dumps({key: value}).replace("'", "''")
    for column in ("is_saved", "is_followed", "cursor"):
        assert await stage.outcome("anon", f"select {column}(p) from agent_posts p") == "42501"
    for call in ("search_offers", "count_offers", "offer_facets"):
        if key != "cursor" or call == "search_offers":
            assert await stage.outcome("importer", f"select * from {call}('{text}')") == "22023", call


async def test_a_cursor_of_another_order_is_refused(stage: Stage) -> None:
    [row] = await found(stage, "importer", sort="price")
    text = json.dumps({"sort": "km", "cursor": row["cursor"]})
    assert await stage.outcome("importer", f"select * from search_offers('{text}')") == "22023"


async def test_a_facet_counts_what_its_own_choice_leaves_out(stage: Stage) -> None:
    await stage.db.execute(sql("delete from agent_posts"))
    await stage.db.execute(sql(MORE))
    told = await facets(stage, status=ANY, make="toyota", fuel="diesel,gasoline", year="2001-2004")
    columns = {"make": "lower(car_name)", "body": "body", "fuel": "fuel_code", "colour": "colour_code"}
    conditions = {
        "make": "car_name = 'Toyota'",
        "fuel": "fuel_type in ('Diesel', 'Petrol')",
        "year": "year between 2001 and 2004",
    }
    for facet, column in columns.items():
        others = " and ".join(text for name, text in conditions.items() if name != facet)
        rows = await stage.db.fetch(
            f"select {column} as v, count(*)::int as n from agent_posts"
            f" where {others} and {column} is not null group by 1"
        )
        assert {row["v"]: row["n"] for row in told.get(facet, [])} == {row["v"]: row["n"] for row in rows}
    assert told["year"] == {"min": 2000, "max": 2005}


async def test_models_are_counted_of_few_makes_alone(stage: Stage) -> None:
    assert "model" not in await facets(stage)
    assert (await facets(stage, make="toyota"))["model"] == [{"v": "aqua", "n": 1}]


ONE_MORE = "insert into agent_posts (agent_id, car_name, model) select {agent}, 'Toyota', 'Aqua'"
FILL = f"{ONE_MORE} from generate_series(1, 10000)"


async def test_facets_of_few_offers_are_always_counted_anew(stage: Stage) -> None:
    await stage.db.execute("select private.keep_facets()")
    before = await facets(stage)
    await stage.db.execute(sql(ONE_MORE))
    assert (await facets(stage))["total"] == before["total"] + 1


async def test_facets_of_many_offers_are_those_of_the_last_minute_unless_something_is_chosen(stage: Stage) -> None:
    await stage.db.execute(sql(FILL))
    counted_now = await facets(stage)
    await stage.db.execute("select private.keep_facets()")
    assert await facets(stage) == counted_now
    await stage.db.execute(sql(ONE_MORE))
    assert await facets(stage, sort="price", limit=5) == counted_now
    # With a choice it is exact.
    assert (await facets(stage, status="in-stock,auction,reserved"))["total"] == counted_now["total"] + 1
    await stage.db.execute("update private.kept_facets set at = at - interval '91 seconds'")
    assert (await facets(stage))["total"] == counted_now["total"] + 1


@pytest.mark.parametrize("other", ["today = today - 1", "hidden = array[gen_random_uuid()]"])
async def test_kept_facets_of_another_day_or_of_other_hidden_offers_are_no_answer(stage: Stage, other: str) -> None:
    await stage.db.execute(sql(FILL))
    await stage.db.execute("select private.keep_facets()")
    await stage.db.execute(f"update private.kept_facets set told = '{{\"total\": 1}}', {other}")
    assert (await facets(stage))["total"] > 10_000


async def test_every_state_is_counted_whichever_are_searched(stage: Stage) -> None:
    await stage.db.execute(sql(MORE))
    states = {"in-stock": 18, "auction": 16, "reserved": 34, "sold": 33}
    for asked, total in {"": 68, "auction": 16, "sold,reserved": 67, ANY: 101}.items():
        told = await counted(stage, "importer", status=asked)
        assert (told["total"], told["states"]) == (total, states)
        assert told["total"] == (await facets(stage, status=asked))["total"]
    assert (await counted(stage, "importer", make="nissan"))["states"] != states
