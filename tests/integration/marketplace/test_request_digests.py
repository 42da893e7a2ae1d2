"""Agents hear of the requests that suit them: at once, and then of several in one mail."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import Stage, sql

POST = """insert into car_requests
    (importer_id, car_make, car_model, year_range, budget_min, budget_max, fuel_type, shipping_port)
    values ({importer}, '%s', '%s', '2015-2019', 8000, 12000, '%s', 'Hamburg') returning id"""


async def mails(stage: Stage, who: str = "agent") -> list[Any]:
    return list(
        await stage.db.fetch(
            sql(
                f"select kind, payload, due_at - now() as wait from notification_outbox where user_id = {{{who}}}"
                " and kind in ('request', 'requests') order by id"
            )
        )
    )


async def deal_in(stage: Stage, *specialties: str) -> None:
    """The agent deals in these, and offers nothing."""
    await stage.db.execute("delete from notification_outbox")
    await stage.db.execute("delete from agent_posts")
    await stage.db.execute(sql("update profiles set specialties = $1 where user_id = {agent}"), list(specialties))


async def posted(stage: Stage, make: str, model: str, fuel: str = "gasoline") -> str:
    return str(await stage.value("importer", POST % (make, model, fuel)))


@pytest.mark.parametrize(
    ("specialty", "car", "suits"),
    [
        ("Toyota", ("Toyota", "Aqua", "any"), True),
        ("Toyota", ("Honda", "Fit", "any"), False),
        ("toyota vans", ("Toyota", "HiAce", "any"), True),
        ("Skyline", ("Nissan", "Skyline GT-R R33", "any"), True),
        ("Luxury", ("Toyota", "Crown", "any"), True),
        ("Sports", ("Mazda", "Roadster", "any"), True),
        ("Sports", ("Toyota", "Crown", "any"), False),
        ("Electric", ("Nissan", "Leaf", "electric"), True),
        ("Electric", ("Nissan", "Leaf", "diesel"), False),
        ("Commercial", ("Isuzu", "Elf", "diesel"), True),
        ("Commercial", ("Honda", "Fit", "any"), False),
        ("  ", ("Honda", "Fit", "any"), True),
    ],
)
async def test_a_request_is_told_to_agents_whose_specialties_it_fits(
    stage: Stage, specialty: str, car: tuple[str, str, str], suits: bool
) -> None:
    await deal_in(stage, specialty)
    await posted(stage, *car)
    assert len(await mails(stage)) == suits


async def test_a_make_on_offer_counts_as_a_specialty(stage: Stage) -> None:
    await deal_in(stage, "Honda")
    await stage.db.execute(
        sql("insert into agent_posts (agent_id, car_name, model) values ({agent}, 'Mazda', 'Demio')")
    )
    await posted(stage, "Mazda", "CX-5")
    await posted(stage, "Subaru", "Forester")
    (mail,) = await mails(stage)
    assert mail["kind"] == "request"


async def test_the_first_is_told_at_once_and_what_follows_waits_for_one_mail(stage: Stage) -> None:
    await deal_in(stage, "Toyota")
    first = await posted(stage, "Toyota", "Aqua")
    for model in ("Prius", "Vitz", "Noah"):
        await posted(stage, "Toyota", model)
    now, later = await mails(stage)
    assert (now["kind"], now["payload"], now["wait"].total_seconds()) == (
        "request",
        {"request_id": first},
        0,
    )
    assert (later["kind"], later["wait"].total_seconds()) == ("requests", 4 * 3600)
    items = later["payload"]["items"]
    assert [item["title"] for item in items] == ["Toyota Prius", "Toyota Vitz", "Toyota Noah"]
    assert {item["text"] for item in items} == {"2015-2019 · $8,000 – $12,000 · Hamburg"}


async def test_after_a_quiet_time_the_next_is_told_at_once_again(stage: Stage) -> None:
    await deal_in(stage, "Toyota")
    await posted(stage, "Toyota", "Aqua")
    await stage.db.execute(
        "update notification_outbox set sent_at = now() - interval '5 hours', due_at = now() - interval '5 hours'"
    )
    await posted(stage, "Toyota", "Prius")
    assert [mail["wait"].total_seconds() for mail in await mails(stage)][1] == 0


async def test_a_mail_that_is_being_sent_takes_nothing_in(stage: Stage) -> None:
    await deal_in(stage, "Toyota")
    await posted(stage, "Toyota", "Aqua")
    await stage.db.execute("update notification_outbox set due_at = now() + private.mail_lease()")
    await posted(stage, "Toyota", "Prius")
    assert [mail["kind"] for mail in await mails(stage)] == ["request", "request"]


async def test_what_is_closed_or_gone_is_taken_out_of_the_waiting_mail(stage: Stage) -> None:
    await deal_in(stage, "Toyota")
    await posted(stage, "Toyota", "Aqua")
    ids = [await posted(stage, "Toyota", model) for model in ("Prius", "Vitz", "Noah")]
    await stage.db.execute("update car_requests set status = 'expired' where id = $1", ids[0])
    await stage.db.execute("delete from car_requests where id = $1", ids[1])
    items = (await mails(stage))[1]["payload"]["items"]
    assert [item["title"] for item in items] == ["Toyota Noah"]
    await stage.db.execute("delete from car_requests where id = $1", ids[2])
    assert len(await mails(stage)) == 1


async def test_who_wants_no_alerts_hears_of_none(stage: Stage) -> None:
    await deal_in(stage, "Toyota")
    await stage.db.execute(
        sql("update notification_preferences set new_request_alerts = false where user_id = {agent}")
    )
    await posted(stage, "Toyota", "Aqua")
    assert await mails(stage) == []
