"""Signing in: a new session with its first refresh token, answered as the Session object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from minato.auth import refresh_chain, sessions, users
from minato.auth.access_token import build_claims
from minato.auth.administrator import note_answered_mail
from minato.auth.call import Answer, Call
from minato.auth.hooks.points import customize_claims
from minato.auth.session_validity import weak_end
from minato.auth.users import User


@dataclass(frozen=True)
class SessionClient:
    """The OAuth client a session was opened for, and what it may do."""

    id: UUID
    scopes: str


async def start_session(
    call: Call, user: User, method: str, client: SessionClient | None = None, mailed: bool = False, **given: Any
) -> tuple[dict[str, Any], dict[str, str]]:
    """Open a session for `user`, authenticated by `method`: the Session object and its headers.

    `mailed` says that a mail to the account's address was answered.
    """
    entropy = call.backend.entropy
    session_id = entropy.uuid4()
    given |= {"oauth_client_id": client.id, "scopes": client.scopes} if client else {}
    columns = refresh_chain.new_columns(call)
    seen = {"user_agent": call.user_agent, "ip": call.ip}
    await sessions.create(call.db, session_id, user.id, call.now, **seen, **columns, **given)
    await sessions.add_method(call.db, entropy.uuid4(), session_id, method, call.now)
    if mailed:
        await note_answered_mail(call, user, session_id)
    user = await users.change(call.db, user, call.now, last_sign_in_at=call.now)
    token = await refresh_chain.begin(call, user, session_id, columns)
    return await session_json(call, user, session_id, token, method, client), token_headers(user, session_id, token)


async def answer_session(call: Call, user: User, method: str, mailed: bool = False, **extra: Any) -> Answer:
    """`start_session` as an answer."""
    body, headers = await start_session(call, user, method, mailed=mailed)
    return Answer({**body, **extra}, headers=headers)


async def session_json(
    call: Call,
    user: User,
    session_id: UUID,
    refresh_token: str,
    method: str = "token_refresh",
    client: SessionClient | None = None,
) -> dict[str, Any]:
    """The Session object with a new access token, which `method` earned."""
    issued_at = int(call.now.timestamp())
    lifetime = await _lifetime(call, session_id, issued_at)
    methods = await sessions.methods(call.db, session_id)
    claims = build_claims(user, session_id, methods, call.issuer, issued_at, lifetime)
    if client is not None:
        claims |= {"client_id": str(client.id), **({"scope": client.scopes} if client.scopes else {})}
    claims = await customize_claims(call, user.id, claims, method)
    return {
        "access_token": call.backend.keys.sign(claims),
        "token_type": "bearer",
        "expires_in": lifetime,
        "expires_at": issued_at + lifetime,
        "refresh_token": refresh_token,
        "user": await call.user_json(user),
    }


def token_headers(user: User, session_id: UUID, refresh_token: str) -> dict[str, str]:
    """What GoTrue tells proxies and logs about a sign-in."""
    return {
        "sb-auth-user-id": str(user.id),
        "sb-auth-session-id": str(session_id),
        **refresh_chain.headers(refresh_token),
    }


async def _lifetime(call: Call, session_id: UUID, issued_at: int) -> int:
    """Seconds the access token is good for; a session that lacks a second factor may end before."""
    lifetime = call.settings.jwt_exp
    if not call.settings.sessions_allow_low_aal:
        return lifetime
    session = await sessions.find(call.db, session_id)
    end = await weak_end(call, session) if session is not None else None
    return lifetime if end is None else min(lifetime, int(end.timestamp()) - issued_at)
