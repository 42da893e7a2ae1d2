"""Queries on auth.identities: the ways a user can sign in."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth import tables
from api.auth.user import Identity

table = tables.identities


async def of_user(db: AsyncConnection, user_id: UUID) -> list[Identity]:
    """All of one user, oldest first."""
    rows = await db.execute(select(table).where(table.c.user_id == user_id).order_by(table.c.created_at))
    return [Identity(**row) for row in rows.mappings()]


async def create(
    db: AsyncConnection, identity_id: UUID, user_id: UUID, provider: str, data: dict[str, Any], now: datetime
) -> None:
    """Add the email or phone identity of a user; its provider id is the user's own."""
    await db.execute(
        insert(table).values(
            id=identity_id,
            user_id=user_id,
            provider=provider,
            provider_id=str(user_id),
            identity_data=data,
            last_sign_in_at=now,
            created_at=now,
            updated_at=now,
        )
    )


async def merge_data(db: AsyncConnection, identity: Identity, data: dict[str, Any], now: datetime) -> None:
    """Change what the provider said of the user."""
    merged = {**identity.identity_data, **data}
    await db.execute(update(table).where(table.c.id == identity.id).values(identity_data=merged, updated_at=now))


async def remove(db: AsyncConnection, identity_id: UUID) -> None:
    """Unlink one."""
    await db.execute(delete(table).where(table.c.id == identity_id))
