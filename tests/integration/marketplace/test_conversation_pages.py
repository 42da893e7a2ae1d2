"""A page of conversations is read from the conversations, whoever asks, and no further than the page."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

PAGE = 10
# Everybody has a few; the agent has 3,000 messages in 30 conversations.
MANY = """
alter table messages disable trigger user;
insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)
select md5('talker' || n)::uuid, 'authenticated', 'authenticated', 'talker' || n || '@minato.example', now(),
    jsonb_build_object('full_name', 'Talker ' || n, 'role', 'importer', 'country', 'KE'), '{}'
from generate_series(1, 300) n;
insert into messages (sender_id, receiver_id, conversation_id, content, created_at)
select one, other, private.conversation_of(one, other), 'Hello', now() - n * interval '1 minute'
from (
    select n, {agent}::uuid as one, md5('talker' || 1 + n % 30)::uuid as other from generate_series(1, 3000) n
    union all
    select n, md5('talker' || 1 + n % 300)::uuid, md5('talker' || 1 + (n + 1 + n / 300) % 300)::uuid
    from generate_series(1, 6000) n) pairs;
select private.rebuild_conversations();
analyze messages, conversations, profiles;
"""
# As the data API sends what the screen asks.
LIST = """
select messages.id, c.last_at from messages
join lateral (select o.unread, o.last_at, o.last_message_id from conversation(messages) o {behind}) c on true
where (messages.sender_id = $1 or messages.receiver_id = $1)
order by c.last_at desc, c.last_message_id limit 10
"""
BEHIND = "where o.last_at <= $2 and (o.last_at < $2 or (o.last_at = $2 and o.last_message_id > $3))"


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for each in plan.get("Plans", []) for node in nodes(each))]


async def prepare(stage: Stage, mode: str) -> None:
    await stage.db.execute(sql(MANY))
    await stage.db.execute(f"set local plan_cache_mode = {mode}")


async def page(stage: Stage, cursor: tuple[Any, Any] | None) -> list[Any]:
    text = LIST.format(behind="" if cursor is None else BEHIND)
    return list(await stage.db.fetch(text, IDS["agent"], *(cursor or ())))


@pytest.mark.parametrize("mode", ["force_generic_plan", "force_custom_plan"])
async def test_a_page_costs_the_messages_of_the_page(stage: Stage, mode: str) -> None:
    await prepare(stage, mode)
    await stage.act_as("agent")
    await stage.db.execute(f"prepare conversations_page(uuid) as {LIST.format(behind='')}")
    found = await stage.db.fetchval(f"explain (analyze, format json) execute conversations_page('{IDS['agent']}')")
    await stage.db.execute("deallocate conversations_page")
    plan = json.loads(found)[0]["Plan"]
    read = {
        node["Relation Name"]: node["Actual Rows"] * node["Actual Loops"]
        for node in nodes(plan)
        if "Relation Name" in node
    }
    assert read == {"conversations": PAGE, "messages": PAGE}


async def test_pages_by_keys_hold_each_conversation_once_newest_first(stage: Stage) -> None:
    await prepare(stage, "force_generic_plan")
    await stage.db.execute("update conversations set last_at = date_trunc('hour', last_at)")
    await stage.act_as("agent")
    expected = [
        row["id"]
        for row in await stage.db.fetch(
            "select last_message_id as id from conversations order by last_at desc, last_message_id"
        )
    ]
    rows: list[Any] = []
    while more := await page(stage, (rows[-1]["last_at"], rows[-1]["id"]) if rows else None):
        rows += more
    assert [row["id"] for row in rows] == expected
    assert len(expected) > 3 * PAGE


async def test_nobody_reads_a_page_of_somebody_else(stage: Stage) -> None:
    await prepare(stage, "force_generic_plan")
    for who in ("other_agent", "suspended", "newcomer", "admin"):
        await stage.act_as(who)
        assert await page(stage, None) == []
