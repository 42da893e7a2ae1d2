"""A notification mail carries what it is about, in the product's name, and a way to stop such mails."""

from __future__ import annotations

import asyncpg
import pytest
from minato.mail.email import Email
from minato.mail.mailer import render_message

from tests.integration.jobs.test_mail_queue import SITE, Worker, mails, queue
from tests.integration.marketplace.cast import sql

__all__ = ["mails", "queue"]


async def only_mail(db: asyncpg.Connection, mails: Worker, statement: str) -> Email:
    """The one mail that `statement` brings about."""
    await db.execute(sql(statement))
    await mails.delivering.drain()
    (mail,) = mails.sent
    return mail


async def test_a_mail_about_a_message_quotes_it_and_cuts_a_long_one(queue: asyncpg.Connection, mails: Worker) -> None:
    write = "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, "
    mail = await only_mail(queue, mails, write + "'Is it <b>sold</b>? {who}' || repeat(' or not', 200))")
    assert "Is it &lt;b&gt;sold&lt;/b&gt;? {who} or not" in mail.html
    assert mail.html.count(" or not") < 120
    assert "…" in mail.text


async def test_a_mail_about_a_request_names_the_car_the_budget_and_the_port(
    queue: asyncpg.Connection, mails: Worker
) -> None:
    mail = await only_mail(
        queue,
        mails,
        "insert into car_requests (importer_id, car_make, car_model, year_range, budget_min, budget_max, shipping_port)"
        " values ({importer}, 'Toyota', 'Aqua', '2015-2019', 5000, 8000.5, 'Mombasa')",
    )
    for fact in ("Car: Toyota Aqua", "Year: 2015-2019", "Budget: $5,000 to $8,000.5", "Destination port: Mombasa"):
        assert fact in mail.text
    assert "Mombasa" in mail.html


async def test_a_mail_about_an_invitation_quotes_it_and_names_the_car(queue: asyncpg.Connection, mails: Worker) -> None:
    await queue.execute(sql("delete from invitations"))
    mail = await only_mail(
        queue,
        mails,
        "insert into invitations (agent_id, importer_id, request_id, message)"
        " values ({agent}, {importer}, {request}, 'I have two of them.')",
    )
    assert "> I have two of them." in mail.text
    assert "Car: Nissan Skyline GT-R R33" in mail.text


async def test_a_mail_about_an_answer_to_an_invitation_quotes_the_answer(
    queue: asyncpg.Connection, mails: Worker
) -> None:
    mail = await only_mail(
        queue,
        mails,
        "update invitations set status = 'accepted', response_message = 'Gladly, call me.' where id = {invitation}",
    )
    assert "> Gladly, call me." in mail.text


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("account_suspended", '{"reason": "Three complaints"}'),
        ("verification_reject", '{"note": "Three complaints"}'),
        ("ticket_answer", '{"quote": "Three complaints"}'),
    ],
)
async def test_a_mail_of_the_team_gives_its_words_and_says_who_wrote(
    queue: asyncpg.Connection, mails: Worker, kind: str, payload: str
) -> None:
    mail = await only_mail(queue, mails, f"select private.notify_member({{agent}}, '{kind}', '{payload}')")
    assert "> Three complaints" in mail.text
    assert "Sent by the Minato team." in mail.text


async def test_a_notification_may_bring_its_own_facts_and_items(queue: asyncpg.Connection, mails: Worker) -> None:
    payload = '{"facts": [["Since", "Monday"]], "items": [{"title": "Aqua", "text": "$5,000", "path": "/agent/feed"}]}'
    mail = await only_mail(queue, mails, f"select private.notify_member({{agent}}, 'request', '{payload}')")
    assert "Since: Monday" in mail.text
    assert f"Aqua\n$5,000\n{SITE}/agent/feed" in mail.text
    assert f'href="{SITE}/agent/feed"' in mail.html


async def test_every_mail_carries_the_name_and_leads_to_where_it_can_be_stopped(
    queue: asyncpg.Connection, mails: Worker
) -> None:
    mail = await only_mail(queue, mails, "select private.notify_member({importer}, 'account_active', '{}')")
    settings = f"{SITE}/importer/settings#notifications"
    assert f'href="{settings}"' in mail.html
    assert f"Choose which mails you get: {settings}" in mail.text
    assert render_message(mail)["List-Unsubscribe"] == f"<{settings}>"
    assert "prefers-color-scheme: dark" in mail.html
    assert "Minato" in mail.html


async def test_a_text_that_announces_something_ends_in_a_full_stop_where_nothing_follows(
    queue: asyncpg.Connection, mails: Worker
) -> None:
    mail = await only_mail(queue, mails, "select private.notify_member({importer}, 'ticket_answer', '{}')")
    assert "Our team has answered your question.\n" in mail.text
