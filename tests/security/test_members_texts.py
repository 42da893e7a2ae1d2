"""Nobody makes others load a book: every text a member writes has a limit."""

from __future__ import annotations

import json
from uuid import uuid4

import asyncpg
import pytest

from tests.support.marketplace import ALL_IDS, Market, market
from tests.support.postgres import Cluster

__all__ = ["market"]

# the tables members write themselves, and those a function writes for them with their words
BY_FUNCTION = ["agent_verifications", "conversation_reports"]
UNLIMITED = r"""
select c.relname || '.' || a.attname
from pg_attribute a
join pg_class c on c.oid = a.attrelid
join pg_type t on t.oid = a.atttypid
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    -- what is generated nobody writes
    and a.attgenerated = ''
    and (t.typcategory in ('S', 'A') or t.typname in ('json', 'jsonb', 'xml', 'bytea', 'tsvector', 'unknown'))
    and t.typtype <> 'd'
    and (c.relname = any ($1) or (
        exists (select from pg_policy p where p.polrelid = c.oid and p.polcmd in ('a', 'w', '*'))
        and (has_column_privilege('authenticated', c.oid, a.attnum, 'insert')
            or has_column_privilege('authenticated', c.oid, a.attnum, 'update'))))
    and not exists (
        select from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.convalidated and a.attnum = any (k.conkey)
            and pg_get_constraintdef(k.oid) ~ ('(char|octet)_length\(\(?' || a.attname || '\)(::text\))? <='
                || '|texts_within\(' || a.attname || ', '
                || '|\(' || a.attname || ' = ANY \(ARRAY'
                || '|\(' || a.attname || ' <@ ARRAY.*cardinality\(' || a.attname || '\M'))
order by 1
"""


async def test_every_text_list_and_document_members_write_has_a_limit(market: Market) -> None:
    assert [row[0] for row in await market.db.fetch(UNLIMITED, BY_FUNCTION)] == []


async def test_the_search_for_texts_without_limit_finds_one(market: Market) -> None:
    async with market.db.transaction():
        await market.db.execute(
            "alter table public.reviews add column title text check (char_length(title) > 2), add column tags text[]"
        )
        found = [row[0] for row in await market.db.fetch(UNLIMITED, BY_FUNCTION)]
        await market.db.execute("alter table public.reviews drop column title, drop column tags")
    assert found == ["reviews.tags", "reviews.title"]


TOO_LONG = [
    ("agent", "profiles?user_id=eq.{agent}", {"full_name": "A" * 121}),
    ("agent", "profiles?user_id=eq.{agent}", {"city": "A" * 121}),
    ("agent", "profiles?user_id=eq.{agent}", {"company_name": "A" * 5_000_000}),
    ("agent", "profiles?user_id=eq.{agent}", {"specialties": ["A"] * 251}),
    ("agent", "profiles?user_id=eq.{agent}", {"languages_spoken": ["A" * 2001]}),
    ("agent", "agent_posts?id=eq.{post}", {"description": "A" * 5001}),
    ("agent", "agent_posts?id=eq.{post}", {"features": ["A" * 5001]}),
    ("agent", "agent_posts?id=eq.{post}", {"specifications": {"a": "A" * 20000}}),
    ("importer", "car_requests?id=eq.{request}", {"car_make": "A" * 121}),
    ("importer", "invitations?id=eq.{invitation}", {"status": "declined", "response_message": "A" * 5001}),
    ("other_importer", "reviews?id=eq.{review}", {"comment": "A" * 2001}),
]


@pytest.mark.parametrize(("who", "path", "row"), TOO_LONG, ids=lambda value: next(iter(value), "") if value else "")
async def test_a_text_beyond_its_limit_is_refused(market: Market, who: str, path: str, row: dict[str, object]) -> None:
    async with market.as_(who) as client:
        answer = await client.patch(f"/{path.format(**ALL_IDS)}", json=row)
    assert (answer.status_code, answer.json()["code"]) == (400, "23514")


async def test_a_sign_up_with_a_long_name_succeeds_with_a_short_one(market: Market) -> None:
    user = str(uuid4())
    said = json.dumps({"full_name": "A" * 5000, "city": "B" * 5000, "phone": "1" * 500, "role": "importer"})
    await market.db.execute("insert into auth.users (id, raw_user_meta_data) values ($1, $2)", user, said)
    try:
        row = await market.db.fetchrow("select full_name, city from profiles where user_id = $1", user)
        assert row is not None
        assert [len(each) for each in row] == [120, 120]
    finally:
        await market.db.execute("delete from auth.users where id = $1", user)


async def test_texts_that_were_longer_when_limits_came_are_kept_elsewhere(cluster: Cluster) -> None:
    async with cluster.database_at("20261122000058") as address:
        db = await asyncpg.connect(address.admin)
        user = str(uuid4())
        said = json.dumps({"full_name": "A" * 500, "phone": "+81 3 5550 0100", "role": "agent"})
        await db.execute("insert into auth.users (id, raw_user_meta_data) values ($1, $2)", user, said)
        columns = "agent_id, car_name, model, features, specifications"
        post = f"insert into agent_posts ({columns}) values ($1, 'a', 'b', $2, $3)"
        await db.execute(post, user, ["F" * 100] * 501, json.dumps({"a": "A" * 30000}))
        await cluster.upgrade(address)
        name = await db.fetchval("select full_name from profiles where user_id = $1", user)
        kept = await db.fetchval("select value from private.cut_texts where field = 'full_name'")
        fields = await db.fetchval("select array_agg(field order by field) from private.cut_texts")
        features = await db.fetchval("select features from agent_posts")
        phone = await db.fetchval("select private.phone_of($1)", user)
        await db.close()
    assert (name, kept, phone) == ("A" * 120, "A" * 500, "+81 3 5550 0100")
    assert fields == ["features", "full_name", "specifications"]
    assert features == ["F" * 10] * 500
