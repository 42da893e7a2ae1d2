"""Refresh tokens: a chain per session, of which the newest unrevoked one is active. Old ones stay, to notice reuse."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth import tables
from api.auth.users import NIL
from api.entropy import Entropy

LENGTH = 12
table = tables.refresh_tokens


@dataclass(frozen=True)
class RefreshToken:
    """A link of the chain; `updated_at` is when it was revoked."""

    token: str
    parent: str | None
    revoked: bool
    session_id: UUID | None
    user_id: UUID
    updated_at: datetime


async def find(db: AsyncConnection, token: str) -> RefreshToken | None:
    """The token, whatever its state."""
    row = (await db.execute(select(table).where(table.c.token == token))).mappings().first()
    return None if row is None else _from_row(row)


async def active(db: AsyncConnection, session_id: UUID) -> RefreshToken | None:
    """The newest unrevoked token of a session."""
    query = select(table).where(table.c.session_id == session_id, table.c.revoked.is_(False))
    row = (await db.execute(query.order_by(table.c.id.desc()).limit(1))).mappings().first()
    return None if row is None else _from_row(row)


async def create(
    db: AsyncConnection, entropy: Entropy, user_id: UUID, session_id: UUID, now: datetime, parent: str | None = None
) -> str:
    """A new active token of the session."""
    token = entropy.base32(LENGTH)
    await db.execute(
        insert(table).values(
            instance_id=NIL,
            token=token,
            user_id=str(user_id),
            session_id=session_id,
            revoked=False,
            parent=parent or "",
            created_at=now,
            updated_at=now,
        )
    )
    return token


async def revoke(db: AsyncConnection, token: str, now: datetime) -> None:
    """Take one token out of use."""
    await db.execute(update(table).where(table.c.token == token).values(revoked=True, updated_at=now))


async def revoke_family(db: AsyncConnection, session_id: UUID, now: datetime) -> None:
    """Take every token of a session out of use."""
    query = update(table).where(table.c.session_id == session_id, table.c.revoked.is_(False))
    await db.execute(query.values(revoked=True, updated_at=now))


def _from_row(row: object) -> RefreshToken:
    values = dict(row)  # type: ignore[call-overload]
    return RefreshToken(
        token=values["token"],
        parent=values["parent"] or None,
        revoked=bool(values["revoked"]),
        session_id=values["session_id"],
        user_id=UUID(values["user_id"]),
        updated_at=values["updated_at"],
    )
