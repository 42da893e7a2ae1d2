"""Each side has a row for a conversation: what was said last, and how much of it waits to be read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

SAY = "insert into messages (sender_id, receiver_id, content) values ({%s}, {%s}, '%s')"
OWN = "select count(*) from conversations"
UNREAD = "select coalesce(sum(unread), 0) from conversations"
LAST = """
select m.content from conversations c join messages m on m.id = c.last_message_id order by c.last_at desc limit 1
"""
KEPT = "select user_id, conversation_id, last_at, unread from conversations order by 1, 2"


async def say(stage: Stage, one: str, other: str, text: str = "Hello") -> None:
    assert await stage.outcome(one, SAY % (one, other, text)) == 1


async def found(stage: Stage, who: str, text: str) -> list[str]:
    await stage.act_as(who)
    rows = await stage.db.fetch("select content from search_conversations($1) order by created_at desc", text)
    await stage.act_as("owner")
    return [row["content"] for row in rows]


async def kept(stage: Stage) -> list[Any]:
    await stage.act_as("owner")
    return list(await stage.db.fetch(KEPT))


async def test_a_conversation_stands_on_both_sides_and_waits_to_be_read_on_one(stage: Stage) -> None:
    await say(stage, "other_agent", "other_importer", "First")
    await say(stage, "other_agent", "other_importer", "Second")
    for who, unread in (("other_agent", 0), ("other_importer", 2)):
        assert await stage.value(who, OWN) == 1
        assert await stage.value(who, UNREAD) == unread
        assert await stage.value(who, LAST) == "Second"


@pytest.mark.parametrize("who", ["other_agent", "other_importer", "suspended", "newcomer", "unconfirmed"])
async def test_nobody_reads_the_conversations_of_others(stage: Stage, who: str) -> None:
    await say(stage, "agent", "importer")
    assert await stage.value(who, OWN) == 0
    assert await found(stage, who, "") == []


async def test_visitors_read_no_conversations(stage: Stage) -> None:
    assert await stage.outcome("anon", "select * from search_conversations('')") == "42501"
    assert await stage.outcome("anon", "select * from conversations") in (0, "42501")


@pytest.mark.parametrize(
    "write",
    [
        "update conversations set unread = 0",
        "delete from conversations",
        "insert into conversations (user_id, conversation_id, last_message_id, last_at)"
        " values ({agent}, {nobody}, {message}, now())",
    ],
)
async def test_members_write_no_conversations(stage: Stage, write: str) -> None:
    assert await stage.outcome("agent", write) == "42501"


async def test_what_is_read_waits_no_longer_and_only_the_receiver_reads(stage: Stage) -> None:
    await say(stage, "other_agent", "other_importer")
    await stage.outcome("other_agent", "update messages set is_read = true")
    assert await stage.value("other_importer", UNREAD) == 1
    await stage.outcome("other_importer", "update messages set is_read = true where not is_read")
    assert await stage.value("other_importer", UNREAD) == 0


async def test_a_message_from_long_ago_does_not_lead(stage: Stage) -> None:
    await say(stage, "other_agent", "other_importer", "Newest")
    await stage.db.execute(sql("alter table messages disable trigger default_columns"))
    await stage.db.execute(
        sql(
            "insert into messages (sender_id, receiver_id, content, created_at)"
            " values ({other_agent}, {other_importer}, 'Old', now() - interval '1 year')"
        )
    )
    assert await stage.value("other_importer", LAST) == "Newest"
    assert await stage.value("other_importer", UNREAD) == 2


async def test_a_conversation_goes_on_with_the_message_before_the_one_that_was_removed(stage: Stage) -> None:
    await say(stage, "other_agent", "other_importer", "First")
    await say(stage, "other_importer", "other_agent", "Second")
    await stage.db.execute("delete from messages where content = 'Second'")
    assert await stage.value("other_agent", LAST) == "First"
    await stage.db.execute("delete from messages where content = 'First'")
    assert await stage.value("other_agent", OWN) == 0


async def test_who_leaves_takes_their_side_and_leaves_the_other(stage: Stage) -> None:
    await say(stage, "other_agent", "other_importer", "Goodbye")
    await stage.db.execute(sql("delete from auth.users where id = {other_agent}"))
    assert await stage.value("other_importer", LAST) == "Goodbye"
    assert await found(stage, "other_importer", "unknown user") == ["Goodbye"]
    assert await stage.db.fetchval("select count(*) from conversations where user_id = $1", IDS["other_agent"]) == 0


async def test_rebuilding_finds_what_the_messages_had_left(stage: Stage) -> None:
    for one, other in (("agent", "importer"), ("importer", "agent"), ("other_agent", "importer")):
        await say(stage, one, other)
    before = await kept(stage)
    await stage.db.execute("delete from conversations")
    await stage.db.execute("select private.rebuild_conversations()")
    assert await kept(stage) == before
    assert before != []


async def test_conversations_are_found_by_name_and_by_their_last_message(stage: Stage) -> None:
    await stage.db.execute(sql("update profiles set full_name = 'Kenji Tanaka' where user_id = {other_agent}"))
    await say(stage, "other_agent", "other_importer", "The Aqua is here")
    await say(stage, "other_importer", "other_agent", "Ship it 100% now")
    assert await found(stage, "other_importer", " TANAKA ") == ["Ship it 100% now"]
    assert await found(stage, "other_importer", "100%") == ["Ship it 100% now"]
    assert await found(stage, "other_importer", "Aqua") == []


async def test_nobody_finds_the_conversations_of_others(stage: Stage) -> None:
    await say(stage, "other_agent", "other_importer", "The Aqua is here")
    assert await found(stage, "other_agent", "aqua") == ["The Aqua is here"]
    for who in ("agent", "importer", "suspended", "admin", "newcomer"):
        assert await found(stage, who, "aqua") == []
    assert await stage.outcome("anon", "select * from search_conversations('aqua')") == "42501"


async def test_only_the_last_message_embeds_the_callers_conversation(stage: Stage) -> None:
    await say(stage, "other_agent", "other_importer", "First")
    await say(stage, "other_agent", "other_importer", "Second")
    embedded = "select count(*) from messages m, conversation(m) c where m.content in ('First', 'Second')"
    assert await stage.value("other_importer", embedded) == 1
    assert await stage.value("admin", embedded) == 0
