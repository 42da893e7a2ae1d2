"""One-time tokens: a short code for typing and its hash for links. One live token per user and kind, used once."""

from __future__ import annotations

import hashlib
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth import tables
from api.auth.user import User
from api.auth.users import EMPTY_TOKENS, change

PKCE_PREFIX = "pkce_"
table = tables.one_time_tokens


def token_hash(address: str, code: str) -> str:
    """What a link carries for a code: hex of SHA-224 over address and code.

    >>> len(token_hash("aiko@example.com", "123456"))
    56
    """
    return hashlib.sha224((address.lower() + code).encode()).hexdigest()


async def store(
    db: AsyncConnection, token_id: UUID, user_id: UUID, kind: str, hashed: str, relates_to: str, now: datetime
) -> None:
    """Make `hashed` the user's only token of its kind (`confirmation_token`, …); users' column is the caller's."""
    await db.execute(delete(table).where(table.c.user_id == user_id, table.c.token_type == kind))
    moment = now.replace(tzinfo=None)
    await db.execute(
        insert(table).values(
            id=token_id,
            user_id=user_id,
            token_type=kind,
            token_hash=hashed,
            relates_to=relates_to,
            created_at=moment,
            updated_at=moment,
        )
    )


async def owner(db: AsyncConnection, hashed: str, *kinds: str) -> UUID | None:
    """The user whose live token of one of `kinds` this is."""
    found = await db.scalar(select(table.c.user_id).where(table.c.token_hash == hashed, table.c.token_type.in_(kinds)))
    return found


async def clear(db: AsyncConnection, user: User) -> None:
    """Spend every token of a user."""
    await db.execute(delete(table).where(table.c.user_id == user.id))
    await change(db, user.id, **EMPTY_TOKENS)


async def clear_kind(db: AsyncConnection, user: User, kind: str) -> None:
    """Spend the tokens of one kind."""
    await db.execute(delete(table).where(table.c.user_id == user.id, table.c.token_type == kind))
    await change(db, user.id, **{kind: ""})
