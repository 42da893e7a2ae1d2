"""When a session counts as over although its row is still there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import RowMapping

from minato.auth import factors, sessions
from minato.auth.call import Call

EXPIRED, INACTIVE = "Session Expired", "Session Expired (Inactivity)"
WEAK = "Session Expired (Low AAL: User Needs MFA Verification)"
SUPERSEDED = "Session Expired (Revoked by Newer Login)"


async def why_over(call: Call, session: RowMapping) -> str | None:
    """Why the session may no longer be used, in GoTrue's words; None while it may."""
    settings = call.settings
    ends = [session["not_after"]] if session["not_after"] else []
    if settings.sessions_timebox:
        ends.append(session["created_at"] + timedelta(seconds=settings.sessions_timebox))
    if any(call.now > end for end in ends):
        return EXPIRED
    idle = settings.sessions_inactivity_timeout
    if idle and call.now > last_used(session) + timedelta(seconds=idle):
        return INACTIVE
    end = await weak_end(call, session)
    return WEAK if end is not None and call.now > end else None


async def weak_end(call: Call, session: RowMapping) -> datetime | None:
    """When a session without the second factor its user has must end; None where it need not."""
    allowed = call.settings.sessions_allow_low_aal
    if not allowed or session["aal"] != "aal1" or not await factors.has_verified(call.db, session["user_id"]):
        return None
    end: datetime = session["created_at"] + timedelta(seconds=allowed)
    return end


async def why_superseded(call: Call, session: RowMapping) -> str | None:
    """Where an account may have one session (of a kind): whether another was used later."""
    for other in await sessions.of_user(call.db, session["user_id"]):
        same = other["id"] != session["id"] and _tag(call, other) == _tag(call, session)
        if same and last_used(other) > last_used(session) and await why_over(call, other) is None:
            return SUPERSEDED
    return None


def last_used(session: RowMapping) -> datetime:
    """When the session was refreshed last or, before that, begun."""
    refreshed: datetime | None = session["refreshed_at"]
    begun: datetime = session["created_at"]
    return refreshed.replace(tzinfo=UTC) if refreshed else begun


def _tag(call: Call, session: RowMapping) -> str:
    tags = call.settings.session_tags
    if not tags:
        return ""
    return str(session["tag"]) if session["tag"] in tags else tags[0]
