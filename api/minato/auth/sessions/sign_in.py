"""Signing in: a new session with its first refresh token, answered as the Session object."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from minato.auth.accounts.administrator import note_answered_mail
from minato.auth.hooks.points import customize_claims
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import sessions, users
from minato.auth.rows.users import User
from minato.auth.sessions import refresh_chain
from minato.auth.sessions.access_token import build_claims
from minato.auth.sessions.validity import weak_end


@dataclass(frozen=True)
class SessionClient:
    """The OAuth client a session was opened for, and what it may do."""

    id: UUID
    scopes: str


async def start_session(
    tx: Transaction,
    user: User,
    method: str,
    client: SessionClient | None = None,
    mailed: bool = False,
    not_after: datetime | None = None,
) -> tuple[dict[str, object], dict[str, str]]:
    """Open a session for `user`, authenticated by `method`: the Session object and its headers.

    `mailed` says that a mail to the account's address was answered; `not_after`, when the session ends at the latest.
    """
    entropy = tx.backend.entropy
    session_id = entropy.uuid4()
    given = {"oauth_client_id": client.id, "scopes": client.scopes} if client else {}
    columns = refresh_chain.new_columns(tx)
    seen = {"user_agent": tx.user_agent, "ip": tx.ip}
    await sessions.create(tx.db, session_id, user.id, tx.now, not_after=not_after, **seen, **columns, **given)
    await sessions.add_method(tx.db, entropy.uuid4(), session_id, method, tx.now)
    if mailed:
        await note_answered_mail(tx, user, session_id)
    user = await users.change(tx.db, user, tx.now, last_sign_in_at=tx.now)
    token = await refresh_chain.begin(tx, user, session_id, columns)
    return await session_json(tx, user, session_id, token, method, client), token_headers(user, session_id, token)


async def answer_session(tx: Transaction, user: User, method: str, mailed: bool = False, **extra: object) -> Response:
    """`start_session` as an answer."""
    body, headers = await start_session(tx, user, method, mailed=mailed)
    return Response({**body, **extra}, headers=headers)


async def session_json(
    tx: Transaction,
    user: User,
    session_id: UUID,
    refresh_token: str,
    method: str = "token_refresh",
    client: SessionClient | None = None,
) -> dict[str, object]:
    """The Session object with a new access token, which `method` earned."""
    issued_at = int(tx.now.timestamp())
    lifetime = await _lifetime(tx, session_id, issued_at)
    methods = await sessions.methods(tx.db, session_id)
    claims = build_claims(user, session_id, methods, tx.issuer, issued_at, lifetime)
    if client is not None:
        claims |= {"client_id": str(client.id), **({"scope": client.scopes} if client.scopes else {})}
    claims = await customize_claims(tx, user.id, claims, method)
    return {
        "access_token": tx.backend.keys.sign(claims),
        "token_type": "bearer",
        "expires_in": lifetime,
        "expires_at": issued_at + lifetime,
        "refresh_token": refresh_token,
        "user": await tx.user_json(user),
    }


def token_headers(user: User, session_id: UUID, refresh_token: str) -> dict[str, str]:
    """What GoTrue tells proxies and logs about a sign-in."""
    return {
        "sb-auth-user-id": str(user.id),
        "sb-auth-session-id": str(session_id),
        **refresh_chain.headers(refresh_token),
    }


async def _lifetime(tx: Transaction, session_id: UUID, issued_at: int) -> int:
    """Seconds the access token is good for; a session that lacks a second factor may end before."""
    lifetime = tx.settings.jwt_exp
    if not tx.settings.sessions_allow_low_aal:
        return lifetime
    session = await sessions.find(tx.db, session_id)
    end = await weak_end(tx, session) if session is not None else None
    return lifetime if end is None else min(lifetime, int(end.timestamp()) - issued_at)
