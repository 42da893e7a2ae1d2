"""Sessions and the methods they were authenticated by: queries on auth.sessions and auth.mfa_amr_claims."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth.tables import amr_claims, sessions


async def create(db: AsyncConnection, session_id: UUID, user_id: UUID, now: datetime, **values: Any) -> None:
    """A session of the first level; `values` are `user_agent`, `ip` and what its refresh tokens need."""
    row = {"id": session_id, "user_id": user_id, "created_at": now, "updated_at": now, "aal": "aal1", **values}
    await db.execute(insert(sessions).values(row))


async def find(db: AsyncConnection, session_id: UUID, lock: bool = False) -> RowMapping | None:
    """A session; `lock` makes a second refresh wait until this one has committed."""
    statement = select(sessions).where(sessions.c.id == session_id)
    result = await db.execute(statement.with_for_update() if lock else statement)
    return result.mappings().one_or_none()


async def of_user(db: AsyncConnection, user_id: UUID) -> Sequence[RowMapping]:
    """The account's sessions."""
    return (await db.execute(select(sessions).where(sessions.c.user_id == user_id))).mappings().all()


async def change(db: AsyncConnection, session_id: UUID, **values: Any) -> RowMapping:
    """The session with new values."""
    statement = update(sessions).where(sessions.c.id == session_id).values(**values)
    changed: RowMapping = (await db.execute(statement.returning(sessions))).mappings().one()
    return changed


async def add_method(db: AsyncConnection, claim_id: UUID, session_id: UUID, method: str, now: datetime) -> None:
    """Note that the session was authenticated by `method`; again only moves its time."""
    row = {"id": claim_id, "session_id": session_id, "authentication_method": method}
    statement = upsert(amr_claims).values(**row, created_at=now, updated_at=now)
    key = ["session_id", "authentication_method"]
    await db.execute(statement.on_conflict_do_update(index_elements=key, set_={"updated_at": now}))


async def methods(db: AsyncConnection, session_id: UUID) -> Sequence[RowMapping]:
    """The session's methods, newest first."""
    statement = select(amr_claims).where(amr_claims.c.session_id == session_id)
    return (await db.execute(statement.order_by(amr_claims.c.updated_at.desc()))).mappings().all()


async def note_refresh(db: AsyncConnection, session_id: UUID, now: datetime, **values: Any) -> None:
    """`refreshed_at` has no zone and is UTC."""
    moment = now.astimezone(UTC).replace(tzinfo=None)
    statement = update(sessions).where(sessions.c.id == session_id)
    await db.execute(statement.values(refreshed_at=moment, updated_at=now, **values))


async def end_all(db: AsyncConnection, user_id: UUID) -> None:
    """End every session of the account; their refresh tokens go with them."""
    await db.execute(delete(sessions).where(sessions.c.user_id == user_id))


async def end(db: AsyncConnection, session_id: UUID) -> None:
    await db.execute(delete(sessions).where(sessions.c.id == session_id))


async def end_others(db: AsyncConnection, user_id: UUID, session_id: UUID | None) -> None:
    """End all the account's sessions but one."""
    statement = delete(sessions).where(sessions.c.user_id == user_id)
    await db.execute(statement.where(sessions.c.id != session_id) if session_id else statement)


async def end_of_client(db: AsyncConnection, user_id: UUID, client_id: UUID) -> None:
    """End what an OAuth client opened for the account."""
    this = (sessions.c.user_id == user_id) & (sessions.c.oauth_client_id == client_id)
    await db.execute(delete(sessions).where(this))


async def strengthen(db: AsyncConnection, session_id: UUID, user_id: UUID, factor_id: UUID, now: datetime) -> None:
    """The session has passed a second factor; weaker ones of the account end."""
    this = sessions.c.id == session_id
    await db.execute(update(sessions).where(this).values(aal="aal2", factor_id=factor_id, updated_at=now))
    await db.execute(delete(sessions).where(sessions.c.user_id == user_id, ~this, sessions.c.aal == "aal1"))
