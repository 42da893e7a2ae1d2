"""Who may invite, how often, and what the team's own invitations say."""

from __future__ import annotations

import asyncpg
import pytest

from tests.integration.marketplace.cast import Stage, sql

INVITE = "insert into invitations (agent_id, importer_id, request_id) values ({%s}, {importer}, {request})"
ONLY_VERIFIED = "update app_settings set value = 'true' where key = 'require_verified_to_post'"
SENT = """insert into invitations (agent_id, importer_id, status, created_at)
    select {%s}, {importer}, 'declined', now() - interval '%s minutes' from generate_series(1, %s)"""
ASSIGN = "select admin_request_action({request}, 'assign_agent', jsonb_build_object('agent_id', {other_agent}))"


async def refusal(stage: Stage, who: str, statement: str) -> str:
    """The sentence a statement is refused with."""
    await stage.act_as(who)
    with pytest.raises(asyncpg.PostgresError) as caught:
        async with stage.db.transaction():
            await stage.db.execute(sql(statement))
    await stage.db.execute("reset role")
    return str(caught.value).splitlines()[0]


# ADS-002
async def test_an_unverified_agent_invites_nobody_where_the_seal_is_required(stage: Stage) -> None:
    assert await stage.outcome("other_agent", INVITE % "other_agent") == 1
    await stage.db.execute(sql("delete from invitations where agent_id = {other_agent}"))
    await stage.db.execute(ONLY_VERIFIED)
    assert await stage.outcome("other_agent", INVITE % "other_agent") == "42501"
    assert await refusal(stage, "other_agent", INVITE % "other_agent") == (
        "Only verified agents can send invitations. Get verified first."
    )
    await stage.db.execute(sql("update profiles set verification_status = 'verified' where user_id = {other_agent}"))
    assert await stage.outcome("other_agent", INVITE % "other_agent") == 1


# ADS-002
async def test_the_policy_itself_asks_for_the_seal(stage: Stage) -> None:
    await stage.db.execute(ONLY_VERIFIED)
    await stage.db.execute("drop trigger limit_invitations on invitations")
    assert await stage.outcome("other_agent", INVITE % "other_agent") == "42501"


async def test_an_unverified_agent_sends_ten_invitations_a_day(stage: Stage) -> None:
    await stage.db.execute(sql(SENT % ("other_agent", 60 * 25, 20)))
    await stage.db.execute(sql(SENT % ("other_agent", 60 * 20, 9)))
    assert await stage.outcome("other_agent", INVITE % "other_agent") == 1
    await stage.db.execute(sql("update invitations set status = 'declined' where agent_id = {other_agent}"))
    assert await refusal(stage, "other_agent", INVITE % "other_agent") == (
        "Until you are verified, you can send 10 invitations a day. Please try again tomorrow."
    )


async def test_a_verified_agent_sends_thirty_invitations_an_hour(stage: Stage) -> None:
    await stage.db.execute("delete from invitations")
    await stage.db.execute(sql(SENT % ("agent", 61, 30)))
    await stage.db.execute(sql(SENT % ("agent", 59, 29)))
    assert await stage.outcome("agent", INVITE % "agent") == 1
    await stage.db.execute(sql("update invitations set status = 'declined' where agent_id = {agent}"))
    assert await refusal(stage, "agent", INVITE % "agent") == (
        "You have sent 30 invitations within an hour. Please try again later."
    )


async def test_many_invitations_in_one_statement_are_counted_too(stage: Stage) -> None:
    many = """insert into invitations (agent_id, importer_id, request_id)
        select {other_agent}, {importer}, id from car_requests where car_make = 'Many'"""
    await stage.db.execute(
        sql(
            "insert into car_requests (importer_id, car_make, car_model)"
            " select {importer}, 'Many', 'X' from generate_series(1, 11)"
        )
    )
    assert await stage.outcome("other_agent", many) == "P0001"


async def test_a_time_of_ones_own_does_not_escape_the_limit(stage: Stage) -> None:
    await stage.db.execute(sql(SENT % ("other_agent", 5, 10)))
    old = """insert into invitations (agent_id, importer_id, request_id, created_at)
        values ({other_agent}, {importer}, {request}, now() - interval '1 year')"""
    assert await stage.outcome("other_agent", old) == "P0001"


async def test_an_agent_the_team_assigned_is_told_and_says_nothing_they_did_not_write(stage: Stage) -> None:
    await stage.db.execute("delete from notification_outbox")
    assert await stage.outcome("admin", ASSIGN) == 1
    made = await stage.db.fetchrow(
        sql("select message, is_assigned from invitations where agent_id = {other_agent} and request_id = {request}")
    )
    assert made is not None
    assert tuple(made) == (None, True)
    told = await stage.db.fetch(sql("select user_id = {other_agent} as is_agent, kind from notification_outbox"))
    assert {(row["is_agent"], row["kind"]) for row in told} == {(True, "assignment"), (False, "invitation_assigned")}


async def test_an_agent_who_asked_first_is_not_assigned_over_it(stage: Stage) -> None:
    await stage.outcome("other_agent", INVITE % "other_agent")
    assert await stage.outcome("admin", ASSIGN) == 1
    assert await stage.db.fetchval(
        sql("select not bool_or(is_assigned) from invitations where agent_id = {other_agent}")
    )


async def test_both_sides_read_that_the_team_assigned_it_and_no_agent_can_claim_it(stage: Stage) -> None:
    await stage.outcome("admin", ASSIGN)
    read = "select is_assigned from invitations where agent_id = {other_agent} and request_id = {request}"
    assert await stage.value("other_agent", read)
    assert await stage.value("importer", read)
    claim = "insert into invitations (agent_id, importer_id, is_assigned) values ({agent}, {importer}, true)"
    assert await stage.value("agent", claim + " returning is_assigned") is False
    assert (
        await stage.outcome("importer", "update invitations set is_assigned = true where id = {invitation}") == "42501"
    )


async def test_what_the_team_assigned_does_not_use_up_an_agents_own_invitations(stage: Stage) -> None:
    await stage.db.execute(sql(SENT % ("other_agent", 5, 9)))
    await stage.outcome("admin", ASSIGN)
    assert (
        await stage.outcome(
            "other_agent", "insert into invitations (agent_id, importer_id) values ({other_agent}, {importer})"
        )
        == 1
    )


async def test_an_invitation_that_was_answered_stays_answered(stage: Stage) -> None:
    answer = "update invitations set status = '%s' where id = {invitation}"
    assert await stage.outcome("importer", answer % "accepted") == 1
    assert await stage.outcome("importer", answer % "declined") == 0
    assert await stage.db.fetchval(sql("select count(*) from deals where invitation_id = {invitation}")) == 1
