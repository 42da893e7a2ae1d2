"""Tickets from the member's side: answering, opening again, and the answer in the mail."""

from __future__ import annotations

import pytest

from tests.integration.marketplace.cast import Stage, sql

ANSWER = "insert into ticket_messages (ticket_id, author_id, body) values ({ticket}, {importer}, 'It is back')"
STATUS = "select status from support_tickets where id = {ticket}"


async def step(stage: Stage, action: str, text: str | None = None) -> None:
    said = "null" if text is None else f"'{text}'"
    await stage.value("admin", f"select admin_ticket_action({{ticket}}, '{action}', {said})")


@pytest.mark.parametrize(
    ("steps", "becomes"),
    [
        ([], "open"),
        (["assign", "request_info"], "in_progress"),
        (["escalate"], "escalated"),
        (["assign", "resolve"], "in_progress"),
        (["escalate", "resolve"], "open"),
    ],
)
async def test_an_answer_of_the_member_moves_the_ticket(stage: Stage, steps: list[str], becomes: str) -> None:
    for action in steps:
        await step(stage, action, "Tell us more" if action == "request_info" else None)
    assert await stage.outcome("importer", ANSWER) == 1
    assert await stage.value("importer", STATUS) == becomes


async def test_an_answer_moves_the_ticket_to_the_top(stage: Stage) -> None:
    await stage.db.execute("alter table support_tickets disable trigger set_updated_at")
    await stage.db.execute("update support_tickets set updated_at = '2020-01-01'")
    await stage.db.execute("alter table support_tickets enable trigger set_updated_at")
    await stage.outcome("importer", ANSWER)
    assert await stage.value("importer", "select updated_at >= now() from support_tickets where id = {ticket}")


async def test_the_mail_carries_the_answer_and_leads_to_the_ticket(stage: Stage) -> None:
    await stage.db.execute("delete from notification_outbox")
    await step(stage, "assign")
    await step(stage, "request_info", "Which car was it?")
    mail = await stage.db.fetchval("select private.next_mail()")
    assert mail["quote"] == "Which car was it?"
    assert mail["facts"] == [["Your question", "Help"]]
    assert mail["path"] == sql("/importer/settings/support/{ticket}").replace("'", "").replace("::uuid", "")


async def test_what_a_member_says_is_said_now(stage: Stage) -> None:
    await stage.outcome(
        "importer",
        "insert into ticket_messages (ticket_id, author_id, body, created_at)"
        " values ({ticket}, {importer}, 'Long ago', '2001-01-01')",
    )
    assert await stage.value("importer", "select max(created_at) >= now() from ticket_messages")
    assert await stage.outcome("importer", "select 1 from ticket_messages where created_at < '2002-01-01'") == 0


@pytest.mark.parametrize("who", ["agent", "other_importer", "anon"])
async def test_strangers_neither_read_nor_answer_a_ticket(stage: Stage, who: str) -> None:
    assert await stage.outcome(who, "select 1 from ticket_messages where ticket_id = {ticket}") == 0
    if who != "anon":
        assert await stage.outcome(who, ANSWER.replace("{importer}", "{" + who + "}")) == "42501"
