"""A session's chain of refresh tokens in either version: begun at sign-in, continued by a second factor."""

from __future__ import annotations

import base64
from uuid import UUID

from minato.auth.request.context import Transaction
from minato.auth.rows import refresh_tokens, sessions
from minato.auth.rows.refresh_tokens import RefreshToken
from minato.auth.rows.sessions import Session
from minato.auth.rows.users import User
from minato.auth.sessions import refresh_token_v2
from minato.auth.wire.errors import AuthError

LENGTH = 12


def new_columns(tx: Transaction) -> dict[str, object]:
    """What a new session keeps for its tokens: nothing in version 1, a key and a counter in version 2."""
    if tx.settings.security_refresh_token_algorithm_version != 2:
        return {}
    return version_2_columns(tx)


def version_2_columns(tx: Transaction) -> dict[str, object]:
    key = base64.urlsafe_b64encode(tx.backend.entropy.bytes(refresh_token_v2.KEY_BYTES)).rstrip(b"=").decode()
    return {"refresh_token_hmac_key": key, "refresh_token_counter": 0}


async def begin(tx: Transaction, user: User, session_id: UUID, columns: dict[str, object]) -> str:
    """The first token of a session that was made with `columns`."""
    if columns:
        return refresh_token_v2.encode(session_id, 0, str(columns["refresh_token_hmac_key"]))
    return await issue(tx, user, session_id, parent=None)


async def issue(tx: Transaction, user: User, session_id: UUID, parent: str | None) -> str:
    """A new token of version 1."""
    token = tx.backend.entropy.base32(LENGTH)
    return refresh_tokens.issue(tx.db, token, user.id, session_id, tx.now, parent=parent)


async def continue_at_aal2(tx: Transaction, user: User, session_id: UUID) -> str:
    """The token after a second factor was proven; the one before no longer leads to this level.

    Refuses where the family was revoked as stolen: no factor brings it back, for the thief may have enrolled it.
    """
    session = await sessions.find(tx.db, session_id, lock=True)
    if session is not None and is_version_2(session):
        # Two steps ahead, so that the token before counts neither as current nor as the one before.
        return await advance(tx, session, 2)
    active = await refresh_tokens.active(tx.db, session_id)
    if active is None:
        raise AuthError(403, "session_expired", "Session is no longer valid")
    return await issue_after(tx, user, active)


async def issue_after(tx: Transaction, user: User, used: RefreshToken) -> str:
    """The token that follows `used`."""
    await tx.record(user, "token_revoked")
    if not used.revoked:
        refresh_tokens.revoke(tx.db, used.id, tx.now)
    return await issue(tx, user, used.session_id, parent=str(used.token))


async def advance(tx: Transaction, session: Session, steps: int) -> str:
    """The session's current token of version 2, `steps` ahead."""
    assert session.refresh_token_counter is not None, "tokens of version 2 have a counter"
    assert session.refresh_token_hmac_key is not None, "tokens of version 2 have a key"
    counter = session.refresh_token_counter + steps
    if steps:
        await sessions.change(tx.db, session.id, refresh_token_counter=counter)
    return refresh_token_v2.encode(session.id, counter, session.refresh_token_hmac_key)


def is_version_2(session: Session) -> bool:
    """Whether the session's tokens are of version 2."""
    return session.refresh_token_hmac_key is not None and session.refresh_token_counter is not None


def headers(token: str) -> dict[str, str]:
    """What GoTrue tells proxies and logs about a token."""
    counted = refresh_token_v2.decode(token) if len(token) > LENGTH else None
    if counted is not None:
        return {"sb-auth-refresh-token-counter": str(counted.counter)}
    return {"sb-auth-refresh-token-prefix": token[:5]}
