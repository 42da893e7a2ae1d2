"""What a refresh token is answered with: rotation, the reuse interval, the parent rule, the end of a family."""

from __future__ import annotations

import zlib
from datetime import UTC, timedelta

from sqlalchemy import RowMapping

from minato.auth import refresh_chain, refresh_tokens, sessions
from minato.auth.call import Call
from minato.auth.counted_tokens import CountedToken
from minato.auth.errors import AuthError, CommittedError, invalid
from minato.auth.users import User

Rotated = tuple[str, dict[str, str]]
"""The token to answer with, and headers that say how it came about."""
FRESH = {"sb-auth-refresh-token-reuse": "false"}


def refused(code: str, reason: str) -> AuthError:
    return AuthError(400, code, f"Invalid Refresh Token: {reason}")


async def rotate(call: Call, user: User, session: RowMapping, token: RowMapping) -> Rotated:
    """After a token of version 1; the session is locked."""
    if token["revoked"]:
        active = await refresh_tokens.active(call.db, token["session_id"])
        if active is not None and active["parent"] == token["token"]:
            # The client never got its answer; it gets the same one again.
            await call.record(user, "token_refreshed")
            return str(active["token"]), {}
        # Without a live token the family was revoked as stolen, which no interval excuses.
        await _require_recent(call, token, family_lives=active is not None or refresh_chain.is_counted(session))
    await call.record(user, "token_refreshed")
    issued = await refresh_chain.swap(call, user, token)
    if _is_upgraded(call, session):
        issued = await _upgrade(call, session)
    return issued, FRESH


async def _require_recent(call: Call, token: RowMapping, family_lives: bool) -> None:
    """A used token counts as stolen once the reuse interval is over: the whole family ends."""
    interval = timedelta(seconds=call.settings.security_refresh_token_reuse_interval)
    if family_lives and call.now <= token["updated_at"] + interval:
        return
    if call.settings.security_refresh_token_rotation_enabled:
        await refresh_tokens.revoke_family(call.db, token["session_id"], call.now)
    raise CommittedError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")


def _is_upgraded(call: Call, session: RowMapping) -> bool:
    """The share is one of sessions, not of requests: a session's id decides, every time alike."""
    settings = call.settings
    share = settings.security_refresh_token_upgrade_percentage
    counted = settings.security_refresh_token_algorithm_version == 2
    return counted and zlib.crc32(session["id"].bytes) % 100 < share


async def _upgrade(call: Call, session: RowMapping) -> str:
    await refresh_tokens.revoke_family(call.db, session["id"], call.now)
    if refresh_chain.is_counted(session):
        return await refresh_chain.count_on(call, session, 1)
    changed = await sessions.change(call.db, session["id"], **refresh_chain.counted_columns(call))
    return await refresh_chain.count_on(call, changed, 0)


async def count(call: Call, user: User, session: RowMapping, token: CountedToken) -> Rotated:
    """After a token of version 2; the session is locked."""
    behind = session["refresh_token_counter"] - token.counter
    if behind < 0:
        raise invalid("Invalid Refresh Token: Not Issued By This Server")
    headers = dict(FRESH) if behind == 0 else await _reuse(call, session, behind)
    issued = await refresh_chain.count_on(call, session, 1 if behind == 0 else 0)
    await call.record(user, "token_refreshed")
    return issued, headers


async def _reuse(call: Call, session: RowMapping, behind: int) -> dict[str, str]:
    """Why an old token is honoured; it is not when nothing excuses it, and then the session ends."""
    settings = call.settings
    used = (session["refreshed_at"].replace(tzinfo=UTC)) if session["refreshed_at"] else session["created_at"]
    interval = timedelta(seconds=settings.security_refresh_token_reuse_interval)
    excuses = {
        "concurrent-refresh": abs(call.now - used) < interval,
        "fail-to-save": behind == 1,
        "always-allow": settings.security_refresh_token_allow_reuse,
    }
    causes = [name for name, applies in excuses.items() if applies]
    if causes:
        return {"sb-auth-refresh-token-reuse-cause": ",".join(causes)}
    if settings.security_refresh_token_rotation_enabled:
        await sessions.end(call.db, session["id"])
    raise CommittedError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
