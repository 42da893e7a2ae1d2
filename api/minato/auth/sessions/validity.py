"""When a session counts as over although its row is still there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from minato.auth.request.context import ReadTransaction
from minato.auth.request.data import RequestData
from minato.auth.rows import factors, sessions
from minato.auth.rows.sessions import Session

EXPIRED, INACTIVE = "Session Expired", "Session Expired (Inactivity)"
WEAK = "Session Expired (Low AAL: User Needs MFA Verification)"
SUPERSEDED = "Session Expired (Revoked by Newer Login)"


async def why_over(tx: ReadTransaction, session: Session) -> str | None:
    """Why the session may no longer be used, in GoTrue's words; None while it may."""
    settings = tx.settings
    ends = [session.not_after] if session.not_after else []
    if settings.sessions_timebox:
        ends.append(session.created_at + timedelta(seconds=settings.sessions_timebox))
    if any(tx.now > end for end in ends):
        return EXPIRED
    idle = settings.sessions_inactivity_timeout
    if idle and tx.now > last_used(session) + timedelta(seconds=idle):
        return INACTIVE
    end = await weak_end(tx, session)
    return WEAK if end is not None and tx.now > end else None


async def weak_end(tx: ReadTransaction, session: Session) -> datetime | None:
    """When a session without the second factor its user has must end; None where it need not."""
    allowed = tx.settings.sessions_allow_low_aal
    if not allowed or session.aal != "aal1" or not await factors.has_verified(tx.db, session.user_id):
        return None
    end: datetime = session.created_at + timedelta(seconds=allowed)
    return end


async def why_superseded(tx: ReadTransaction, session: Session) -> str | None:
    """Where an account may have one session (of a kind): whether another was used later."""
    for other in await sessions.of_user(tx.db, session.user_id):
        same = other.id != session.id and _tag(tx, other) == _tag(tx, session)
        if same and last_used(other) > last_used(session) and await why_over(tx, other) is None:
            return SUPERSEDED
    return None


def last_used(session: Session) -> datetime:
    """When the session was refreshed last or, before that, begun."""
    refreshed: datetime | None = session.refreshed_at
    begun: datetime = session.created_at
    return refreshed.replace(tzinfo=UTC) if refreshed else begun


def _tag(data: RequestData, session: Session) -> str:
    tags = data.settings.session_tags
    if not tags:
        return ""
    return str(session.tag) if session.tag in tags else tags[0]
