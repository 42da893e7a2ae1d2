"""The back office: everybody else is refused, and what the administrator does is done and recorded."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import Stage, sql

CALLS = {
    "admin_overview": "select admin_overview()",
    "admin_activity": "select * from admin_activity(20)",
    "admin_agents": "select admin_agents()",
    "admin_review_agent": "select admin_review_agent({other_agent}, 'approve')",
    "admin_mark_payment": "select admin_mark_payment({other_agent}, 'received', 'T1')",
    "admin_set_account_status": "select admin_set_account_status({agent}, 'suspended', 'Complaints')",
    "admin_set_account_type": "select admin_set_account_type({importer}, 'premium')",
    "admin_importers": "select admin_importers()",
    "admin_requests": "select admin_requests()",
    "admin_request_action": "select admin_request_action({pending_request}, 'approve')",
    "admin_tickets": "select admin_tickets()",
    "admin_ticket_action": "select admin_ticket_action({ticket}, 'assign')",
    "admin_conversations": "select admin_conversations()",
    "admin_conversation_open": "select admin_conversation_open({report})",
    "admin_communication_stats": "select admin_communication_stats()",
    "admin_analytics": "select admin_analytics()",
    "admin_audit": "select admin_audit()",
    "admin_open_document": "select admin_open_document({verification}, 'identity_document', null)",
    "admin_mails": "select admin_mails()",
    "admin_changes": "select admin_changes('agents', '{}', 5)",
    "admin_mail_action": "select admin_mail_action((select min(id) from notification_outbox), 'give_up')",
    "admin_opened_documents": "select * from admin_opened_documents({verification})",
}
ACTIONS = [name for name in CALLS if any(word in name for word in ("review", "mark", "set", "action", "_open"))]
ACTIONS.remove("admin_opened_documents")


async def test_every_admin_function_is_tried_here(stage: Stage) -> None:
    rows = await stage.db.fetch(
        "select proname from pg_proc where proname like 'admin\\_%' and pronamespace = 'public'::regnamespace"
    )
    assert {row["proname"] for row in rows} == set(CALLS)


# PRD-016 GRD-013 GRD-014
@pytest.mark.parametrize("who", ["anon", "agent", "importer", "suspended", "newcomer", "service_role"])
@pytest.mark.parametrize("name", CALLS)
async def test_everybody_but_the_administrator_is_refused(stage: Stage, name: str, who: str) -> None:
    assert await stage.outcome(who, CALLS[name]) == "42501"


@pytest.mark.parametrize("name", CALLS)
async def test_the_administrator_is_served(stage: Stage, name: str) -> None:
    assert isinstance(await stage.outcome("admin", CALLS[name]), int)


# GRD-015
@pytest.mark.parametrize("name", ACTIONS)
async def test_every_action_leaves_an_entry_naming_the_administrator(stage: Stage, name: str) -> None:
    await stage.db.execute("delete from admin_audit_log")
    await stage.outcome("admin", CALLS[name])
    assert await stage.db.fetchval(sql("select count(*) from admin_audit_log where admin_id = {admin}")) == 1


@pytest.mark.parametrize(
    ("decision", "submission", "status"),
    [
        ("approve", "approved", "verified"),
        ("reject", "rejected", "unverified"),
        ("more_info", "more_info", "unverified"),
    ],
)
async def test_a_decision_reaches_submission_and_badge(
    stage: Stage, decision: str, submission: str, status: str
) -> None:
    await stage.outcome("admin", f"select admin_review_agent({{other_agent}}, '{decision}', 'Because')")
    assert await stage.db.fetchval("select status from agent_verifications") == submission
    row = await stage.db.fetchrow(
        "select verification_status, verified_at from profiles where full_name = 'other_agent'"
    )
    assert row["verification_status"] == status
    assert (row["verified_at"] is not None) == (status == "verified")


@pytest.mark.parametrize(
    ("call", "state"),
    [
        ("select admin_review_agent({other_agent}, 'reject')", "22023"),
        ("select admin_review_agent({other_agent}, 'maybe', 'x')", "22023"),
        ("select admin_review_agent({other_agent}, null, 'x')", "22023"),
        ("select admin_review_agent({agent}, 'approve')", "P0002"),
        ("select admin_mark_payment({agent}, 'received')", "P0002"),
        ("select admin_mark_payment({other_agent}, 'lost')", "22023"),
        ("select admin_set_account_status({agent}, 'suspended')", "22023"),
        ("select admin_set_account_status({nobody}, 'active')", "P0002"),
        ("select admin_set_account_status({agent}, null)", "22023"),
        ("select admin_set_account_type({importer}, 'gold')", "22023"),
        ("select admin_set_account_type({nobody}, 'premium')", "P0002"),
        ("select admin_request_action({nobody}, 'approve')", "P0002"),
        ("select admin_request_action({request}, 'approve')", "22023"),
        ("select admin_request_action({pending_request}, 'reject')", "22023"),
        ("select admin_request_action({pending_request}, 'explode', '{\"note\": \"x\"}')", "22023"),
        ("select admin_request_action({request}, 'assign_agent', '{}')", "22023"),
        ("select admin_ticket_action({nobody}, 'assign')", "P0002"),
        ("select admin_ticket_action({ticket}, 'resolve')", "22023"),
        ("select admin_ticket_action({ticket}, 'reply', ' ')", "22023"),
        ("select admin_conversation_open({nobody})", "P0002"),
        ("select admin_analytics('2026-02-01', '2026-01-01')", "22023"),
        ("select admin_analytics('0001-01-01', '2026-01-01')", "22023"),
    ],
)
async def test_what_makes_no_sense_is_refused(stage: Stage, call: str, state: str) -> None:
    assert await stage.outcome("admin", call) == state


async def test_a_suspended_member_can_do_nothing_until_reactivated(stage: Stage) -> None:
    post = "insert into agent_posts (agent_id, car_name, model) values ({agent}, 'Honda', 'Fit')"
    await stage.outcome("admin", CALLS["admin_set_account_status"])
    assert await stage.outcome("agent", post) == "42501"
    assert await stage.outcome("importer", "select 1 from agent_posts") == 0
    await stage.outcome("admin", "select admin_set_account_status({agent}, 'active')")
    assert await stage.outcome("agent", post) == 1
    assert await stage.db.fetchval(sql("select count(*) from account_moderation where user_id = {agent}")) == 0


async def test_agents_are_listed_by_the_status_the_back_office_shows(stage: Stage) -> None:
    answer = await stage.value("admin", "select admin_agents()")
    assert answer["counts"] == {
        "all": 3,
        "verified": 1,
        "pending": 1,
        "payment_pending": 0,
        "suspended": 1,
        "unverified": 0,
    }
    suspended = await stage.value("admin", "select admin_agents(p_status => 'suspended')")
    assert [row["suspension_reason"] for row in suspended["rows"]] == ["Complaints"]
    await stage.outcome("admin", "select admin_mark_payment({other_agent}, 'claimed')")
    waiting = await stage.value("admin", "select admin_agents(p_status => 'payment_pending')")
    assert [row["full_name"] for row in waiting["rows"]] == ["other_agent"]
    assert waiting["rows"][0]["pending_documents"] == ["identity_document", "company_proof"]


@pytest.mark.parametrize(
    ("arguments", "names", "total"),
    [
        ("", ["closed_importer", "importer", "other_importer"], 3),
        ("p_search => 'OTHER'", ["other_importer"], 1),
        ("p_status => 'business'", [], 0),
        ("p_limit => 0", [], 3),
        ("p_limit => -1", [], 3),
        ("p_limit => 1, p_offset => 99", [], 3),
    ],
)
async def test_lists_search_filter_and_page(stage: Stage, arguments: str, names: list[str], total: int) -> None:
    answer = await stage.value("admin", f"select admin_importers({arguments})")
    assert sorted(row["full_name"] for row in answer["rows"]) == names
    assert answer["total"] == total


async def test_an_importer_who_was_long_away_is_shown_as_inactive(stage: Stage) -> None:
    await stage.db.execute(
        sql("update auth.users set last_sign_in_at = now() - interval '91 days' where id = {importer}")
    )
    answer = await stage.value("admin", "select admin_importers(p_status => 'inactive')")
    assert [row["full_name"] for row in answer["rows"]] == ["importer"]


async def case_of(stage: Stage, request: str) -> Any:
    return await stage.db.fetchrow(sql(f"select * from request_cases where request_id = {{{request}}}"))


async def test_approving_a_request_makes_it_active(stage: Stage) -> None:
    await stage.outcome("admin", CALLS["admin_request_action"])
    assert await stage.db.fetchval(sql("select status from car_requests where id = {pending_request}")) == "active"


async def test_assigning_an_agent_invites_the_importer(stage: Stage) -> None:
    call = "select admin_request_action({request}, 'assign_agent', jsonb_build_object('agent_id', {other_agent}))"
    assert await stage.outcome("admin", call) == 1
    invited = await stage.db.fetchval(
        sql("select count(*) from invitations where agent_id = {other_agent} and request_id = {request}")
    )
    assert invited == 1
    assert str((await case_of(stage, "request"))["assigned_agent_id"]) == sql("{other_agent}").split("'")[1]


async def test_a_dispute_is_opened_looked_at_and_mediated(stage: Stage) -> None:
    await stage.outcome("importer", "update invitations set status = 'accepted' where id = {invitation}")
    act = "select admin_request_action({request}, '%s', '%s')"
    await stage.value("admin", act % ("open_dispute", '{"note": "Wrong mileage", "evidence": [{"title": "Photo"}]}'))
    assert await stage.db.fetchval(sql("select status from deals where invitation_id = {invitation}")) == "disputed"
    seen = await stage.value("admin", act % ("view_evidence", "{}"))
    assert (seen["dispute_reason"], seen["evidence"]) == ("Wrong mileage", [{"title": "Photo"}])
    await stage.value("admin", act % ("contact_parties", '{"note": "Please answer"}'))
    told = await stage.db.fetch(
        "select distinct user_id from notification_outbox where kind = 'request_contact_parties'"
    )
    assert len(told) == 2
    await stage.value("admin", act % ("mediate", '{"note": "Agreed on a discount"}'))
    assert (await case_of(stage, "request"))["status"] == "in_progress"
    assert await stage.db.fetchval(sql("select status from deals where invitation_id = {invitation}")) == "open"
    assert [note["action"] for note in (await case_of(stage, "request"))["notes"]] == [
        "open_dispute",
        "contact_parties",
        "mediate",
    ]


async def test_a_ticket_goes_its_way(stage: Stage) -> None:
    act = "select admin_ticket_action({ticket}, '%s', %s)"
    steps = [("assign", "null", "in_progress"), ("request_info", "'Which phone?'", "waiting_response")]
    for action, text, status in steps:
        assert await stage.value("admin", act % (action, text)) == status
    assert await stage.outcome("importer", "select 1 from ticket_messages") == 2
    await stage.outcome(
        "importer", "insert into ticket_messages (ticket_id, author_id, body) values ({ticket}, {importer}, 'This')"
    )
    assert await stage.value("admin", act % ("resolve", "null")) == "resolved"
    answer = await stage.value("admin", "select admin_tickets(p_status => 'resolved')")
    assert sorted(message["from_member"] for message in answer["rows"][0]["messages"]) == [False, True, True]


async def test_conversations_show_no_contents_until_reported(stage: Stage) -> None:
    listed = await stage.value("admin", "select admin_conversations()")
    assert "Hello" not in str(listed)
    assert [row["messages"] for row in listed["rows"]] == [1]
    opened = await stage.value("admin", CALLS["admin_conversation_open"])
    assert [message["content"] for message in opened["messages"]] == ["Hello"]


async def test_a_closed_report_opens_nothing(stage: Stage) -> None:
    await stage.db.execute("update conversation_reports set status = 'closed'")
    assert await stage.outcome("admin", CALLS["admin_conversation_open"]) == "P0002"


async def test_analytics_count_completed_deals_of_the_window(stage: Stage) -> None:
    await stage.outcome("importer", "update invitations set status = 'accepted' where id = {invitation}")
    await stage.value("importer", "select complete_request({request}, {invitation}, 27500, 4)")
    today = await stage.value("admin", "select admin_analytics(current_date, current_date)")
    assert today["summary"]["total_revenue"] == 27500
    assert today["summary"]["transaction_volume"] == 1
    assert [(row["category"], row["value"]) for row in today["by_category"] if row["value"]] == [("Classic JDM", 27500)]
    assert [row["name"] for row in today["top_agents"]] == ["agent"]
    assert [(row["name"], row["satisfaction"]) for row in today["top_importers"]] == [("importer", 4)]
    before = await stage.value("admin", "select admin_analytics(current_date - 9, current_date - 1)")
    assert before["summary"]["total_revenue"] == 0
