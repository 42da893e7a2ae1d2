"""Constraints of the auth tables that services and users' data rely on."""

from __future__ import annotations

import asyncpg
import pytest

NEW_USER = "insert into auth.users (id, email, is_sso_user) values (gen_random_uuid(), $1, $2) returning id"


async def test_an_email_belongs_to_one_account(db: asyncpg.Connection) -> None:
    await db.fetchval(NEW_USER, "ada@example.com", False)
    with pytest.raises(asyncpg.UniqueViolationError, match="users_email_partial_key"):
        await db.fetchval(NEW_USER, "ada@example.com", False)


async def test_accounts_from_single_sign_on_may_share_an_email(db: asyncpg.Connection) -> None:
    await db.fetchval(NEW_USER, "ada@example.com", True)
    assert await db.fetchval(NEW_USER, "ada@example.com", True)


async def test_hashes_of_tokens_are_unique_and_codes_of_digits_are_not(db: asyncpg.Connection) -> None:
    insert = "insert into auth.users (id, confirmation_token) values (gen_random_uuid(), $1)"
    for token in ("", "", "123456", "123456", "pkce_a"):
        await db.execute(insert, token)
    with pytest.raises(asyncpg.UniqueViolationError, match="confirmation_token_idx"):
        await db.execute(insert, "pkce_a")


async def test_confirmation_is_the_earlier_of_email_and_phone(db: asyncpg.Connection) -> None:
    confirmed = await db.fetchval(
        "insert into auth.users (id, email_confirmed_at, phone_confirmed_at)"
        " values (gen_random_uuid(), '2026-02-01Z', '2026-01-01Z') returning confirmed_at = '2026-01-01Z'"
    )
    assert confirmed


async def test_deleting_a_user_deletes_what_belongs_to_it(db: asyncpg.Connection) -> None:
    user = await db.fetchval(NEW_USER, "ada@example.com", False)
    await db.execute(
        "insert into auth.identities (provider_id, user_id, identity_data, provider) values ('x', $1, '{}', 'email')",
        user,
    )
    session = await db.fetchval(
        "insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1) returning id", user
    )
    await db.execute(
        "insert into auth.refresh_tokens (token, user_id, session_id) values ('t', $1, $2)", str(user), session
    )
    await db.execute("delete from auth.users where id = $1", user)
    for table in ("identities", "sessions", "refresh_tokens"):
        assert await db.fetchval(f"select count(*) from auth.{table}") == 0


async def test_an_identitys_email_is_that_of_its_data_in_lower_case(db: asyncpg.Connection) -> None:
    user = await db.fetchval(NEW_USER, None, False)
    email = await db.fetchval(
        "insert into auth.identities (provider_id, user_id, identity_data, provider)"
        """ values ('x', $1, '{"email": "Ada@Example.com"}', 'email') returning email""",
        user,
    )
    assert email == "ada@example.com"
