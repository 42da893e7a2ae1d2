"""Refresh tokens: each session's chain of single-use tokens. Revoked ones stay, so that their reuse is noticed."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import RowMapping, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth.tables import refresh_tokens
from minato.auth.users import NIL


async def issue(
    db: AsyncConnection, token: str, user_id: UUID, session_id: UUID, now: datetime, parent: str | None = None
) -> str:
    """Insert a live token after `parent`."""
    row = {"instance_id": NIL, "token": token, "user_id": str(user_id), "session_id": session_id, "revoked": False}
    row |= {"parent": parent, "created_at": now, "updated_at": now}
    await db.execute(insert(refresh_tokens).values(row))
    return token


async def find(db: AsyncConnection, token: str) -> RowMapping | None:
    result = await db.execute(select(refresh_tokens).where(refresh_tokens.c.token == token))
    return result.mappings().one_or_none()


async def active(db: AsyncConnection, session_id: UUID) -> RowMapping | None:
    """The session's newest live token."""
    live = (refresh_tokens.c.session_id == session_id) & refresh_tokens.c.revoked.is_(False)
    result = await db.execute(select(refresh_tokens).where(live).order_by(refresh_tokens.c.id.desc()).limit(1))
    return result.mappings().one_or_none()


async def revoke(db: AsyncConnection, token_id: int, now: datetime) -> None:
    statement = update(refresh_tokens).where(refresh_tokens.c.id == token_id)
    await db.execute(statement.values(revoked=True, updated_at=now))


async def revoke_family(db: AsyncConnection, session_id: UUID, now: datetime) -> None:
    """Revoke whatever of the session is still live."""
    live = (refresh_tokens.c.session_id == session_id) & refresh_tokens.c.revoked.is_(False)
    await db.execute(update(refresh_tokens).where(live).values(revoked=True, updated_at=now))
