"""Disputes: either side of a deal raises one, both read both sides, and the back office decides."""

from __future__ import annotations

import json
from typing import Any

import asyncpg
import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

ACCEPT = "update invitations set status = 'accepted' where id = {invitation}"
RAISE = "select raise_dispute({%s}, 'The car is not as described', 'It has no engine.')"
CASE = "select status from request_cases where request_id = {request}"


@pytest.fixture
async def stage(stage: Stage) -> Stage:
    """The importer's request has an accepted invitation of the agent's, and so a deal."""
    await stage.outcome("importer", ACCEPT)
    return stage


async def deal(stage: Stage, invitation: str = "invitation") -> str:
    return str(await stage.db.fetchval(sql(f"select id from deals where invitation_id = {{{invitation}}}")))


async def evidence(stage: Stage, who: str, name: str = "photo.jpg") -> dict[str, str]:
    """A file somebody has uploaded, as it is handed in."""
    path = f"{IDS[who]}/{await deal(stage)}/{name}"
    await stage.db.execute(
        "insert into storage.objects (bucket_id, name, metadata) values ('dispute-evidence', $1, $2)",
        path,
        {"mimetype": "image/jpeg"},
    )
    return {"title": name, "path": path}


def raising(pieces: list[Any], invitation: str = "invitation") -> str:
    return f"select raise_dispute({{{invitation}}}, 'Broken', 'It is broken.', '{json.dumps(pieces)}')"


@pytest.mark.parametrize("who", ["importer", "agent"])
async def test_either_side_raises_a_dispute(stage: Stage, who: str) -> None:
    assert await stage.outcome(who, RAISE % "invitation") == 1
    assert await stage.db.fetchval(sql(CASE)) == "disputed"
    for party in ("importer", "agent", "admin"):
        assert await stage.value(party, "select reason from disputes") == "The car is not as described"
        assert await stage.value(party, "select body from dispute_statements") == "It has no engine."
    assert await stage.value("importer", "select status from deals where request_id = {request}") == "disputed"


@pytest.mark.parametrize("who", ["other_agent", "other_importer", "suspended", "anon"])
async def test_strangers_neither_raise_nor_read_a_dispute(stage: Stage, who: str) -> None:
    assert await stage.outcome(who, RAISE % "invitation") == "42501"
    await stage.outcome("importer", RAISE % "invitation")
    assert await stage.outcome(who, "select 1 from disputes") == 0
    assert await stage.outcome(who, "select 1 from dispute_statements") == 0


async def test_the_back_office_sees_the_reason_the_statement_and_the_files(stage: Stage) -> None:
    piece = await evidence(stage, "importer")
    await stage.outcome("importer", raising([piece]))
    rows = await stage.value("admin", "select admin_requests(p_status => 'disputed')")
    (row,) = rows["rows"]
    assert row["dispute_reason"] == "Broken"
    assert row["evidence"] == [{"title": "photo.jpg", "kind": "image/jpeg", "path": piece["path"]}]
    assert row["notes"][-1]["text"] == "importer: It is broken."


async def test_raising_twice_gives_the_same_dispute(stage: Stage) -> None:
    first = await stage.value("importer", RAISE % "invitation")
    assert await stage.value("importer", RAISE % "invitation") == first
    assert await stage.db.fetchval("select count(*) from dispute_statements") == 1


async def test_the_other_side_adds_its_statement_instead_of_a_second_dispute(stage: Stage) -> None:
    dispute = await stage.value("importer", RAISE % "invitation")
    assert await stage.outcome("agent", RAISE % "invitation") == "P0001"
    assert await stage.outcome("agent", f"select answer_dispute('{dispute}', 'It had one.')") == 1
    said = "select array_agg(body order by created_at, body desc) from dispute_statements"
    assert set(await stage.value("importer", said)) == {"It has no engine.", "It had one."}
    assert await stage.outcome("other_agent", f"select answer_dispute('{dispute}', 'Me too')") == "42501"


async def test_the_other_side_is_told_by_mail(stage: Stage) -> None:
    await stage.db.execute("delete from notification_outbox")
    await stage.outcome("importer", RAISE % "invitation")
    mail = await stage.db.fetchval("select private.next_mail()")
    assert mail["to"] == "agent@minato.example"
    assert mail["subject"] == "importer disputes your deal"
    assert mail["quote"] == "The car is not as described"
    assert mail["path"] == f"/agent/messages?importer={IDS['importer']}"


@pytest.mark.parametrize(
    "statement",
    [
        "select raise_dispute({invitation}, ' ', 'x')",
        "select raise_dispute({invitation}, 'x', ' ')",
        raising([{"title": "x", "path": f"{IDS['importer']}/nothing.jpg"}]),
        raising([{}] * 6),
    ],
)
async def test_a_dispute_needs_words_and_files_that_are_there(stage: Stage, statement: str) -> None:
    assert await stage.outcome("importer", statement) == "22023"


async def test_nobody_hands_in_a_file_of_somebody_else(stage: Stage) -> None:
    piece = await evidence(stage, "agent")
    assert await stage.outcome("importer", raising([piece])) == "22023"


async def test_only_the_two_sides_and_the_administrator_look_at_the_evidence(stage: Stage) -> None:
    await evidence(stage, "importer")
    look = "select 1 from storage.objects where bucket_id = 'dispute-evidence'"
    found = {who: await stage.outcome(who, look) for who in ("importer", "agent", "admin", "other_agent", "anon")}
    assert found == {"importer": 1, "agent": 1, "admin": 1, "other_agent": 0, "anon": 0}


@pytest.mark.parametrize(
    ("who", "folder", "result"),
    [
        ("importer", "importer", 1),
        ("importer", "agent", "42501"),
        ("other_agent", "other_agent", "42501"),
    ],
)
async def test_a_party_hands_in_files_of_its_own(stage: Stage, who: str, folder: str, result: int | str) -> None:
    name = f"{IDS[folder]}/{await deal(stage)}/photo.jpg"
    statement = f"insert into storage.objects (bucket_id, name) values ('dispute-evidence', '{name}')"
    assert await stage.outcome(who, statement) == result


async def test_a_file_that_is_about_no_deal_is_refused(stage: Stage) -> None:
    for name in (f"{IDS['importer']}/photo.jpg", f"{IDS['importer']}/not-a-deal/photo.jpg"):
        statement = f"insert into storage.objects (bucket_id, name) values ('dispute-evidence', '{name}')"
        assert await stage.outcome("importer", statement) == "42501"


async def test_the_decision_of_the_back_office_is_read_by_both_sides(stage: Stage) -> None:
    await stage.outcome("importer", RAISE % "invitation")
    decide = """select admin_request_action({request}, 'mediate', '{"note": "Half the price back."}')"""
    assert await stage.outcome("admin", decide) == 1
    for who in ("importer", "agent"):
        assert await stage.value(who, "select outcome from disputes") == "Half the price back."
        assert await stage.value(who, "select status from deals where request_id = {request}") == "open"
    dispute = await stage.db.fetchval("select id from disputes")
    assert await stage.outcome("agent", f"select answer_dispute('{dispute}', 'But')") == "P0001"


async def test_a_dispute_of_the_team_is_seen_by_both_sides(stage: Stage) -> None:
    opened = """select admin_request_action({request}, 'open_dispute', '{"note": "We heard of trouble."}')"""
    await stage.outcome("admin", opened)
    await stage.act_as("agent")
    row = await stage.db.fetchrow("select by_team, reason, status from disputes")
    assert tuple(row) == (True, "We heard of trouble.", "open")


async def test_a_deal_without_a_request_comes_to_the_back_office_as_a_ticket(stage: Stage) -> None:
    dispute = await stage.value("other_importer", RAISE % "accepted")
    await stage.value("agent", f"select answer_dispute('{dispute}', 'I sent it.')")
    rows = await stage.value("admin", "select admin_tickets(p_search => 'dispute')")
    (ticket,) = rows["rows"]
    assert ticket["subject"] == "Dispute: The car is not as described"
    assert {message["body"] for message in ticket["messages"]} == {
        "other_importer: It has no engine.",
        "agent: I sent it.",
    }
    for step in ("'escalate'", "'reply', 'Send it again.'", "'resolve'"):
        await stage.value("admin", f"select admin_ticket_action('{ticket['id']}', {step})")
    for who in ("other_importer", "agent"):
        assert await stage.value(who, "select outcome from disputes") == "Send it again."


async def test_a_disputed_request_is_not_deleted(stage: Stage) -> None:
    await stage.outcome("agent", RAISE % "invitation")
    assert await stage.outcome("importer", "delete from car_requests where id = {request}") == "P0001"


COMPLETE = "select complete_request({request}, {invitation}, 27500)"


@pytest.mark.parametrize("who", ["importer", "agent"])
@pytest.mark.parametrize(("days", "result"), [(0, 1), (89, 1), (91, "P0001")])
async def test_a_completed_deal_is_disputed_for_ninety_days(
    stage: Stage, who: str, days: int, result: int | str
) -> None:
    await stage.value("importer", COMPLETE)
    await stage.db.execute(f"update deals set completed_at = now() - interval '{days} days' where status = 'completed'")
    assert await stage.outcome(who, RAISE % "invitation") == result


async def test_a_completed_deal_that_is_disputed_stays_completed(stage: Stage) -> None:
    await stage.value("importer", COMPLETE)
    dispute = await stage.value("importer", RAISE % "invitation")
    assert await stage.value("importer", RAISE % "invitation") == dispute, "pressed twice"
    assert await stage.outcome("agent", f"select answer_dispute('{dispute}', 'It had one.')") == 1
    for who in ("importer", "agent"):
        assert await stage.value(who, "select status from deals where request_id = {request}") == "completed"
    assert await stage.db.fetchval(sql("select status from car_requests where id = {request}")) == "completed"
    assert await stage.db.fetchval(sql(CASE)) == "completed"


async def test_the_back_office_reads_and_settles_the_dispute_of_a_completed_deal(stage: Stage) -> None:
    await stage.value("importer", COMPLETE)
    piece = await evidence(stage, "importer")
    await stage.value("importer", raising([piece]))
    (ticket,) = (await stage.value("admin", "select admin_tickets(p_search => 'dispute')"))["rows"]
    assert ticket["body"] == "A completed deal between agent and importer is disputed."
    assert ticket["priority"] == "high"
    assert ticket["evidence"] == [{**piece, "kind": "image/jpeg"}]
    for step in ("'escalate'", "'reply', 'Half the price back.'", "'resolve'"):
        await stage.value("admin", f"select admin_ticket_action('{ticket['id']}', {step})")
    assert await stage.value("agent", "select outcome from disputes") == "Half the price back."
    assert await stage.db.fetchval(sql("select status from deals where request_id = {request}")) == "completed"


async def test_a_cancelled_deal_is_not_disputed_any_more(stage: Stage) -> None:
    await stage.db.execute("update deals set status = 'cancelled'")
    assert await stage.outcome("agent", RAISE % "invitation") == "P0001"


@pytest.mark.parametrize("who", ["importer", "agent"])
async def test_a_suspended_side_disputes_and_answers_the_own_deals_and_no_others(stage: Stage, who: str) -> None:
    await stage.db.execute(sql(f"update profiles set status = 'suspended' where user_id = {{{who}}}"))
    piece = await evidence(stage, who)
    dispute = await stage.value(who, raising([piece]))
    assert await stage.outcome(who, f"select answer_dispute('{dispute}', 'And it smells.')") == 1
    assert await stage.value(who, "select count(*) from dispute_statements") == 2
    path = f"{IDS[who]}/{await deal(stage)}/more.jpg"
    upload = f"insert into storage.objects (bucket_id, name) values ('dispute-evidence', '{path}')"
    assert await stage.outcome(who, upload) == 1
    assert await stage.outcome("suspended", RAISE % "invitation") == "42501"
    assert await stage.outcome("unconfirmed", RAISE % "invitation") == "42501"


async def test_members_change_no_dispute_by_hand(stage: Stage) -> None:
    await stage.outcome("importer", RAISE % "invitation")
    for statement in ("update disputes set outcome = 'x'", "delete from disputes", "delete from dispute_statements"):
        assert await stage.outcome("importer", statement) == 0
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await stage.value(
            "importer",
            "insert into disputes (deal_id, reason) select id, 'x' from deals returning id",
        )
