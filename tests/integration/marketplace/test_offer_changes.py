"""What a list of offers that is shown has missed: one small answer, in the caller's eyes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

ADD = "insert into agent_posts (agent_id, car_name, model) values ({{{who}}}, 'Suzuki', 'Jimny')"


@pytest.fixture(autouse=True)
async def older(stage: Stage) -> None:
    """What was there before: the clock of a transaction stands still."""
    await stage.db.execute("alter table agent_posts disable trigger set_updated_at")
    await stage.db.execute("update agent_posts set updated_at = now() - interval '1 hour'")
    await stage.db.execute("alter table agent_posts enable trigger set_updated_at")


async def changes(stage: Stage, who: str = "importer", shown: list[str] | None = None, **search: Any) -> dict[str, Any]:
    """What changed in the last minute."""
    await stage.act_as(who)
    told = await stage.db.fetchval("select offer_changes($1, 60, $2)", search, shown or [IDS["post"]])
    await stage.act_as("owner")
    return dict(told)


async def change(stage: Stage, what: str) -> None:
    await stage.db.execute(sql(f"update agent_posts set {what} where id = {{post}}"))


async def test_nothing_changed_is_nothing_to_tell(stage: Stage) -> None:
    told = await changes(stage)
    assert (told["rows"], told["gone"], told["is_more"]) == ([], [], False)
    assert told["counts"]["total"] == 1


async def test_a_row_comes_as_the_list_shows_it(stage: Stage) -> None:
    await change(stage, "cnf_price = 7700")
    [row] = (await changes(stage))["rows"]
    await stage.act_as("importer")
    page = await stage.db.fetchval("select to_jsonb(o) - 'cursor' from search_offers('{}') o")
    await stage.act_as("owner")
    assert row == {**page, "fits": True}
    assert (row["cnf_price"], row["is_saved"], row["is_followed"]) == (7700, True, True)


async def test_an_offer_that_fits_no_more_is_told_to_whoever_shows_it(stage: Stage) -> None:
    await change(stage, "availability_status = 'sold'")
    [row] = (await changes(stage))["rows"]
    assert (row["fits"], row["availability_status"]) == (False, "sold")
    assert (await changes(stage, shown=[IDS["agent"]]))["rows"] == []


async def test_a_new_offer_is_told_where_it_fits(stage: Stage) -> None:
    await stage.db.execute(sql(ADD.format(who="agent")))
    told = await changes(stage, make="suzuki")
    assert [(row["model"], row["fits"]) for row in told["rows"]] == [("Jimny", True)]
    assert told["counts"]["total"] == 1
    assert (await changes(stage, make="toyota"))["rows"] == []


async def test_offers_that_are_gone_or_hidden_are_named(stage: Stage) -> None:
    await stage.db.execute(sql("delete from agent_posts where id = {post}"))
    assert (await changes(stage))["gone"] == [IDS["post"]]
    await stage.db.execute(sql(ADD.format(who="suspended")))
    hidden = str(await stage.db.fetchval("select id from agent_posts where model = 'Jimny'"))
    assert (await changes(stage, shown=[hidden]))["gone"] == [hidden]
    assert (await changes(stage, shown=[hidden]))["rows"] == []
    assert (await changes(stage, who="suspended", shown=[hidden]))["gone"] == []


async def test_too_much_to_tell_says_so(stage: Stage) -> None:
    add_many = sql(ADD.format(who="agent")).replace("values (", "select ").removesuffix(")")
    await stage.db.execute(f"{add_many} from generate_series(1, 61)")
    told = await changes(stage)
    assert (len(told["rows"]), told["is_more"]) == (60, True)


@pytest.mark.parametrize("shown", [1001])
async def test_more_than_a_screen_shows_is_not_looked_after(stage: Stage, shown: int) -> None:
    call = f"select offer_changes('{{}}', 0, array_fill(gen_random_uuid(), array[{shown}]))"
    assert await stage.outcome("importer", call) == "22023"


async def test_visitors_are_told_nothing(stage: Stage) -> None:
    assert await stage.outcome("anon", "select offer_changes('{}', 0)") == "42501"


@pytest.mark.parametrize(("seconds", "told"), [("-5", 0), ("null", 0), ("3580", 0), ("3600", 1), ("2147483647", 1)])
async def test_any_length_of_time_is_answered(stage: Stage, seconds: str, told: int) -> None:
    await stage.act_as("importer")
    rows = await stage.db.fetchval(f"select offer_changes('{{}}', {seconds}) -> 'rows'")
    await stage.act_as("owner")
    assert len(rows) == told


@pytest.mark.parametrize(("who", "sees"), [("suspended", True), ("admin", True), ("agent", False), ("importer", False)])
async def test_changes_of_hidden_offers_are_told_to_those_who_see_them(stage: Stage, who: str, sees: bool) -> None:
    await stage.db.execute(sql("update agent_posts set cnf_price = 7 where id = {suspended_post}"))
    told = await changes(stage, who, [IDS["suspended_post"]])
    assert [row["id"] for row in told["rows"]] == ([IDS["suspended_post"]] if sees else [])
    assert told["gone"] == ([] if sees else [IDS["suspended_post"]])
