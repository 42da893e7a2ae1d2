"""Reviews are counted by the database, and a list that is shown is told what it missed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

MORE = """
insert into reviews (reviewer_id, reviewed_id, rating, comment, created_at) values
    ({importer}, {agent}, 4, 'Good', now() - interval '1 day'), ({closed_importer}, {agent}, 1, null, now()),
    ({agent}, {importer}, 2, 'Late', now())
"""
AGED = "update reviews set updated_at = now() - interval '1 hour'"
READERS = ["agent", "importer", "suspended", "admin", "newcomer"]


async def figures(stage: Stage, who: str, member: str) -> Any:
    return await stage.value(who, f"select review_figures({{{member}}})")


async def changes(stage: Stage, who: str, member: str, side: str, shown: list[str], seconds: int = 0) -> Any:
    await stage.act_as(who)
    asked = "select review_changes($1, $2, $3, $4)"
    told = await stage.db.fetchval(asked, IDS[member], side, seconds, shown)
    await stage.act_as("owner")
    return told


async def age(stage: Stage) -> None:
    await stage.db.execute("set session_replication_role = replica")
    await stage.db.execute(AGED)
    await stage.db.execute("set session_replication_role = origin")


@pytest.mark.parametrize("who", READERS)
async def test_figures_count_every_star_a_reader_may_see(stage: Stage, who: str) -> None:
    await stage.db.execute(sql(MORE))
    assert (await figures(stage, who, "agent"))["stars"] == [1, 0, 0, 1, 1]
    assert (await figures(stage, who, "other_agent"))["stars"] == [0, 0, 0, 0, 0]


async def test_figures_say_what_the_caller_wrote_and_nobody_else(stage: Stage) -> None:
    own = (await figures(stage, "other_importer", "agent"))["own"]
    assert own == {"id": IDS["review"], "rating": 5, "comment": None}
    for who in ("agent", "importer", "admin"):
        assert (await figures(stage, who, "agent"))["own"] is None


@pytest.mark.parametrize(
    ("who", "member", "connected"),
    [
        ("other_importer", "agent", True),
        ("agent", "other_importer", True),
        ("importer", "agent", False),
        ("admin", "agent", False),
        ("agent", "agent", False),
    ],
)
async def test_figures_say_whether_an_accepted_invitation_connects(
    stage: Stage, who: str, member: str, connected: bool
) -> None:
    assert (await figures(stage, who, member))["is_connected"] is connected


async def test_visitors_are_told_nothing_of_reviews(stage: Stage) -> None:
    for call in ("review_figures({agent})", "review_changes({agent}, 'about', 9)", "private.review_card(null)"):
        assert await stage.outcome("anon", f"select {call}") == "42501"


async def test_a_list_is_told_what_came_and_what_changed_with_both_sides(stage: Stage) -> None:
    await age(stage)
    assert (await changes(stage, "agent", "agent", "about", [IDS["review"]]))["rows"] == []
    await stage.db.execute(sql(MORE))
    await stage.db.execute(sql("update reviews set rating = 3 where id = {review}"))
    told = await changes(stage, "agent", "agent", "about", [IDS["review"]])
    assert sorted(row["rating"] for row in told["rows"]) == [1, 3, 4]
    assert told["rows"][-1]["comment"] == "Good"
    assert (told["gone"], told["is_more"]) == ([], False)
    assert told["figures"]["stars"] == [1, 0, 1, 1, 0]
    (written,) = (await changes(stage, "agent", "agent", "by", []))["rows"]
    assert (written["reviewer"]["full_name"], written["reviewed"]["full_name"]) == ("agent", "importer")


async def test_a_list_is_told_what_was_deleted(stage: Stage) -> None:
    await stage.db.execute(sql("delete from reviews where id = {review}"))
    assert (await changes(stage, "importer", "agent", "about", [IDS["review"]]))["gone"] == [IDS["review"]]


async def test_an_hour_without_a_line_is_told_when_it_is_asked_for(stage: Stage) -> None:
    await age(stage)
    (row,) = (await changes(stage, "importer", "agent", "about", [], 3_600))["rows"]
    assert row["id"] == IDS["review"]


async def test_a_review_of_somebody_who_left_has_no_name(stage: Stage) -> None:
    await stage.db.execute(sql("update reviews set reviewer_id = null where id = {review}"))
    (row,) = (await changes(stage, "agent", "agent", "about", []))["rows"]
    assert (row["reviewer"], row["reviewer_id"]) == (None, None)


@pytest.mark.parametrize("call", ["{agent}, 'between', 1", "{agent}, null, 1"])
async def test_a_side_there_is_not_is_refused(stage: Stage, call: str) -> None:
    assert await stage.outcome("agent", f"select review_changes({call})") == "22023"


async def test_more_than_a_screen_shows_is_left_to_a_new_read(stage: Stage) -> None:
    many = f"array_fill('{IDS['review']}'::uuid, '{{1001}}')"
    assert await stage.outcome("agent", f"select review_changes({{agent}}, 'about', 1, {many})") == "22023"
    crowd = """
        set session_replication_role = replica;
        insert into reviews (reviewer_id, reviewed_id, rating) select gen_random_uuid(), {agent}, 5
        from generate_series(1, 61);
        set session_replication_role = origin
    """
    await stage.db.execute(sql(crowd))
    told = await changes(stage, "agent", "agent", "about", [])
    assert (told["is_more"], told["figures"]["stars"]) == (True, [0, 0, 0, 0, 62])


async def test_odd_numbers_of_seconds_are_no_error(stage: Stage) -> None:
    for seconds in ("null", "-5", "2147483647"):
        assert await stage.outcome("agent", f"select review_changes({{agent}}, 'by', {seconds}, null)") == 1
