"""Refresh tokens: each session's chain of single-use tokens. Revoked ones stay, so that their reuse is noticed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import insert, select, update

from minato.auth.rows.tables import refresh_tokens
from minato.auth.rows.users import NIL
from minato.database.wire.transaction import ServiceTransaction


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A row of auth.refresh_tokens."""

    instance_id: UUID | None
    id: int
    token: str
    user_id: str
    revoked: bool
    created_at: datetime
    updated_at: datetime
    parent: str | None
    session_id: UUID


async def issue(
    db: ServiceTransaction, token: str, user_id: UUID, session_id: UUID, now: datetime, parent: str | None = None
) -> str:
    """Insert a live token after `parent`."""
    row = {"instance_id": NIL, "token": token, "user_id": str(user_id), "session_id": session_id, "revoked": False}
    row |= {"parent": parent, "created_at": now, "updated_at": now}
    await db.execute(insert(refresh_tokens).values(row))
    return token


async def find(db: ServiceTransaction, token: str) -> RefreshToken | None:
    result = await db.execute(select(refresh_tokens).where(refresh_tokens.c.token == token))
    row = result.mappings().one_or_none()
    return RefreshToken(**row) if row else None


async def active(db: ServiceTransaction, session_id: UUID) -> RefreshToken | None:
    """The session's newest live token."""
    live = (refresh_tokens.c.session_id == session_id) & refresh_tokens.c.revoked.is_(False)
    result = await db.execute(select(refresh_tokens).where(live).order_by(refresh_tokens.c.id.desc()).limit(1))
    row = result.mappings().one_or_none()
    return RefreshToken(**row) if row else None


async def revoke(db: ServiceTransaction, token_id: int, now: datetime) -> None:
    statement = update(refresh_tokens).where(refresh_tokens.c.id == token_id)
    await db.execute(statement.values(revoked=True, updated_at=now))


async def revoke_family(db: ServiceTransaction, session_id: UUID, now: datetime) -> None:
    """Revoke whatever of the session is still live."""
    live = (refresh_tokens.c.session_id == session_id) & refresh_tokens.c.revoked.is_(False)
    await db.execute(update(refresh_tokens).where(live).values(revoked=True, updated_at=now))
