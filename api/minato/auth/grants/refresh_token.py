"""The refresh grant: which session a token belongs to, whether that may go on, and what it goes on with.

The session's row is locked, so of two refreshes with one token the second waits and then finds itself the parent of
the active token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.exc import DBAPIError

from minato.auth import counted_tokens, refresh_chain, refresh_tokens, rotation, session_validity, sessions, users
from minato.auth.call import Answer, Call
from minato.auth.counted_tokens import CountedToken
from minato.auth.errors import AuthError, OAuthError, invalid
from minato.auth.rotation import refused
from minato.auth.sign_in import SessionClient, session_json, token_headers
from minato.auth.users import User

_TOKEN = re.compile(r"[a-z0-9]{12}")
_LOCK_NOT_AVAILABLE = "55P03"


@dataclass
class RefreshTokenGrantParams:
    refresh_token: str = ""


async def grant_refresh_token(call: Call) -> Answer:
    return await refresh(call, call.params(RefreshTokenGrantParams).refresh_token)


async def refresh(call: Call, given: str, client_id: UUID | None = None) -> Answer:
    """The Session object for a refresh token that is used by its owner, or by the OAuth client it was issued to."""
    counted = _counted(given, client_id)
    user, session_id = await _find(call, given, counted)
    session = await _lock_session(call, session_id)
    await _require_valid(call, session)
    client = _require_client(session, client_id)
    if counted is not None:
        issued, headers = await rotation.count(call, user, session, counted)
    else:
        issued, headers = await _rotate(call, user, session, given)
    seen: dict[str, Any] = {"user_agent": call.user_agent, "ip": call.ip}
    await sessions.note_refresh(call.db, session["id"], call.now, **seen)
    body = await session_json(call, user, session["id"], issued, client=client)
    return Answer(body, headers={**token_headers(user, session["id"], issued), **headers})


def _counted(given: str, client_id: UUID | None) -> CountedToken | None:
    """The token where it is of version 2; None for one of version 1."""
    if _TOKEN.fullmatch(given):
        return None
    counted = counted_tokens.decode(given) if len(given) > refresh_chain.LENGTH else None
    if counted is None and client_id is not None:
        raise refused("refresh_token_not_found", "Refresh Token Not Found")
    if counted is None:
        raise invalid("Refresh token is not valid")
    return counted


async def _find(call: Call, given: str, counted: CountedToken | None) -> tuple[User, UUID]:
    """Whose token it is and of which session."""
    found = await _owner(call, given) if counted is None else await _signed_owner(call, counted)
    user = await users.find(call.db, found[0]) if found else None
    if found is None or user is None:
        raise refused("refresh_token_not_found", "Refresh Token Not Found")
    if user.is_banned(call.now):
        raise refused("user_banned", "User Banned")
    return user, found[1]


async def _owner(call: Call, given: str) -> tuple[UUID, UUID] | None:
    token = await refresh_tokens.find(call.db, given)
    return (UUID(token["user_id"]), token["session_id"]) if token else None


async def _signed_owner(call: Call, counted: CountedToken) -> tuple[UUID, UUID] | None:
    session = await sessions.find(call.db, counted.session_id)
    if session is None or not refresh_chain.is_counted(session):
        return None
    return (session["user_id"], session["id"]) if counted.is_signed_with(session["refresh_token_hmac_key"]) else None


async def _lock_session(call: Call, session_id: UUID) -> RowMapping:
    await call.db.execute(text("set local lock_timeout = '5s'"))
    try:
        session = await sessions.find(call.db, session_id, lock=True)
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
            raise
        message = "Too many concurrent token refresh requests on the same session or refresh token"
        raise AuthError(409, "conflict", message) from error
    if session is None:
        raise refused("session_not_found", "No Valid Session Found")
    return session


async def _require_valid(call: Call, session: RowMapping) -> None:
    reason = await session_validity.why_over(call, session)
    if reason is None and call.settings.sessions_single_per_user:
        reason = await session_validity.why_superseded(call, session)
    if reason is not None:
        raise refused("session_expired", reason)


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


async def _rotate(call: Call, user: User, session: RowMapping, given: str) -> rotation.Rotated:
    # Read again: whoever held the lock may have used the token.
    token = await refresh_tokens.find(call.db, given)
    if token is None:
        raise refused("refresh_token_not_found", "Refresh Token Not Found")
    return await rotation.rotate(call, user, session, token)
