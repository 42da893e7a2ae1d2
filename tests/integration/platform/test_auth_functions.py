"""auth.uid() and its siblings read the claims in both forms a gateway sets them."""

from __future__ import annotations

import asyncpg
import pytest

USER = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"
CLAIMS = f'{{"sub": "{USER}", "role": "authenticated", "email": "ada@example.com", "app_metadata": {{"plan": "pro"}}}}'
ASK = "select auth.uid()::text, auth.role(), auth.email(), auth.jwt() #>> '{app_metadata,plan}'"


async def ask(db: asyncpg.Connection, **settings: str) -> tuple[str | None, ...]:
    for name, value in settings.items():
        await db.execute("select set_config($1, $2, true)", f"request.jwt.{name.replace('_', '.')}", value)
    await db.execute("set local role anon")
    return tuple(await db.fetchrow(ASK))


async def test_claims_in_one_setting_are_read(db: asyncpg.Connection) -> None:
    assert await ask(db, claims=CLAIMS) == (USER, "authenticated", "ada@example.com", "pro")


async def test_claims_in_single_settings_are_read(db: asyncpg.Connection) -> None:
    asked = await ask(db, claim_sub=USER, claim_role="authenticated", claim_email="ada@example.com")
    assert asked == (USER, "authenticated", "ada@example.com", None)


async def test_a_single_setting_wins_over_the_claims(db: asyncpg.Connection) -> None:
    assert await ask(db, claims=CLAIMS, claim_sub=OTHER) == (OTHER, "authenticated", "ada@example.com", "pro")


@pytest.mark.parametrize("settings", [{}, {"claims": ""}, {"claims": "{}"}, {"claims": "", "claim_sub": ""}])
async def test_nobody_is_null_and_no_error(db: asyncpg.Connection, settings: dict[str, str]) -> None:
    assert await ask(db, **settings) == (None, None, None, None)


async def test_the_claims_come_whole(db: asyncpg.Connection) -> None:
    await db.execute("select set_config('request.jwt.claims', $1, true)", CLAIMS)
    assert await db.fetchval("select auth.jwt() = $1::jsonb", CLAIMS)
