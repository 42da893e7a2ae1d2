"""The refresh grant: which session a token belongs to, whether that may go on, and what it goes on with.

The session's row is locked, so of two refreshes with one token the second waits and then finds itself the parent of
the active token. Rotation, the reuse interval, the parent rule and the end of a family follow below.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from uuid import UUID

from sqlalchemy.exc import DBAPIError

from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import refresh_tokens, sessions, users
from minato.auth.rows.reading import only
from minato.auth.rows.refresh_tokens import RefreshToken
from minato.auth.rows.sessions import Session
from minato.auth.rows.users import User
from minato.auth.sessions import refresh_chain, refresh_token_v2, validity
from minato.auth.sessions.refresh_token_v2 import RefreshTokenV2
from minato.auth.sessions.sign_in import (
    SessionClient,
    Shown,
    asked_beside_found,
    read_beside,
    session_json,
    token_headers,
)
from minato.auth.wire.errors import AuthError, CommittedError, OAuthError, invalid
from minato.database.wire.session import Command

_TOKEN = re.compile(r"[a-z0-9]{12}")
_LOCK_NOT_AVAILABLE = "55P03"
# GoTrue tries for so long to lock the session.
WAIT_FOR_OTHERS = Command("set local lock_timeout = '5s'")
Rotated = tuple[str, dict[str, str]]
"""The token to answer with, and headers that say how it came about."""
FRESH = {"sb-auth-refresh-token-reuse": "false"}


@dataclass
class RefreshTokenGrantParams:
    refresh_token: str = field(default="", repr=False)


async def grant_refresh_token(tx: Transaction) -> Response:
    return await refresh(tx, tx.params(RefreshTokenGrantParams).refresh_token)


async def refresh(tx: Transaction, given: str, client_id: UUID | None = None) -> Response:
    """The Session object for a refresh token that is used by its owner, or by the OAuth client it was issued to."""
    token = _version_2(given, client_id)
    found = await _find(tx, given, token)
    user, session = _require_found(tx, found, token)
    await _require_valid(tx, session)
    client = _require_client(session, client_id)
    if token is not None:
        issued, headers = await rotate_v2(tx, user, session, token)
    else:
        assert found.token is not None, "it was found, or refused"
        issued, headers = await rotate(tx, user, session, found.token)
    sessions.note_refresh(tx.db, session.id, tx.now, tx.user_agent, tx.ip)
    body = await session_json(tx, user, session.id, issued, client=client, shown=found.shown)
    return Response(body, headers={**token_headers(user, session.id, issued), **headers})


def _version_2(given: str, client_id: UUID | None) -> RefreshTokenV2 | None:
    """The token where it is of version 2; None for one of version 1."""
    if _TOKEN.fullmatch(given):
        return None
    token = refresh_token_v2.decode(given) if len(given) > refresh_chain.LENGTH else None
    if token is None and client_id is not None:
        raise refused("refresh_token_not_found", "Refresh Token Not Found")
    if token is None:
        raise invalid("Refresh token is not valid")
    return token


@dataclass(frozen=True)
class Found:
    """What a refresh begins with, the session locked. `token` is that of version 1, as whoever had the lock left it."""

    token: RefreshToken | None
    user: User | None
    session: Session | None
    shown: Shown


async def _find(tx: Transaction, given: str, token: RefreshTokenV2 | None) -> Found:
    """Everything the refresh needs, in one flush. The session comes first: what stands behind is read once it is
    locked."""
    if token is None:
        key, user, session = given, refresh_tokens.OWNER, refresh_tokens.SESSION
    else:
        key, user, session = str(token.session_id), sessions.OWNER, "$1"
    asked = [sessions.locked(key, session), users.by_id(key, user), refresh_tokens.by_token(key)]
    try:
        _, held, owner, used, *beside = await tx.db.ask(
            WAIT_FOR_OTHERS, *asked, *asked_beside_found(key, user, session)
        )
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
            raise
        message = "Too many concurrent token refresh requests on the same session or refresh token"
        raise AuthError(409, "conflict", message) from error
    return Found(
        only(refresh_tokens.read_tokens(used)),
        only(users.read_users(owner)),
        only(sessions.read_sessions(held)),
        read_beside(beside),
    )


def _require_found(tx: Transaction, found: Found, token: RefreshTokenV2 | None) -> tuple[User, Session]:
    """Whose token it is and of which session."""
    user, session = found.user, found.session
    is_known = found.token is not None if token is None else session is not None and _is_signed(session, token)
    if not is_known or user is None:
        raise refused("refresh_token_not_found", "Refresh Token Not Found")
    if user.is_banned(tx.now):
        raise refused("user_banned", "User Banned")
    if session is None:
        raise refused("session_not_found", "No Valid Session Found")
    return user, session


def _is_signed(session: Session, token: RefreshTokenV2) -> bool:
    if not refresh_chain.is_version_2(session):
        return False
    assert session.refresh_token_hmac_key is not None, "tokens of version 2 have a key"
    return token.is_signed_with(session.refresh_token_hmac_key)


async def _require_valid(tx: Transaction, session: Session) -> None:
    reason = await validity.why_over(tx, session)
    if reason is None and tx.settings.sessions_single_per_user:
        reason = await validity.why_superseded(tx, session)
    if reason is not None:
        raise refused("session_expired", reason)


def _require_client(session: Session, client_id: UUID | None) -> SessionClient | None:
    """A session goes on in the hands it was opened for."""
    owner = session.oauth_client_id
    if owner is None and client_id is not None:
        raise OAuthError("invalid_client", "Client authentication not allowed for non-OAuth session")
    if owner is not None and client_id is None:
        raise OAuthError("invalid_client", "Client authentication required for OAuth session")
    if owner != client_id:
        raise OAuthError("invalid_client", "Client does not match the session's OAuth client")
    return SessionClient(owner, session.scopes or "") if owner else None


def refused(code: str, reason: str) -> AuthError:
    return AuthError(400, code, f"Invalid Refresh Token: {reason}")


async def rotate(tx: Transaction, user: User, session: Session, token: RefreshToken) -> Rotated:
    """After a token of version 1; the session is locked."""
    if token.revoked:
        active = await refresh_tokens.active(tx.db, token.session_id)
        if active is not None and active.parent == token.token:
            # The client never got its answer; it gets the same one again.
            await tx.record(user, "token_refreshed")
            return str(active.token), {}
        # Without a live token the family was revoked as stolen, which no interval excuses.
        await _require_recent(tx, token, family_lives=active is not None or refresh_chain.is_version_2(session))
    await tx.record(user, "token_refreshed")
    issued = await refresh_chain.issue_after(tx, user, token)
    if _is_upgraded(tx, session):
        issued = await _upgrade(tx, session)
    return issued, FRESH


async def _require_recent(tx: Transaction, token: RefreshToken, family_lives: bool) -> None:
    """A used token counts as stolen once the reuse interval is over: the whole family ends."""
    interval = timedelta(seconds=tx.settings.security_refresh_token_reuse_interval)
    if family_lives and tx.now <= token.updated_at + interval:
        return
    if tx.settings.security_refresh_token_rotation_enabled:
        await refresh_tokens.revoke_family(tx.db, token.session_id, tx.now)
    raise CommittedError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")


def _is_upgraded(tx: Transaction, session: Session) -> bool:
    """The share is one of sessions, not of requests: a session's id decides, every time alike."""
    settings = tx.settings
    share = settings.security_refresh_token_upgrade_percentage
    version_2 = settings.security_refresh_token_algorithm_version == 2
    return version_2 and zlib.crc32(session.id.bytes) % 100 < share


async def _upgrade(tx: Transaction, session: Session) -> str:
    await refresh_tokens.revoke_family(tx.db, session.id, tx.now)
    if refresh_chain.is_version_2(session):
        return await refresh_chain.advance(tx, session, 1)
    changed = await sessions.change(tx.db, session.id, **refresh_chain.version_2_columns(tx))
    return await refresh_chain.advance(tx, changed, 0)


async def rotate_v2(tx: Transaction, user: User, session: Session, token: RefreshTokenV2) -> Rotated:
    """After a token of version 2; the session is locked."""
    assert session.refresh_token_counter is not None, "tokens of version 2 have a counter"
    behind = session.refresh_token_counter - token.counter
    if behind < 0:
        raise invalid("Invalid Refresh Token: Not Issued By This Server")
    headers = dict(FRESH) if behind == 0 else await _reuse(tx, session, behind)
    issued = await refresh_chain.advance(tx, session, 1 if behind == 0 else 0)
    await tx.record(user, "token_refreshed")
    return issued, headers


async def _reuse(tx: Transaction, session: Session, behind: int) -> dict[str, str]:
    """Why an old token is honoured; it is not when nothing excuses it, and then the session ends."""
    settings = tx.settings
    used = (session.refreshed_at.replace(tzinfo=UTC)) if session.refreshed_at else session.created_at
    interval = timedelta(seconds=settings.security_refresh_token_reuse_interval)
    excuses = {
        "concurrent-refresh": abs(tx.now - used) < interval,
        "fail-to-save": behind == 1,
        "always-allow": settings.security_refresh_token_allow_reuse,
    }
    causes = [name for name, applies in excuses.items() if applies]
    if causes:
        return {"sb-auth-refresh-token-reuse-cause": ",".join(causes)}
    if settings.security_refresh_token_rotation_enabled:
        await sessions.end(tx.db, session.id)
    raise CommittedError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
