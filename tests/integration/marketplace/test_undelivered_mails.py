"""Mails that could not be delivered: the administrator sees each, sends it again or gives it up; nobody else does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import Stage, sql

QUEUE = """insert into notification_outbox (user_id, channel, kind, payload, attempts, error, due_at, tried_at) values
    ({agent}, 'email', 'message', jsonb_build_object('sender_id', {importer}), 8, 'No such user', 'infinity', now()),
    ({importer}, 'email', 'account_active', '{}', 2, 'Timed out', now() + interval '4 minutes', now()),
    ({agent}, 'sms', 'message', '{}', 1, 'No sender', 'infinity', null),
    ({agent}, 'email', 'account_active', '{}', 0, null, now(), null)"""


@pytest.fixture
async def stage(stage: Stage) -> Stage:
    await stage.db.execute("delete from notification_outbox; delete from admin_audit_log")
    await stage.db.execute(sql(QUEUE))
    return stage


async def listed(stage: Stage, arguments: str = "") -> dict[str, Any]:
    answer: dict[str, Any] = await stage.value("admin", f"select admin_mails({arguments})")
    return answer


async def mail_of(stage: Stage, who: str) -> int:
    found = "select min(id) from notification_outbox where error is not null and channel = 'email' and user_id = {%s}"
    return int(await stage.db.fetchval(sql(found % who)))


async def press(stage: Stage, step: str, who: str = "agent", by: str = "admin") -> int | str:
    return await stage.outcome(by, f"select admin_mail_action({await mail_of(stage, who)}, '{step}')")


async def test_the_list_says_to_whom_about_what_how_often_tried_and_why_not(stage: Stage) -> None:
    answer = await listed(stage)
    assert answer["counts"] == {"all": 2, "stopped": 1, "waiting": 1, "given_up": 0}
    first, second = answer["rows"]
    assert (first["full_name"], first["email"], first["subject"]) == (
        "agent", "agent@minato.example", "New message from importer",
    )  # fmt: skip
    assert (first["status"], first["attempts"], first["error"], first["due_at"]) == ("stopped", 8, "No such user", None)
    assert (second["full_name"], second["status"], second["attempts"]) == ("importer", "waiting", 2)


@pytest.mark.parametrize("order", ["to", "subject", "queued", "tried", "attempts", "status"])
@pytest.mark.parametrize("descending", ["false", "true"])
async def test_the_list_is_ordered_by_each_column_and_read_page_by_page(
    stage: Stage, order: str, descending: str
) -> None:
    asked = f"p_order => '{order}', p_descending => {descending}, p_limit => 1"
    first = await listed(stage, asked)
    second = await listed(stage, f"{asked}, p_after => '{first['next']}'")
    assert {first["rows"][0]["full_name"], second["rows"][0]["full_name"]} == {"agent", "importer"}
    assert second["next"] is None


async def test_the_list_is_searched_and_has_tabs(stage: Stage) -> None:
    for arguments in ("p_search => 'agent@'", "p_search => 'message from'", "p_status => 'stopped'"):
        assert [row["full_name"] for row in (await listed(stage, arguments))["rows"]] == ["agent"]
    assert await stage.outcome("admin", "select admin_mails(p_order => 'payload')") == "22023"


async def test_a_mail_that_is_sent_again_goes_out_and_leaves_the_list(stage: Stage) -> None:
    assert await press(stage, "send_again") == 1
    await stage.db.execute("delete from notification_outbox where error is null")
    mail = await stage.db.fetchval("select private.next_mail()")
    assert mail["to"] == "agent@minato.example"
    await stage.db.execute("select private.mail_done($1, null)", mail["id"])
    assert [row["full_name"] for row in (await listed(stage))["rows"]] == ["importer"]
    assert await stage.outcome("admin", f"select admin_mail_action({mail['id']}, 'send_again')") == "P0001"


async def test_a_mail_that_fails_again_waits_for_the_administrator_again(stage: Stage) -> None:
    await press(stage, "send_again")
    mail = await mail_of(stage, "agent")
    await stage.db.execute("select private.mail_done($1, 'No such user')", mail)
    row = (await listed(stage, f"p_id => '{mail}'"))["rows"][0]
    assert (row["status"], row["attempts"]) == ("stopped", 9)


async def test_a_mail_that_was_given_up_is_not_sent_nor_counted_among_what_waits(stage: Stage) -> None:
    for who in ("agent", "importer"):
        assert await press(stage, "give_up", who) == 1
    await stage.db.execute("delete from notification_outbox where error is null")
    assert await stage.db.fetchval("select private.next_mail()") is None
    assert (await listed(stage))["counts"]["given_up"] == 2
    alerts = (await stage.value("admin", "select admin_overview()"))["alerts"]
    assert "undelivered_notifications" not in {alert["kind"] for alert in alerts}
    assert await press(stage, "send_again") == 1, "one can think better of it"


async def test_the_alert_counts_what_the_list_shows(stage: Stage) -> None:
    alerts = (await stage.value("admin", "select admin_overview()"))["alerts"]
    counts = {alert["kind"]: alert["count"] for alert in alerts}
    assert counts["undelivered_notifications"] == 2


async def test_a_mail_on_its_way_is_left_alone(stage: Stage) -> None:
    await stage.db.execute("update notification_outbox set due_at = now() where error = 'Timed out'")
    await stage.db.execute("update notification_outbox set due_at = 'infinity' where error is null")
    assert (await stage.db.fetchval("select private.next_mail()"))["to"] == "importer@minato.example"
    for step in ("send_again", "give_up"):
        assert await press(stage, step, "importer") == "P0001"


async def test_who_wants_no_such_mails_is_not_sent_one_again(stage: Stage) -> None:
    token = await stage.db.fetchval(sql("select private.mail_token({agent}, 'messages')"))
    await stage.value("anon", f"select choose_mail('{token}')")
    assert await press(stage, "send_again") == "P0001"
    assert await press(stage, "give_up") == 1


async def test_each_step_is_in_the_record_once(stage: Stage) -> None:
    for step in ("give_up", "give_up", "send_again", "send_again"):
        assert await press(stage, step) == 1, "pressed twice"
    entries = (await stage.value("admin", "select admin_audit(p_descending => false)"))["rows"]
    assert [(entry["action"], entry["target"]) for entry in entries] == [
        ("mail_give_up", "agent"),
        ("mail_send_again", "agent"),
    ]


@pytest.mark.parametrize("who", ["anon", "agent", "importer", "suspended", "newcomer", "service_role"])
async def test_nobody_else_sees_or_moves_mails(stage: Stage, who: str) -> None:
    assert await stage.outcome(who, "select admin_mails()") == "42501"
    for step in ("send_again", "give_up"):
        assert await press(stage, step, by=who) == "42501"


async def test_what_is_no_mail_and_no_step_is_refused(stage: Stage) -> None:
    assert await press(stage, "burn") == "22023"
    assert await stage.outcome("admin", "select admin_mail_action(0, 'give_up')") == "P0002"
