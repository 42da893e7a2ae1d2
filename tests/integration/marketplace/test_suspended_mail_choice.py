"""A suspended member may still say which mails to get: the suspension is about the market, not about the mailbox."""

from __future__ import annotations

import pytest

from tests.integration.marketplace.cast import Stage, sql

UPSERT = """insert into notification_preferences (user_id, email) values ({%s}, false)
on conflict (user_id) do update set email = excluded.email"""
WANTS = "select email from notification_preferences where user_id = {suspended}"


async def test_a_suspended_member_switches_mails_off_as_the_settings_do(stage: Stage) -> None:
    assert await stage.outcome("suspended", UPSERT % "suspended") == 1
    assert await stage.db.fetchval(sql(WANTS)) is False
    await stage.db.execute(sql("delete from notification_preferences where user_id = {suspended}"))
    assert await stage.outcome("suspended", UPSERT % "suspended") == 1


@pytest.mark.parametrize("who", ["suspended", "agent", "unconfirmed", "newcomer", "anon"])
async def test_nobody_switches_the_mails_of_somebody_else(stage: Stage, who: str) -> None:
    assert await stage.outcome(who, UPSERT % "importer") == "42501"
    change = "update notification_preferences set email = false where user_id = {importer}"
    assert await stage.outcome(who, change) == 0


async def test_who_is_not_confirmed_chooses_nothing_yet(stage: Stage) -> None:
    assert await stage.outcome("unconfirmed", UPSERT % "unconfirmed") == "42501"
