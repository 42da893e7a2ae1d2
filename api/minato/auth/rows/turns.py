"""One request at a time for what a row is checked for before it is written: how long ago it was sent a message."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

# Not the row itself: whoever answers a message locks its token first and the account after it.
_TAKE = text("select pg_advisory_xact_lock(hashtextextended('minato turn ' || :subject, 0))")


async def take_turn(db: AsyncConnection, subject: UUID) -> None:
    """Wait until no other transaction has the turn of this account or factor; it ends with ours."""
    await db.execute(_TAKE, {"subject": str(subject)})
