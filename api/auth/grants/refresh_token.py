"""The refresh grant: rotation, the reuse interval, the parent rule, and the end of a family whose token was stolen.

The session's row is locked, so of two refreshes with one token the second waits and then finds itself the parent of
the active token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.exc import DBAPIError

from api.auth import refresh_tokens, sessions, users
from api.auth.call import Answer, Call
from api.auth.errors import AuthError, CommittedError, OAuthError, invalid
from api.auth.session_validity import why_over
from api.auth.sign_in import SessionClient, new_refresh_token, session_json, token_headers
from api.auth.users import User

_TOKEN = re.compile(r"[a-z0-9]{12}")
_LOCK_NOT_AVAILABLE = "55P03"


@dataclass
class RefreshTokenGrantParams:
    refresh_token: str = ""


async def grant_refresh_token(call: Call) -> Answer:
    return await refresh(call, call.params(RefreshTokenGrantParams).refresh_token)


async def refresh(call: Call, given: str, client_id: UUID | None = None) -> Answer:
    """The Session object for a refresh token that is used by its owner, or by the OAuth client it was issued to."""
    if not _TOKEN.fullmatch(given):
        raise invalid("Refresh token is not valid")
    token, user = await _find(call, given)
    session = await _lock_session(call, token)
    _require_valid(call, session)
    client = _require_client(session, client_id)
    # Read again: whoever held the lock may have used the token.
    token = await refresh_tokens.find(call.db, given) or token
    issued = await _rotate(call, token, user)
    seen: dict[str, Any] = {"user_agent": call.user_agent, "ip": call.ip}
    await sessions.note_refresh(call.db, session["id"], call.now, **seen)
    body = await session_json(call, user, session["id"], issued, client)
    return Answer(body, headers=token_headers(user, session["id"], issued))


async def _find(call: Call, given: str) -> tuple[RowMapping, User]:
    token = await refresh_tokens.find(call.db, given)
    user = await users.find(call.db, UUID(token["user_id"])) if token else None
    if token is None or user is None:
        raise _refused("refresh_token_not_found", "Refresh Token Not Found")
    if user.is_banned(call.now):
        raise _refused("user_banned", "User Banned")
    return token, user


async def _lock_session(call: Call, token: RowMapping) -> RowMapping:
    await call.db.execute(text("set local lock_timeout = '5s'"))
    try:
        session = await sessions.find(call.db, token["session_id"], lock=True)
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
            raise
        message = "Too many concurrent token refresh requests on the same session or refresh token"
        raise AuthError(409, "conflict", message) from error
    if session is None:
        raise _refused("session_not_found", "No Valid Session Found")
    return session


def _require_valid(call: Call, session: RowMapping) -> None:
    reason = why_over(call, session)
    if reason is not None:
        raise _refused("session_expired", reason)


def _require_client(session: RowMapping, client_id: UUID | None) -> SessionClient | None:
    """A session goes on in the hands it was opened for."""
    owner = session["oauth_client_id"]
    if owner is None and client_id is not None:
        raise OAuthError("invalid_client", "Client authentication not allowed for non-OAuth session")
    if owner is not None and client_id is None:
        raise OAuthError("invalid_client", "Client authentication required for OAuth session")
    if owner != client_id:
        raise OAuthError("invalid_client", "Client does not match the session's OAuth client")
    return SessionClient(owner, session["scopes"] or "") if owner else None


async def _rotate(call: Call, token: RowMapping, user: User) -> str:
    """The refresh token to answer with."""
    if token["revoked"]:
        active = await refresh_tokens.active(call.db, token["session_id"])
        if active is not None and active["parent"] == token["token"]:
            return str(active["token"])
        await _require_recent(call, token)
    else:
        await refresh_tokens.revoke(call.db, token["id"], call.now)
    await call.record(user, "token_refreshed")
    return await refresh_tokens.issue(
        call.db, new_refresh_token(call), user.id, token["session_id"], call.now, parent=token["token"]
    )


async def _require_recent(call: Call, token: RowMapping) -> None:
    """A used token counts as stolen once the reuse interval is over: the whole family ends."""
    interval = timedelta(seconds=call.settings.security_refresh_token_reuse_interval)
    if call.now < token["updated_at"] + interval:
        return
    if call.settings.security_refresh_token_rotation_enabled:
        await refresh_tokens.revoke_family(call.db, token["session_id"], call.now)
    raise CommittedError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")


def _refused(code: str, reason: str) -> AuthError:
    return AuthError(400, code, f"Invalid Refresh Token: {reason}")
