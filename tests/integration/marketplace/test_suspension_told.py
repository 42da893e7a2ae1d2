"""A suspension is told: to the member with its reason, to others in a sentence, and to every open page."""

from __future__ import annotations

import asyncpg
import pytest

from tests.integration.marketplace.cast import Stage, sql

HOW = "select is_suspended from member_standing where user_id = {agent}"
SUSPEND = "select admin_set_account_status({agent}, 'suspended', 'Complaints about payments')"
LIFT = "select admin_set_account_status({agent}, 'active')"
OPEN_TICKET = (
    "insert into support_tickets (user_id, subject, body, category) values ({%s}, 'Please', 'Look again', '%s')"
)


async def refusal(stage: Stage, who: str, statement: str) -> tuple[str, str | None]:
    """The sentence a statement is refused with, and the hint for screens."""
    await stage.act_as(who)
    with pytest.raises(asyncpg.InsufficientPrivilegeError) as caught:
        async with stage.db.transaction():
            await stage.db.execute(sql(statement))
    await stage.db.execute("reset role")
    return caught.value.args[0], caught.value.hint


async def test_a_suspended_member_is_told_why_and_since_when(stage: Stage) -> None:
    assert await stage.outcome("agent", "select * from own_suspension()") == 0
    await stage.outcome("admin", SUSPEND)
    assert await stage.value("agent", "select reason from own_suspension()") == "Complaints about payments"
    assert await stage.value("agent", "select since is not null from own_suspension()") is True
    assert await stage.outcome("importer", "select * from own_suspension()") == 0
    await stage.outcome("admin", LIFT)
    assert await stage.outcome("agent", "select * from own_suspension()") == 0


async def test_a_suspension_and_its_end_are_news_for_every_member(stage: Stage) -> None:
    await stage.outcome("admin", SUSPEND)
    for who in ("agent", "importer", "admin"):
        assert await stage.value(who, HOW) is True
    for who in ("anon", "unconfirmed"):
        assert await stage.outcome(who, HOW) == 0
    await stage.outcome("admin", LIFT)
    assert await stage.value("importer", HOW) is False
    for statement in ("delete from member_standing", "update member_standing set is_suspended = true"):
        assert await stage.outcome("importer", statement) == 0


@pytest.mark.parametrize(
    "statement",
    [
        "update profiles set bio = 'Call me' where user_id = {suspended}",
        "insert into agent_posts (agent_id, car_name, model) values ({suspended}, 'Honda', 'Fit')",
        "insert into messages (sender_id, receiver_id, content) values ({suspended}, {importer}, 'Hello')",
        "insert into invitations (agent_id, importer_id) values ({suspended}, {importer})",
        "insert into follows values ({suspended}, {agent})",
        "select report_conversation({importer}, 'Rude')",
    ],
)
async def test_a_suspended_member_is_refused_in_a_sentence(stage: Stage, statement: str) -> None:
    said, hint = await refusal(stage, "suspended", statement)
    assert said == "Your account is suspended. You can read everything, and write to our team."
    assert hint == "account_suspended"


async def test_nobody_writes_to_a_suspended_member(stage: Stage) -> None:
    write = "insert into messages (sender_id, receiver_id, content) values ({importer}, {suspended}, 'Hello')"
    said, hint = await refusal(stage, "importer", write)
    assert (said, hint) == ("This member is suspended and cannot be written to.", "member_suspended")
    assert await stage.outcome("importer", write.replace("{suspended}", "{agent}")) == 1


async def test_nobody_invites_a_suspended_importer(stage: Stage) -> None:
    invite = "insert into invitations (agent_id, importer_id, message) values ({other_agent}, {importer}, 'Hello')"
    assert await stage.outcome("other_agent", invite) == 1
    await stage.outcome("admin", "select admin_set_account_status({importer}, 'suspended', 'Fake')")
    said, hint = await refusal(stage, "other_agent", invite.replace("'Hello'", "'Again'"))
    assert (said, hint) == ("This member is suspended and cannot be invited.", "member_suspended")


async def test_an_invitation_of_a_suspended_agent_is_declined_but_not_accepted(stage: Stage) -> None:
    await stage.outcome("admin", SUSPEND)
    answer = "update invitations set status = '%s' where id = {invitation}"
    said, hint = await refusal(stage, "importer", answer % "accepted")
    assert (said, hint) == ("This agent is suspended. The invitation cannot be accepted.", "member_suspended")
    assert await stage.db.fetchval("select count(*) from deals where status = 'open'") == 1
    assert await stage.outcome("importer", answer % "declined") == 1


async def test_a_suspended_member_has_one_open_appeal(stage: Stage) -> None:
    assert await stage.outcome("suspended", OPEN_TICKET % ("suspended", "deal")) == 1
    appeal = "select category from support_tickets where user_id = {suspended}"
    assert await stage.value("suspended", appeal) == "appeal"
    assert await stage.outcome("suspended", OPEN_TICKET % ("suspended", "general")) == "23505"
    await stage.db.execute("update support_tickets set status = 'resolved'")
    assert await stage.outcome("suspended", OPEN_TICKET % ("suspended", "general")) == 1


async def test_a_ticket_of_anybody_else_is_no_appeal(stage: Stage) -> None:
    for _ in range(2):
        assert await stage.outcome("agent", OPEN_TICKET % ("agent", "appeal")) == 1
    assert await stage.value("agent", "select min(category) from support_tickets") == "account"


CHANGED = "select count(*) from standing_changes({seconds}) where is_suspended and user_id = {agent}"


async def test_a_page_that_had_no_line_asks_whose_standing_changed(stage: Stage) -> None:
    await stage.outcome("admin", SUSPEND)
    for who, heard in (("importer", 1), ("agent", 1), ("admin", 1), ("unconfirmed", 0)):
        assert await stage.value(who, CHANGED.replace("{seconds}", "0")) == heard
    await stage.db.execute("update member_standing set changed_at = now() - interval '1 hour'")
    assert await stage.value("importer", CHANGED.replace("{seconds}", "60")) == 0
    assert await stage.value("importer", CHANGED.replace("{seconds}", "3600")) == 1
    for odd in ("null", "-1", "2147483647"):
        assert await stage.outcome("importer", f"select * from standing_changes({odd})") != "22008"
    assert await stage.outcome("anon", "select * from standing_changes(9)") == "42501"
