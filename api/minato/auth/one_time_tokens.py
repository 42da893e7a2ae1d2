"""One-time tokens: codes sent by mail, kept only as hashes, at most one live per account and kind."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth.tables import one_time_tokens

PKCE_PREFIX = "pkce_"


def token_hash(address: str, otp: str, secret: str) -> str:
    """What is stored and linked for a code sent to `address`: 56 hex digits, as GoTrue's SHA-224 of both.

    Keyed: whoever knows the address could otherwise try links instead of codes, which no account is charged for.

    >>> token_hash("Anna@example.com", "123456", "s") == token_hash("anna@example.com", "123456", "s")
    True
    """
    return hmac.new(secret.encode(), (address.lower() + otp).encode(), hashlib.sha224).hexdigest()


async def replace(
    db: AsyncConnection, row_id: UUID, user_id: UUID, kind: str, relates_to: str, hashed: str, now: datetime
) -> None:
    """Make `hashed` the account's one live token of `kind`."""
    moment = now.astimezone(UTC).replace(tzinfo=None)
    row = {"id": row_id, "token_hash": hashed, "relates_to": relates_to, "created_at": moment, "updated_at": moment}
    statement = upsert(one_time_tokens).values(**row, user_id=user_id, token_type=kind)
    await db.execute(statement.on_conflict_do_update(index_elements=["user_id", "token_type"], set_=row))


async def owner(db: AsyncConnection, hashed: str, kinds: tuple[str, ...]) -> UUID | None:
    """Whose token this is, if it is live and of one of `kinds`."""
    same = (one_time_tokens.c.token_hash == hashed) & one_time_tokens.c.token_type.in_(kinds)
    found: UUID | None = (await db.execute(select(one_time_tokens.c.user_id).where(same).limit(1))).scalar()
    return found


async def take(db: AsyncConnection, user_id: UUID, kind: str, hashed: str) -> bool:
    """Whether this call is the one that uses the token: of several at once, one is."""
    same = (one_time_tokens.c.user_id == user_id) & (one_time_tokens.c.token_type == kind)
    statement = delete(one_time_tokens).where(same, one_time_tokens.c.token_hash == hashed)
    return (await db.execute(statement.returning(one_time_tokens.c.id))).scalar() is not None


async def forget(db: AsyncConnection, user_id: UUID, kind: str | None = None) -> None:
    """Drop the account's tokens, of one kind or all."""
    statement = delete(one_time_tokens).where(one_time_tokens.c.user_id == user_id)
    await db.execute(statement.where(one_time_tokens.c.token_type == kind) if kind else statement)
