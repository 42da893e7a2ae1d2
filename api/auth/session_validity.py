"""When a session counts as over although its row is still there."""

from __future__ import annotations

from datetime import UTC, timedelta

from sqlalchemy import RowMapping

from api.auth.call import Call

EXPIRED, INACTIVE = "Session Expired", "Session Expired (Inactivity)"


def why_over(call: Call, session: RowMapping) -> str | None:
    """Why the session may no longer be used, in GoTrue's words; None while it may."""
    settings = call.settings
    ends = [session["not_after"]] if session["not_after"] else []
    if settings.sessions_timebox:
        ends.append(session["created_at"] + timedelta(seconds=settings.sessions_timebox))
    if any(call.now > end for end in ends):
        return EXPIRED
    used = session["refreshed_at"].replace(tzinfo=UTC) if session["refreshed_at"] else session["created_at"]
    idle = settings.sessions_inactivity_timeout
    return INACTIVE if idle and call.now > used + timedelta(seconds=idle) else None
