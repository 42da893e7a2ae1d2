"""What stays of somebody who left: a conversation of its own, and a deal that still counts."""

from __future__ import annotations

from tests.integration.marketplace.cast import Stage, sql

SAY = "insert into messages (sender_id, receiver_id, content) values ({%s}, {%s}, 'Hello')"
GONE = "select count(distinct conversation_id) from messages where receiver_id = {agent} and sender_id is null"


async def leave(stage: Stage, who: str) -> None:
    await stage.db.execute(sql(f"delete from auth.users where id = {{{who}}}"))


async def test_conversations_with_two_who_left_stay_apart(stage: Stage) -> None:
    for who in ("importer", "other_importer"):
        await stage.outcome(who, SAY % (who, "agent"))
        await stage.outcome(who, SAY % (who, "agent"))
        await leave(stage, who)
    assert await stage.value("agent", GONE) == 2


async def test_both_directions_are_one_conversation(stage: Stage) -> None:
    await stage.outcome("importer", SAY % ("importer", "agent"))
    await stage.outcome("agent", SAY % ("agent", "importer"))
    assert await stage.value("agent", "select count(distinct conversation_id) from messages") == 1


async def test_nobody_chooses_the_number_of_a_conversation(stage: Stage) -> None:
    await stage.outcome(
        "agent",
        "insert into messages (sender_id, receiver_id, content, conversation_id)"
        " values ({agent}, {importer}, 'Hello', {nobody})",
    )
    assert await stage.outcome("agent", "select 1 from messages where conversation_id = {nobody}") == 0


async def test_a_deal_counts_after_the_other_side_left(stage: Stage) -> None:
    counted = "select count(*) from deals where agent_id = {agent} and party_left"
    assert await stage.value("agent", counted) == 0
    await leave(stage, "other_importer")
    assert await stage.value("agent", counted) == 1
    assert await stage.value("agent", "select count(*) from invitations where status = 'accepted'") == 0
