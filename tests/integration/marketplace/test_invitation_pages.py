"""Invitations are counted by the database, a list that is shown is told what it missed, and requests tell of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

AGED = """
set session_replication_role = replica;
update invitations set updated_at = now() - interval '1 hour';
update car_requests set updated_at = now() - interval '1 hour';
update deals set completed_at = now() - interval '1 hour' where completed_at is not null;
set session_replication_role = origin
"""
WRITTEN_NOW = AGED.replace("1 hour", "0")
NOBODY = ["other_agent", "closed_importer", "suspended", "newcomer", "unconfirmed", "admin"]


async def counts(stage: Stage, who: str) -> Any:
    return await stage.value(who, "select invitation_counts()")


async def changes(
    stage: Stage,
    who: str,
    shown: tuple[str, ...] = (),
    *,
    status: str | None = None,
    request: str | None = None,
    seconds: int = 0,
) -> Any:
    await stage.act_as(who)
    asked = "select invitation_changes($1, $2, $3, $4)"
    ids = [IDS[name] for name in shown]
    told = await stage.db.fetchval(asked, seconds, ids, status, request and IDS[request])
    await stage.act_as("owner")
    return told


async def ids_told(stage: Stage, who: str, **asked: Any) -> set[str]:
    return {row["id"] for row in (await changes(stage, who, **asked))["rows"]}


async def test_counts_are_those_of_the_two_sides(stage: Stage) -> None:
    assert await counts(stage, "agent") == {"total": 2, "sent": 1, "accepted": 1, "declined": 0, "departed": 0}
    assert (await counts(stage, "importer"))["sent"] == 1
    assert (await counts(stage, "other_importer"))["accepted"] == 1


@pytest.mark.parametrize("who", NOBODY)
async def test_nobody_else_is_counted_or_told_anything(stage: Stage, who: str) -> None:
    assert (await counts(stage, who))["total"] == 0
    told = await changes(stage, who, ("invitation", "accepted"))
    assert (told["rows"], set(told["gone"])) == ([], {IDS["invitation"], IDS["accepted"]})


async def test_a_deal_whose_importer_left_is_counted_for_its_agent(stage: Stage) -> None:
    await stage.db.execute(sql("delete from profiles where user_id = {other_importer}"))
    assert await counts(stage, "agent") == {"total": 1, "sent": 1, "accepted": 0, "declined": 0, "departed": 1}
    assert (await counts(stage, "other_agent"))["departed"] == 0


async def test_visitors_are_told_nothing_of_invitations(stage: Stage) -> None:
    for call in (
        "invitation_counts()",
        "invitation_changes(9)",
        "agent_waiting()",
        "private.invitation_card(null)",
    ):
        assert await stage.outcome("anon", f"select {call}") == "42501"


async def test_a_list_is_told_what_came_with_both_sides_the_request_and_the_deal(stage: Stage) -> None:
    await stage.db.execute(WRITTEN_NOW)
    rows = {row["id"]: row for row in (await changes(stage, "agent"))["rows"]}
    sent, accepted = rows[IDS["invitation"]], rows[IDS["accepted"]]
    assert (sent["agent"]["full_name"], sent["importer"]["full_name"]) == ("agent", "importer")
    assert (sent["request"]["car_make"], sent["deal_state"]) == ("Nissan", None)
    assert (accepted["request"], accepted["deal_state"]["status"]) == (None, "open")
    assert accepted["deal_state"]["dispute"] is None


async def test_an_answer_is_told_to_both_sides_and_leaves_the_lists_it_no_longer_fits(stage: Stage) -> None:
    await stage.db.execute(AGED)
    assert await ids_told(stage, "agent", shown=("invitation",)) == set()
    await stage.act_as("importer")
    await stage.db.execute(sql("update invitations set status = 'declined' where id = {invitation}"))
    for who in ("agent", "importer"):
        assert await ids_told(stage, who) == {IDS["invitation"]}
        assert await ids_told(stage, who, status="declined") == {IDS["invitation"]}
        told = await changes(stage, who, ("invitation",), status="sent")
        assert (told["rows"], told["gone"], told["counts"]["declined"]) == ([], [IDS["invitation"]], 1)


async def test_a_list_about_a_request_is_told_of_that_request_alone(stage: Stage) -> None:
    await stage.db.execute(WRITTEN_NOW)
    assert await ids_told(stage, "importer", request="request") == {IDS["invitation"]}
    assert await ids_told(stage, "importer", request="pending_request") == set()


async def test_a_dispute_and_a_completed_deal_change_the_invitation(stage: Stage) -> None:
    await stage.db.execute(AGED)
    await stage.act_as("agent")
    await stage.db.execute(sql("select raise_dispute({accepted}, 'Broken', 'It is broken.')"))
    (row,) = (await changes(stage, "other_importer"))["rows"]
    assert (row["id"], row["deal_state"]["dispute"]) == (IDS["accepted"], "open")
    await stage.db.execute("update disputes set created_at = now() - interval '1 hour'")
    assert await ids_told(stage, "other_importer") == set()
    await stage.db.execute("update deals set status = 'completed', completed_at = now()")
    assert await ids_told(stage, "other_importer") == {IDS["accepted"]}
    assert await ids_told(stage, "other_agent") == set()


async def test_a_deleted_invitation_is_gone(stage: Stage) -> None:
    await stage.db.execute(sql("delete from invitations where id = {invitation}"))
    assert (await changes(stage, "importer", ("invitation",)))["gone"] == [IDS["invitation"]]


async def test_an_hour_without_a_line_is_told_when_it_is_asked_for(stage: Stage) -> None:
    await stage.db.execute(AGED)
    assert await ids_told(stage, "agent", seconds=3_600) == {IDS["invitation"], IDS["accepted"]}


async def test_more_than_a_screen_shows_is_left_to_a_new_read(stage: Stage) -> None:
    many = f"array_fill('{IDS['invitation']}'::uuid, '{{1001}}')"
    assert await stage.outcome("agent", f"select invitation_changes(1, {many})") == "22023"
    crowd = """
        insert into invitations (agent_id, importer_id, status)
        select {agent}, {importer}, 'declined' from generate_series(1, 61)
    """
    await stage.db.execute(sql(crowd))
    told = await changes(stage, "agent")
    assert (told["is_more"], len(told["rows"]), told["counts"]["total"]) == (True, 61, 63)


async def test_odd_numbers_of_seconds_are_no_error(stage: Stage) -> None:
    for seconds in ("null", "-5", "2147483647"):
        assert await stage.outcome("agent", f"select invitation_changes({seconds}, null)") == 1


async def test_a_member_cannot_set_when_an_invitation_changed(stage: Stage) -> None:
    change = "update invitations set updated_at = now() - interval '1 year' where id = {invitation}"
    assert await stage.outcome("importer", change) == "42501"
    await stage.act_as("agent")
    await stage.db.execute(
        sql("insert into invitations (agent_id, importer_id, updated_at) values ({agent}, {importer}, '2020-01-01')")
    )
    await stage.act_as("owner")
    assert await stage.db.fetchval("select count(*) from invitations where updated_at < '2021-01-01'") == 0


async def test_a_running_invitation_is_accepted_and_about_nothing_that_is_closed(stage: Stage) -> None:
    asked = "select id from invitations i where is_running(i)"
    assert str(await stage.value("agent", asked)) == IDS["accepted"]
    about = "update invitations set request_id = {request} where id = {accepted}"
    await stage.db.execute(sql(about))
    await stage.db.execute(sql("update car_requests set status = 'completed' where id = {request}"))
    assert await stage.value("agent", asked) is None


async def test_a_request_tells_its_importer_how_many_answer_and_an_agent_how_the_own_one_stands(stage: Stage) -> None:
    asked = "select {} from car_requests r where id = {{request}}"
    await stage.db.execute(
        sql("insert into invitations (agent_id, importer_id, request_id) values ({other_agent}, {importer}, {request})")
    )
    seen = {"importer": (2, None), "agent": (1, "sent"), "other_agent": (1, "sent"), "suspended": (None, None)}
    for who, (responses, status) in seen.items():
        assert await stage.value(who, asked.format("responses(r)")) == responses
        own = await stage.value(who, asked.format("own_invitation(r)"))
        assert (own and own["status"]) == status


async def test_of_several_invitations_the_accepted_one_counts_and_then_the_newest(stage: Stage) -> None:
    answered = """
        insert into invitations (agent_id, importer_id, request_id, status, created_at) values
        ({agent}, {importer}, {request}, 'declined', now() + interval '1 minute')
    """
    asked = "select own_invitation(r) from car_requests r where id = {request}"
    await stage.db.execute(sql(answered))
    assert (await stage.value("agent", asked))["status"] == "declined"
    await stage.db.execute(sql("update invitations set status = 'accepted' where id = {invitation}"))
    assert (await stage.value("agent", asked))["status"] == "accepted"


async def test_a_search_tells_of_invitations_and_a_list_of_requests_is_told_of_them(stage: Stage) -> None:
    await stage.db.execute(AGED)
    await stage.act_as("importer")
    found = await stage.db.fetch("select id, responses from search_requests()")
    assert {str(row["id"]): row["responses"] for row in found} == {IDS["request"]: 1, IDS["pending_request"]: 0}
    asked = "select request_changes('{}', 0)"
    assert (await stage.db.fetchval(asked))["rows"] == []
    await stage.act_as("owner")
    await stage.db.execute(
        sql("insert into invitations (agent_id, importer_id, request_id) values ({other_agent}, {importer}, {request})")
    )
    (row,) = (await stage.value("importer", asked))["rows"]
    assert (row["id"], row["responses"]) == (IDS["request"], 2)
    (row,) = (await stage.value("other_agent", asked))["rows"]
    assert row["own_invitation"]["status"] == "sent"
    assert (await stage.value("agent", asked))["rows"] == []


WISHES = """
update profiles set verification_status = 'verified' where user_id = {other_agent};
insert into agent_posts (agent_id, car_name, model, availability_status, image_url) values
    ({other_agent}, 'Nissan', 'Note', 'available', null), ({other_agent}, 'Honda', 'Fit', 'available', 'https://a.example/1.jpg'),
    ({other_agent}, 'Mazda', 'Demio', 'sold', null);
insert into car_requests (importer_id, car_make, car_model, budget_min, budget_max, status)
select {importer}, make, 'Any', 1, 2, status from (values ('Nissan', 'active'), ('Honda', 'pending'),
    ('Mazda', 'active'), ('Toyota', 'active')) as w (make, status)
"""


async def test_what_waits_for_an_agent_is_what_they_can_do_something_about(stage: Stage) -> None:
    await stage.db.execute(sql(WISHES))
    waiting = await stage.value("other_agent", "select agent_waiting()")
    assert waiting["requests"] == [{"make": "Nissan", "count": 2}]
    assert (waiting["photos"]["count"], waiting["photos"]["first"]["car"]) == (1, "Nissan Note")
    assert waiting["accepted"] == {"count": 0, "first": None}
    await stage.db.execute(
        sql("insert into invitations (agent_id, importer_id, request_id) values ({other_agent}, {importer}, {request})")
    )
    assert (await stage.value("other_agent", "select agent_waiting()"))["requests"] == [{"make": "Nissan", "count": 1}]


async def test_an_accepted_invitation_waits_until_somebody_writes(stage: Stage) -> None:
    accepted = (await stage.value("agent", "select agent_waiting()"))["accepted"]
    first = {"importer_id": IDS["other_importer"], "request_id": None, "name": "other_importer"}
    assert accepted == {"count": 1, "first": first}
    await stage.db.execute(
        sql("insert into messages (sender_id, receiver_id, content) values ({other_importer}, {agent}, 'Hello')")
    )
    assert (await stage.value("agent", "select agent_waiting()"))["accepted"]["count"] == 0


@pytest.mark.parametrize("who", ["importer", "admin", "newcomer"])
async def test_nothing_waits_for_who_is_no_agent(stage: Stage, who: str) -> None:
    waiting = await stage.value(who, "select agent_waiting()")
    assert (waiting["accepted"]["count"], waiting["requests"], waiting["photos"]["count"]) == (0, [], 0)
