"""Sessions: one row per sign-in, with the methods it was reached by. A session ends with its row."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth import tables
from api.config.auth import AuthSettings

table = tables.sessions
methods_table = tables.mfa_amr_claims


@dataclass(frozen=True)
class Session:
    """A session; `methods` are (method, when), newest first."""

    id: UUID
    user_id: UUID
    created_at: datetime
    refreshed_at: datetime | None
    not_after: datetime | None
    oauth_client_id: UUID | None
    methods: list[tuple[str, datetime]]


async def find(db: AsyncConnection, session_id: UUID, *, lock: bool = False) -> Session | None:
    """The session, with its row locked when asked so that refreshes of it take turns."""
    query = select(table).where(table.c.id == session_id)
    row = (await db.execute(query.with_for_update() if lock else query)).mappings().first()
    if row is None:
        return None
    refreshed = row["refreshed_at"]
    return Session(
        id=row["id"],
        user_id=row["user_id"],
        created_at=row["created_at"],
        refreshed_at=refreshed.replace(tzinfo=UTC) if refreshed is not None else None,
        not_after=row["not_after"],
        oauth_client_id=row["oauth_client_id"],
        methods=await _methods(db, session_id),
    )


async def create(db: AsyncConnection, session: Session, user_agent: str, ip: str | None) -> None:
    """Insert the row; methods follow by `add_method`."""
    await db.execute(
        insert(table).values(
            id=session.id,
            user_id=session.user_id,
            created_at=session.created_at,
            updated_at=session.created_at,
            aal="aal1",
            user_agent=user_agent,
            ip=ip,
        )
    )


async def add_method(db: AsyncConnection, claim_id: UUID, session_id: UUID, method: str, now: datetime) -> None:
    """Note how the session was reached."""
    await db.execute(
        insert(methods_table).values(
            id=claim_id, session_id=session_id, created_at=now, updated_at=now, authentication_method=method
        )
    )


async def touch(db: AsyncConnection, session_id: UUID, now: datetime, user_agent: str, ip: str | None) -> None:
    """Note a refresh."""
    moment = now.astimezone(UTC).replace(tzinfo=None)
    values = {"refreshed_at": moment, "updated_at": now, "user_agent": user_agent, "ip": ip}
    await db.execute(update(table).where(table.c.id == session_id).values(**values))


async def end(db: AsyncConnection, session_id: UUID) -> None:
    """End one session."""
    await db.execute(delete(table).where(table.c.id == session_id))


async def end_all(db: AsyncConnection, user_id: UUID, but: UUID | None = None) -> None:
    """End every session of a user, except `but`."""
    query = delete(table).where(table.c.user_id == user_id)
    await db.execute(query if but is None else query.where(table.c.id != but))


async def is_newest(db: AsyncConnection, session: Session) -> bool:
    """Whether no other session of the user was used later."""
    rows = await db.execute(
        select(table.c.id, table.c.refreshed_at, table.c.created_at).where(table.c.user_id == session.user_id)
    )
    used = {row.id: _last_used(row.refreshed_at, row.created_at) for row in rows}
    return used[session.id] >= max(used.values())


def expiry(session: Session, now: datetime, settings: AuthSettings) -> str | None:
    """Why the session is over at `now`, in the words of the refresh error; None while it holds."""
    timebox = timedelta(seconds=settings.sessions_timebox)
    inactivity = timedelta(seconds=settings.sessions_inactivity_timeout)
    if session.not_after is not None and now > session.not_after:
        return "Session Expired"
    if timebox and now > session.created_at + timebox:
        return "Session Expired"
    if inactivity and now > (session.refreshed_at or session.created_at) + inactivity:
        return "Session Expired (Inactivity)"
    return None


async def _methods(db: AsyncConnection, session_id: UUID) -> list[tuple[str, datetime]]:
    rows = await db.execute(
        select(methods_table.c.authentication_method, methods_table.c.updated_at)
        .where(methods_table.c.session_id == session_id)
        .order_by(methods_table.c.updated_at.desc())
    )
    return [(row.authentication_method, row.updated_at) for row in rows]


def _last_used(refreshed_at: datetime | None, created_at: datetime) -> datetime:
    return refreshed_at.replace(tzinfo=UTC) if refreshed_at is not None else created_at
