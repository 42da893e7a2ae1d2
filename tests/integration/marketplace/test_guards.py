"""Columns nobody may change from outside, values nobody may choose, and the triggers that keep rows in step."""

from __future__ import annotations

import json

import asyncpg
import pytest

from tests.integration.marketplace.cast import Stage, sql

GUARDED = [
    ("agent", "profiles", "user_type", "'importer'", "user_id = {agent}"),
    ("agent", "profiles", "user_id", "{nobody}", "user_id = {agent}"),
    ("agent", "profiles", "created_at", "'2001-01-01'", "user_id = {agent}"),
    ("other_agent", "profiles", "verification_status", "'verified'", "user_id = {other_agent}"),
    ("other_agent", "profiles", "verified_at", "now()", "user_id = {other_agent}"),
    ("suspended", "profiles", "status", "'active'", "user_id = {suspended}"),
    ("importer", "profiles", "account_type", "'premium'", "user_id = {importer}"),
    ("importer", "notification_preferences", "user_id", "{nobody}", "user_id = {importer}"),
    ("agent", "agent_posts", "agent_id", "{other_agent}", "id = {post}"),
    ("agent", "agent_posts", "created_at", "now() + interval '1 year'", "id = {post}"),
    ("importer", "car_requests", "importer_id", "{other_importer}", "id = {request}"),
    ("importer", "car_requests", "created_at", "'2001-01-01'", "id = {request}"),
    ("importer", "car_requests", "status", "'completed'", "id = {request}"),
    ("importer", "invitations", "message", "'other words'", "id = {invitation}"),
    ("importer", "invitations", "agent_id", "{other_agent}", "id = {invitation}"),
    ("importer", "invitations", "request_id", "null", "id = {invitation}"),
    ("importer", "messages", "content", "'other words'", "id = {message}"),
    ("importer", "messages", "sender_id", "{importer}", "id = {message}"),
    ("other_importer", "reviews", "reviewed_id", "{other_agent}", "id = {review}"),
    ("other_importer", "reviews", "reviewer_id", "{importer}", "id = {review}"),
    ("admin", "app_settings", "key", "'other'", "key = 'fee_pkr'"),
]


@pytest.mark.parametrize(
    ("who", "table", "column", "value", "which"),
    [pytest.param(*case, id=f"{case[1]}.{case[2]}") for case in GUARDED],
)
async def test_a_guarded_column_is_refused_by_name(
    stage: Stage, who: str, table: str, column: str, value: str, which: str
) -> None:
    await stage.act_as(who)
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match=f'Column "{column}" of "{table}" cannot be changed'):
        await stage.db.execute(sql(f"update {table} set {column} = {value} where {which}"))


async def test_the_service_role_is_not_bound_by_guards(stage: Stage) -> None:
    statement = "update profiles set verification_status = 'verified' where user_id = {other_agent}"
    assert await stage.outcome("service_role", statement) == 1


async def test_a_setting_made_by_the_caller_opens_no_guard(stage: Stage) -> None:
    await stage.act_as("other_agent")
    await stage.db.execute("set local role authenticated")
    await stage.db.execute("select set_config('minato.admin_email', 'other_agent@minato.example', true)")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await stage.db.execute(
            sql("update profiles set verification_status = 'verified' where user_id = {other_agent}")
        )


FORCED = [
    (
        "newcomer",
        "insert into profiles (user_id, user_type, verification_status, account_type)"
        " values ({newcomer}, 'agent', 'verified', 'premium')"
        " returning verification_status || ' ' || account_type",
        "unverified standard",
    ),
    (
        "importer",
        "insert into car_requests (importer_id, car_make, car_model,"
        " status) values ({importer}, 'Honda', 'Fit', 'completed')"
        " returning status",
        "active",
    ),
    (
        "other_agent",
        "insert into invitations (agent_id, importer_id, status) values"
        " ({other_agent}, {importer}, 'accepted') returning status",
        "sent",
    ),
    (
        "importer",
        "insert into messages (sender_id, receiver_id, content, created_at)"
        " values ({importer}, {agent}, 'Hi', '2001-01-01')"
        " returning (created_at = now())::text",
        "true",
    ),
    (
        "importer",
        "insert into support_tickets (user_id, subject, body, status, priority)"
        " values ({importer}, 'a', 'b', 'resolved', 'urgent')"
        " returning status || ' ' || priority",
        "open medium",
    ),
    (
        "agent",
        "insert into agent_posts (agent_id, car_name, model, created_at) values ({agent}, 'a', 'b', '2099-01-01')"
        " returning (created_at = now())::text",
        "true",
    ),
]


@pytest.mark.parametrize(("who", "statement", "kept"), [pytest.param(*case, id=case[1][:40]) for case in FORCED])
async def test_what_a_member_may_not_choose_is_set_to_its_default(
    stage: Stage, who: str, statement: str, kept: str
) -> None:
    assert await stage.value(who, statement) == kept


async def sign_up(stage: Stage, metadata: str) -> str | None:
    """The kind of the profile an account with these metadata gets."""
    await stage.db.execute(
        "insert into auth.users (id, email, raw_user_meta_data) values ($1, 'new@x.example', $2)",
        "00000000-0000-4000-8000-000000000001",
        json.loads(metadata),
    )
    kind: str | None = await stage.db.fetchval(
        "select user_type from profiles where user_id::text like '00000000-0000-4%'"
    )
    return kind


# PRD-002 DAT-005 GRD-012
@pytest.mark.parametrize(
    ("metadata", "kind"),
    [
        ('{"role": "agent"}', "agent"),
        ('{"user_type": "importer"}', "importer"),
        ('{"user_type": "importer", "role": "agent"}', "importer"),
        ('{"role": "admin"}', None),
        ('{"user_type": "admin", "role": "agent"}', None),
        ("{}", None),
    ],
)
async def test_signing_up_makes_the_profile_the_metadata_name(stage: Stage, metadata: str, kind: str | None) -> None:
    assert await sign_up(stage, metadata) == kind


# DAT-001 DAT-004 DAT-005
async def test_a_new_profile_keeps_what_was_said_at_sign_up(stage: Stage) -> None:
    await sign_up(
        stage,
        '{"role": "importer", "full_name": "Ann", "country": "JM", "city": "Kingston",'
        ' "phone": "123", "company_name": "C"}',
    )
    row = await stage.db.fetchrow("select *, private.phone_of(user_id) as number from profiles where full_name = 'Ann'")
    assert (row["country"], row["city"], row["number"], row["company_name"]) == ("JM", "Kingston", "123", "C")
    preferences = await stage.db.fetchrow("select * from notification_preferences where user_id = $1", row["user_id"])
    assert (preferences["email"], preferences["sms"], preferences["new_request_alerts"]) == (True, False, True)


# ADE-035
async def test_the_configured_address_becomes_administrator_when_it_is_given_the_role(stage: Stage) -> None:
    await stage.db.execute("insert into minato.operator_settings values ('admin_email', '\"Boss@x.example\"')")
    await stage.db.execute(
        "insert into auth.users (id, email, raw_app_meta_data) values (gen_random_uuid(),"
        " 'boss@x.example', '{\"provider\": \"email\"}')"
    )
    read = "select raw_app_meta_data from auth.users where email = 'boss@x.example'"
    assert await stage.db.fetchval(read) == {"provider": "email"}
    grant = "select minato.grant_admin_role(id) from auth.users where email = 'boss@x.example'"
    assert await stage.db.fetchval(grant) is False
    await stage.db.execute("update auth.users set email_confirmed_at = now() where email = 'boss@x.example'")
    assert await stage.db.fetchval(read) == {"provider": "email"}
    assert await stage.db.fetchval(grant) is True
    assert await stage.db.fetchval(read) == {"provider": "email", "role": "admin"}


async def test_an_address_configured_later_makes_nobody_administrator_by_itself(stage: Stage) -> None:
    await stage.db.execute("insert into minato.operator_settings values ('admin_email', '\"agent@minato.example\"')")
    role = "select raw_app_meta_data ->> 'role' from auth.users where email = 'agent@minato.example'"
    assert await stage.db.fetchval(role) is None
    assert await stage.db.fetchval("select private.setting('admin_email') #>> '{}'") == "agent@minato.example"


async def test_what_the_operator_configured_goes_before_what_is_stored(stage: Stage) -> None:
    asked = "select (public_config() ->> 'demo_mode', private.setting('fee_pkr'))::text"
    assert await stage.db.fetchval(asked) == "(false,2000)"
    await stage.db.execute("insert into minato.operator_settings values ('demo_mode', 'true'), ('fee_pkr', '1')")
    assert await stage.db.fetchval(asked) == "(true,2000)", "the fee is the administrator's"


async def test_nobody_configures_through_the_api(stage: Stage) -> None:
    for who in ("anon", "agent", "admin", "service_role"):
        assert await stage.outcome(who, "insert into minato.operator_settings values ('demo_mode', 'true')") == "42501"
        assert await stage.outcome(who, "select minato.grant_admin_role({agent})") == "42501"


async def test_accepting_opens_a_deal_at_the_middle_of_the_budget_and_moves_the_case_on(stage: Stage) -> None:
    await stage.outcome("importer", "update invitations set status = 'accepted' where id = {invitation}")
    deal = await stage.db.fetchrow(sql("select * from deals where invitation_id = {invitation}"))
    assert (deal["status"], deal["value_usd"], deal["category"], deal["country"]) == (
        "open",
        25000,
        "Classic JDM",
        "JP",
    )
    case = await stage.db.fetchrow(sql("select * from request_cases where request_id = {request}"))
    assert case["status"] == "in_progress"
    assert case["assigned_agent_id"] == deal["agent_id"]
    answered = await stage.db.fetchval(sql("select responded_at = now() from invitations where id = {invitation}"))
    assert answered


@pytest.mark.parametrize(
    ("case", "request_status"),
    [
        ("pending_approval", "pending"),
        ("in_progress", "active"),
        ("disputed", "active"),
        ("completed", "completed"),
        ("cancelled", "expired"),
    ],
)
async def test_a_request_follows_its_case(stage: Stage, case: str, request_status: str) -> None:
    await stage.db.execute(sql(f"update request_cases set status = '{case}' where request_id = {{request}}"))
    assert await stage.db.fetchval(sql("select status from car_requests where id = {request}")) == request_status


@pytest.mark.parametrize(
    ("request_status", "case"), [("pending", "pending_approval"), ("completed", "completed"), ("expired", "cancelled")]
)
async def test_a_case_follows_its_request(stage: Stage, request_status: str, case: str) -> None:
    await stage.db.execute(sql(f"update car_requests set status = '{request_status}' where id = {{request}}"))
    assert await stage.db.fetchval(sql("select status from request_cases where request_id = {request}")) == case


# IPR-028
async def test_a_new_request_whose_status_is_not_sent_is_active(stage: Stage) -> None:
    made = "insert into car_requests (importer_id, car_make, car_model) values ({importer}, 'Honda', 'Fit')"
    assert await stage.value("importer", f"{made} returning status") == "active"


# IPR-028
async def test_new_requests_wait_for_approval_where_they_are_reviewed(stage: Stage) -> None:
    await stage.db.execute("update app_settings set value = 'true' where key = 'review_new_requests'")
    made = (
        "insert into car_requests (importer_id, car_make, car_model)"
        " values ({importer}, 'Honda', 'Fit') returning status"
    )
    assert await stage.value("importer", made) == "pending"


async def test_the_thirty_first_message_in_a_minute_is_refused(stage: Stage) -> None:
    many = (
        "insert into messages (sender_id, receiver_id, content) select"
        " {importer}, {agent}, 'Hi' from generate_series(1, %s)"
    )
    assert await stage.outcome("importer", many % 31) == "P0001"
    assert await stage.outcome("importer", many % 30) == 30
    await stage.act_as("importer")
    with pytest.raises(asyncpg.RaiseError, match=r"^Too many messages. Please wait a moment\.$"):
        await stage.db.execute(sql(many % 1))


async def queued(stage: Stage, who: str, kind: str) -> list[str]:
    rows = await stage.db.fetch(
        sql(f"select channel from notification_outbox where user_id = {{{who}}} and kind = '{kind}' order by 1")
    )
    return [row["channel"] for row in rows]


async def test_a_conversation_is_one_notification_an_hour(stage: Stage) -> None:
    for _ in range(3):
        await stage.outcome(
            "importer",
            "insert into messages (sender_id, receiver_id, content) values ({importer}, {other_agent}, 'Hi')",
        )
    assert await queued(stage, "other_agent", "message") == ["email"]


async def test_notifications_use_the_channels_a_member_wants(stage: Stage) -> None:
    await stage.db.execute(
        sql("update notification_preferences set email = false, sms = true where user_id = {other_agent}")
    )
    await stage.outcome(
        "importer", "insert into messages (sender_id, receiver_id, content) values ({importer}, {other_agent}, 'Hi')"
    )
    assert await queued(stage, "other_agent", "message") == ["sms"]


async def test_an_importer_without_proposal_alerts_hears_of_no_invitation(stage: Stage) -> None:
    await stage.db.execute("delete from notification_outbox")
    await stage.db.execute(
        sql("update notification_preferences set agent_proposal_alerts = false where user_id = {importer}")
    )
    await stage.outcome(
        "other_agent", "insert into invitations (agent_id, importer_id) values ({other_agent}, {importer})"
    )
    assert await queued(stage, "importer", "invitation") == []


async def test_the_agent_hears_of_the_answer(stage: Stage) -> None:
    await stage.outcome("importer", "update invitations set status = 'declined' where id = {invitation}")
    assert await queued(stage, "agent", "invitation_declined") == ["email"]


async def test_a_request_that_becomes_active_is_told_to_verified_agents_alone(stage: Stage) -> None:
    await stage.db.execute("delete from notification_outbox")
    await stage.db.execute("update profiles set specialties = '{Honda}'")
    await stage.db.execute(sql("update car_requests set status = 'active' where id = {pending_request}"))
    assert await queued(stage, "agent", "request") == ["email"]
    assert await queued(stage, "other_agent", "request") == []
    assert await queued(stage, "suspended", "request") == []


async def test_a_session_counts_as_activity_of_the_day(stage: Stage) -> None:
    await stage.db.execute(sql("insert into auth.sessions (id, user_id) values (gen_random_uuid(), {agent})"))
    await stage.db.execute(sql("insert into auth.sessions (id, user_id) values (gen_random_uuid(), {admin})"))
    assert await stage.db.fetchval(sql("select count(*) from user_activity where user_id in ({agent}, {admin})")) == 1


async def test_an_answer_takes_a_ticket_out_of_waiting(stage: Stage) -> None:
    await stage.db.execute("update support_tickets set status = 'waiting_response'")
    await stage.outcome(
        "importer", "insert into ticket_messages (ticket_id, author_id, body) values ({ticket}, {importer}, 'Here')"
    )
    assert await stage.db.fetchval("select status from support_tickets") == "in_progress"


async def test_every_change_notes_its_time(stage: Stage) -> None:
    await stage.db.execute("update agent_posts set updated_at = '2001-01-01'")
    assert await stage.db.fetchval("select bool_and(updated_at = now()) from agent_posts")
