"""What a refresh token is answered with: rotation, the reuse interval, the parent rule, the end of a family."""

from __future__ import annotations

import zlib
from datetime import UTC, timedelta

from minato.auth.request.context import Transaction
from minato.auth.rows import refresh_tokens, sessions
from minato.auth.rows.refresh_tokens import RefreshToken
from minato.auth.rows.sessions import Session
from minato.auth.rows.users import User
from minato.auth.sessions import refresh_chain
from minato.auth.sessions.refresh_token_v2 import RefreshTokenV2
from minato.auth.wire.errors import AuthError, CommittedError, invalid

Rotated = tuple[str, dict[str, str]]
"""The token to answer with, and headers that say how it came about."""
FRESH = {"sb-auth-refresh-token-reuse": "false"}


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
