"""`grant_type=refresh_token`: the next token of a session's chain.

Two refreshes at once both succeed: the session's row is locked, and the second finds that its token is the parent of
the active one and gets that. A token that was used longer ago ends the whole family, and that must survive the refusal.
"""

from __future__ import annotations

import re
from datetime import timedelta

from api.auth import audit, refresh_tokens, sessions, users
from api.auth.call import Answer, Call
from api.auth.errors import AuthError, MarkedError, invalid
from api.auth.refresh_tokens import RefreshToken
from api.auth.sessions import Session
from api.auth.sign_in import continue_session
from api.auth.user import User

FORM = re.compile(r"[a-z0-9]{12}")


async def refresh_token_grant(call: Call) -> Answer:
    """The session again, with a new access token and the token to come back with."""
    given = call.body("RefreshTokenGrantParams").text("refresh_token")
    if not FORM.fullmatch(given):
        raise invalid("Refresh token is not valid")
    token, session, user = await _load(call, given)
    _require_valid(call, session)
    await _require_newest(call, session)
    issued = await _next_token(call, token, session)
    await audit.record(call, "token_refreshed", user)
    return await continue_session(call, user, session, issued)


async def _load(call: Call, given: str) -> tuple[RefreshToken, Session, User]:
    found = await refresh_tokens.find(call.db, given)
    if found is None or found.session_id is None:
        raise _refused("refresh_token_not_found", "Refresh Token Not Found")
    session = await sessions.find(call.db, found.session_id, lock=True)
    user = await users.find_by_id(call.db, found.user_id)
    if session is None or user is None:
        raise _refused("refresh_token_not_found", "Refresh Token Not Found")
    if user.is_banned(call.now):
        raise _refused("user_banned", "User Banned")
    # The lock may have waited for another refresh of this token: what was read before it is stale.
    token = await refresh_tokens.find(call.db, given)
    assert token is not None, "tokens go only with their session, and that is locked"
    return token, session, user


def _require_valid(call: Call, session: Session) -> None:
    over = sessions.expiry(session, call.now, call.settings)
    if over is not None:
        raise _refused("session_expired", over)
    if session.oauth_client_id is not None:
        raise AuthError(400, "invalid_client", "Client authentication required for OAuth session")


async def _require_newest(call: Call, session: Session) -> None:
    if call.settings.sessions_single_per_user and not await sessions.is_newest(call.db, session):
        raise _refused("session_expired", "Session Expired (Revoked by Newer Login)")


async def _next_token(call: Call, token: RefreshToken, session: Session) -> str:
    if token.revoked:
        active = await refresh_tokens.active(call.db, session.id)
        if active is not None and active.parent == token.token:
            return active.token
        await _require_recent(call, token, session)
    await refresh_tokens.revoke(call.db, token.token, call.now)
    entropy = call.services.backend.entropy
    return await refresh_tokens.create(call.db, entropy, session.user_id, session.id, call.now, parent=token.token)


async def _require_recent(call: Call, token: RefreshToken, session: Session) -> None:
    interval = timedelta(seconds=call.settings.security_refresh_token_reuse_interval)
    if call.now <= token.updated_at + interval:
        return
    if call.settings.security_refresh_token_rotation_enabled:
        await refresh_tokens.revoke_family(call.db, session.id, call.now)
    raise MarkedError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")


def _refused(code: str, detail: str) -> AuthError:
    return AuthError(400, code, f"Invalid Refresh Token: {detail}")
