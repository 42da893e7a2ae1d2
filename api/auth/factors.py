"""Second factors of an account, as far as other rules ask about them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth.tables import factors


async def of_user(db: AsyncConnection, user_id: UUID) -> Sequence[RowMapping]:
    """The account's factors, verified or not."""
    statement = select(factors).where(factors.c.user_id == user_id).order_by(factors.c.created_at)
    return (await db.execute(statement)).mappings().all()


async def has_verified(db: AsyncConnection, user_id: UUID) -> bool:
    return any(row["status"] == "verified" for row in await of_user(db, user_id))
