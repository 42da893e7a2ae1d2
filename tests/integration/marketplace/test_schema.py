"""Rules every table and function of the marketplace keeps."""

from __future__ import annotations

import asyncpg
import pytest

EMBEDDINGS = {
    "agent_posts_agent_id_fkey",
    "invitations_agent_id_fkey",
    "invitations_importer_id_fkey",
    "messages_sender_id_fkey",
    "messages_receiver_id_fkey",
    "reviews_reviewer_id_fkey",
    "car_requests_importer_id_fkey",
}

TABLE = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and "
FUNCTION = "select proname from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and "
POLICY = "select policyname from pg_policies where schemaname in ('public', 'storage') and "
FOR_VISITORS = "has_function_privilege('anon', oid, 'execute')"

BROKEN = {
    "tables without row-level security": TABLE + "not relrowsecurity",
    "tables without a comment": TABLE + "obj_description(oid, 'pg_class') is null",
    "functions without a comment": FUNCTION + "obj_description(oid, 'pg_proc') is null",
    "definer functions with an open search path": FUNCTION
    + "prosecdef and not coalesce('search_path=\"\"' = any (proconfig), false)",
    # what a link in a mail does is proven by its signature
    "functions visitors may call": FUNCTION
    + "proname not in ('public_config', 'shown_phone', 'mail_choice', 'choose_mail') and "
    + FOR_VISITORS,
    "policies for visitors": POLICY + "roles <> '{authenticated}'",
    "policies that read user metadata": POLICY + "concat(qual, with_check) ~ 'user_metadata'",
    "policies that are no sentence": POLICY + "policyname !~ '^[A-Z].* .*'",
    "policies that ask who is calling once per row": POLICY
    + r"regexp_replace(concat(qual, with_check), 'SELECT auth\.uid\(\)', '', 'g') ~ 'auth\.uid'",
    "foreign keys without an index": """
        select conname from pg_constraint c where contype = 'f' and connamespace = 'public'::regnamespace
        and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])""",
}


# PRD-026
@pytest.mark.parametrize("rule", BROKEN)
async def test_there_are_no(market: asyncpg.Connection, rule: str) -> None:
    assert [row[0] for row in await market.fetch(BROKEN[rule])] == []


async def test_screens_embed_profiles_by_these_names(market: asyncpg.Connection) -> None:
    rows = await market.fetch(
        "select conname from pg_constraint where contype = 'f' and confrelid = 'public.profiles'::regclass"
    )
    assert {row["conname"] for row in rows} >= EMBEDDINGS
    saved = "select confrelid::regclass::text from pg_constraint where conname = 'saved_posts_post_id_fkey'"
    assert await market.fetchval(saved) == "agent_posts"


async def test_screens_follow_these_tables_live(market: asyncpg.Connection) -> None:
    rows = await market.fetch("select tablename from pg_publication_tables where pubname = 'supabase_realtime'")
    assert {row["tablename"] for row in rows} == {
        "agent_posts",
        "invitations",
        "messages",
        "car_requests",
        "agent_verifications",
        "member_standing",
        "support_tickets",
        "ticket_messages",
        "disputes",
        "dispute_statements",
        "request_cases",
        "conversation_reports",
        "admin_audit_log",
        "reviews",
    }


@pytest.mark.parametrize(
    ("bucket", "public", "limit"),
    [
        ("profiles", True, 10485760),
        ("verification-documents", False, 10485760),
        ("car-images", True, 5242880),
        ("dispute-evidence", False, 10485760),
    ],
)
async def test_the_buckets_exist(market: asyncpg.Connection, bucket: str, public: bool, limit: int) -> None:
    row = await market.fetchrow("select public, file_size_limit from storage.buckets where id = $1", bucket)
    assert row is not None
    assert tuple(row) == (public, limit)
