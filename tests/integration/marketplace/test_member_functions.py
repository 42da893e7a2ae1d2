"""What members call: the directory, verification, completing a request, reporting, leaving."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from tests.integration.marketplace.cast import Stage, sql

SUBMISSION = {
    "bio": "Cars from Kobe",
    "company_name": "Other Export",
    "experience": "5",
    "languages": "Japanese, English",
    "identity_document_path": "other_agent_id/identity.pdf",
    "company_proof_path": "other_agent_id/company.pdf",
}
COMPLETE = "select complete_request({request}, {invitation}, 27500, 5)"


def submit(**changes: Any) -> str:
    return f"select submit_agent_verification('{json.dumps({**SUBMISSION, **changes})}')"


def signed_in(seconds_ago: int, method: str = "password") -> dict[str, Any]:
    """An `amr` claim as a token of a session that old has it."""
    return {"amr": [{"method": method, "timestamp": int(datetime.now(UTC).timestamp()) - seconds_ago}]}


@pytest.mark.parametrize("who", ["anon", "agent", "importer", "admin"])
async def test_everybody_may_know_the_harmless_settings(stage: Stage, who: str) -> None:
    config = await stage.value(who, "select public_config()")
    assert set(config) == {
        "demo_mode",
        "review_new_requests",
        "require_verified_to_post",
        "payment_instructions",
        "fee_pkr",
    }
    assert config["fee_pkr"] == 2000


SAMPLE_ACCOUNT = "PK00 DEMO 0000 0000 0000 0000"


# ONB-034
@pytest.mark.parametrize(("demo", "iban"), [("true", SAMPLE_ACCOUNT), ("false", "")])
async def test_a_sample_account_is_shown_in_a_demonstration_alone(stage: Stage, demo: str, iban: str) -> None:
    await stage.outcome("owner", f"update app_settings set value = '{demo}' where key = 'demo_mode'")
    assert await stage.value("anon", "select public_config() #>> '{payment_instructions,bank,iban}'") == iban


async def test_the_operators_account_is_shown_outside_a_demonstration(stage: Stage) -> None:
    entered = """{"easypaisa": {"number": "0301 1"}, "bank": {"title": "X", "account": "1", "iban": "PK11"}}"""
    await stage.outcome("owner", f"update app_settings set value = '{entered}' where key = 'payment_instructions'")
    assert await stage.value("anon", "select public_config() #>> '{payment_instructions,bank,iban}'") == "PK11"


NOT_FOR_VISITORS = [
    "select * from agent_directory()",
    "select submit_agent_verification('{}')",
    COMPLETE,
    "select delete_own_account()",
    "select report_conversation({agent}, 'x')",
]


@pytest.mark.parametrize("call", NOT_FOR_VISITORS)
async def test_visitors_call_none_of_it(stage: Stage, call: str) -> None:
    assert await stage.outcome("anon", call) == "42501"


async def test_the_directory_lists_verified_active_agents_with_their_figures(stage: Stage) -> None:
    await stage.act_as("importer")
    rows = await stage.db.fetch("select full_name, rating, reviews_count, active_deals from agent_directory()")
    assert [tuple(row) for row in rows] == [("agent", 5, 1, 1)]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("p_search => 'AGE'", 1),
        ("p_search => 'nobody'", 0),
        ("p_search => '%'", 0),
        ("p_city => 'Kobe'", 1),
        ("p_city => 'Osaka'", 0),
        ("p_specialty => 'Toyota'", 1),
        ("p_specialty => 'Honda'", 0),
        ("p_search => 'toyota', p_city => 'Kobe', p_specialty => 'Toyota'", 1),
    ],
)
async def test_the_directory_filters(stage: Stage, filters: str, found: int) -> None:
    await stage.db.execute(sql("update profiles set city = 'Kobe', specialties = '{Toyota}' where user_id = {agent}"))
    assert await stage.outcome("importer", f"select 1 from agent_directory({filters})") == found


CROWD = """
insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)
select md5('agent ' || n)::uuid, 'authenticated', 'authenticated', n || '@crowd.example', now(),
    jsonb_build_object('full_name', 'Agent ' || n / 3, 'country', 'JP', 'role', 'agent'), '{}'
from generate_series(1, 20) n;
update profiles set verification_status = 'verified' where full_name like 'Agent %';
insert into reviews (reviewer_id, reviewed_id, rating)
select {importer}, user_id, 1 + length(full_name) % 5 from profiles where full_name like 'Agent 1%'
"""


async def test_the_directory_goes_on_behind_an_agent_while_others_come_and_go(stage: Stage) -> None:
    await stage.db.execute(sql(CROWD))
    everybody = [row["id"] for row in await stage.db.fetch("select id from agent_directory()")]
    page = await stage.db.fetch("select id, cursor, total from agent_directory(p_limit => 4)")
    seen = [row["id"] for row in page]
    while page:
        assert {row["total"] for row in page} <= {21, 22}
        await stage.db.execute(
            sql("update profiles set verification_status = 'verified' where user_id = {other_agent}")
        )
        asked = "select id, cursor, total from agent_directory(p_cursor => $1, p_limit => 4)"
        page = await stage.db.fetch(asked, page[-1]["cursor"])
        seen += [row["id"] for row in page]
    assert [each for each in seen if each in everybody] == everybody
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("cursor", ["x", "[]", "{}", '["a", 1, "b", 2]', '[1, 1, "b", "no id"]', "null"])
async def test_a_place_in_the_directory_that_cannot_be_read_is_refused_or_finds_nobody(
    stage: Stage, cursor: str
) -> None:
    assert await stage.outcome("importer", f"select * from agent_directory(p_cursor => '{cursor}')") in (0, "22P02")


async def test_response_time_is_the_median_of_first_answers(stage: Stage) -> None:
    await stage.db.execute("delete from messages")
    await stage.db.execute(
        sql(
            "insert into messages (sender_id, receiver_id, content, created_at) values"
            " ({importer}, {agent}, 'q', now() - interval '9 hours'),"
            " ({agent}, {importer}, 'a', now() - interval '7 hours'),"
            " ({importer}, {agent}, 'q', now() - interval '6 hours'),"
            " ({agent}, {importer}, 'a', now() - interval '2 minutes')"
        )
    )
    assert await stage.value("importer", "select response_time from agent_directory()") == "Within 2 hours"


async def test_a_submission_makes_the_agent_pending_and_tells_the_administrator_what_was_paid(stage: Stage) -> None:
    await stage.db.execute("delete from agent_verifications")
    await stage.db.execute("update profiles set verification_status = 'unverified' where full_name = 'other_agent'")
    made = await stage.value("other_agent", submit(payment_method="easypaisa", payment_claimed=True))
    row = await stage.db.fetchrow("select * from agent_verifications where id = $1", made)
    assert (row["status"], row["payment_status"], row["payment_claimed"], row["amount_pkr"]) == (
        "pending",
        "claimed",
        True,
        2000,
    )
    assert row["languages"] == ["Japanese", "English"]
    profile = await stage.db.fetchrow("select * from profiles where full_name = 'other_agent'")
    assert (profile["verification_status"], profile["company_name"], profile["experience"]) == (
        "pending",
        "Other Export",
        "5",
    )


async def test_submitting_again_completes_the_open_submission(stage: Stage) -> None:
    await stage.db.execute("update agent_verifications set status = 'more_info'")
    made = await stage.value("other_agent", submit())
    rows = await stage.db.fetch("select id, status, payment_status from agent_verifications")
    assert [tuple(row) for row in rows] == [(made, "pending", "received")]


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({"identity_document_path": ""}, "22023"),
        ({"company_proof_path": None}, "22023"),
        ({"identity_document_path": "other_agent_id/missing.pdf"}, "42501"),
        ({"identity_document_path": "agent_id/avatar.png"}, "42501"),
        ({"bio": "x" * 251}, "22023"),
        ({"company_name": "x"}, "22023"),
        ({"experience": " "}, "22023"),
        ({"languages": []}, "22023"),
        ({"languages": " , "}, "22023"),
        ({"payment_method": "cash"}, "22023"),
    ],
)
async def test_an_incomplete_submission_is_refused_and_changes_nothing(
    stage: Stage, changes: dict[str, Any], state: str
) -> None:
    assert await stage.outcome("other_agent", submit(**changes)) == state
    assert await stage.db.fetchval("select company_name from agent_verifications") == "Other"


@pytest.mark.parametrize(
    ("who", "state"), [("importer", "42501"), ("suspended", "42501"), ("newcomer", "42501"), ("agent", "P0001")]
)
async def test_only_agents_who_are_not_verified_submit(stage: Stage, who: str, state: str) -> None:
    assert await stage.outcome(who, submit()) == state


async def test_completing_a_request_settles_the_deal_and_the_case(stage: Stage) -> None:
    await stage.outcome("importer", "update invitations set status = 'accepted' where id = {invitation}")
    deal = await stage.value("importer", COMPLETE)
    row = await stage.db.fetchrow("select * from deals where id = $1", deal)
    assert (row["status"], row["value_usd"], row["satisfaction"]) == ("completed", 27500, 5)
    case = await stage.db.fetchrow(sql("select status, progress from request_cases where request_id = {request}"))
    assert tuple(case) == ("completed", 100)
    assert await stage.value("importer", COMPLETE) == deal, "the same answer to the same press"
    assert await stage.outcome("importer", COMPLETE.replace("27500", "30000")) == "P0001"


@pytest.mark.parametrize(("who", "state"), [("agent", "42501"), ("other_importer", "42501"), ("newcomer", "42501")])
async def test_only_the_importer_completes_a_request(stage: Stage, who: str, state: str) -> None:
    await stage.outcome("importer", "update invitations set status = 'accepted' where id = {invitation}")
    assert await stage.outcome(who, COMPLETE) == state


@pytest.mark.parametrize(
    "call",
    [
        COMPLETE,
        "select complete_request({request}, {accepted}, 27500, 5)",
        "select complete_request({request}, {nobody}, 27500, 5)",
        "select complete_request({pending_request}, {invitation}, 27500, 5)",
    ],
)
async def test_without_an_accepted_invitation_of_ones_own_nothing_is_completed(stage: Stage, call: str) -> None:
    assert await stage.outcome("importer", call) == "P0001"


async def test_a_participant_reports_a_conversation_once(stage: Stage) -> None:
    first = await stage.value("agent", "select report_conversation({importer}, 'Spam')")
    assert await stage.value("agent", "select report_conversation({importer}, 'Still spam')") == first


@pytest.mark.parametrize(
    ("who", "call", "state"),
    [
        ("other_importer", "select report_conversation({agent}, 'Spam')", "42501"),
        ("importer", "select report_conversation({other_agent}, 'Spam')", "42501"),
        ("importer", "select report_conversation({agent}, ' ')", "22023"),
    ],
)
async def test_nobody_reports_a_conversation_of_others_or_without_a_reason(
    stage: Stage, who: str, call: str, state: str
) -> None:
    assert await stage.outcome(who, call) == state


async def test_leaving_keeps_messages_and_reviews_without_a_name(stage: Stage) -> None:
    await stage.value("agent", "select delete_own_account()", **signed_in(10))
    assert await stage.db.fetchval(sql("select count(*) from auth.users where id = {agent}")) == 0
    assert await stage.db.fetchval("select count(*) from agent_posts") == 1
    message = await stage.db.fetchrow(sql("select sender_id, content from messages where id = {message}"))
    assert tuple(message) == (None, "Hello")
    assert await stage.outcome("importer", "select 1 from messages") == 1


async def test_a_reviewer_who_left_stays_as_nobody(stage: Stage) -> None:
    await stage.value("other_importer", "select delete_own_account()", **signed_in(10))
    review = await stage.db.fetchrow(sql("select reviewer_id, rating from reviews where id = {review}"))
    assert tuple(review) == (None, 5)


@pytest.mark.parametrize("claims", [{}, signed_in(400), signed_in(10, "otp"), {"amr": "password"}])
async def test_leaving_needs_a_fresh_sign_in_by_password(stage: Stage, claims: dict[str, Any]) -> None:
    assert await stage.outcome("agent", "select delete_own_account()", **claims) == "42501"


async def test_nobody_leaves_a_demonstration(stage: Stage) -> None:
    await stage.db.execute("update app_settings set value = 'true' where key = 'demo_mode'")
    await stage.act_as("agent", **signed_in(10))
    with pytest.raises(asyncpg.RaiseError, match=r"^This feature is not available in demo mode\.$"):
        await stage.db.execute("select delete_own_account()")


async def test_requests_nobody_took_up_expire_after_ninety_days(stage: Stage) -> None:
    await stage.db.execute("update car_requests set created_at = now() - interval '91 days'")
    assert await stage.db.fetchval("select private.expire_requests()") == 1
    assert await stage.db.fetchval(sql("select status from car_requests where id = {request}")) == "expired"
