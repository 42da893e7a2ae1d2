"""Signing in: a new session with its first refresh token, answered as the Session object."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from api.auth import refresh_tokens, sessions, users
from api.auth.access_token import build_claims
from api.auth.call import Answer, Call
from api.auth.hooks.points import customize_claims
from api.auth.users import User

REFRESH_TOKEN_LENGTH = 12


async def start_session(call: Call, user: User, method: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Open a session for `user`, authenticated by `method`: the Session object and its headers."""
    entropy = call.backend.entropy
    session_id = entropy.uuid4()
    await sessions.create(call.db, session_id, user.id, call.now, user_agent=call.user_agent, ip=call.ip)
    await sessions.add_method(call.db, entropy.uuid4(), session_id, method, call.now)
    user = await users.change(call.db, user, call.now, last_sign_in_at=call.now)
    token = await refresh_tokens.issue(call.db, new_refresh_token(call), user.id, session_id, call.now)
    return await session_json(call, user, session_id, token, method), token_headers(user, session_id, token)


async def answer_session(call: Call, user: User, method: str, **extra: Any) -> Answer:
    """`start_session` as an answer."""
    body, headers = await start_session(call, user, method)
    return Answer({**body, **extra}, headers=headers)


async def session_json(
    call: Call, user: User, session_id: UUID, refresh_token: str, method: str = "token_refresh"
) -> dict[str, Any]:
    """The Session object with a new access token, which `method` earned."""
    issued_at, lifetime = int(call.now.timestamp()), call.settings.jwt_exp
    methods = await sessions.methods(call.db, session_id)
    claims = build_claims(user, session_id, methods, call.issuer, issued_at, lifetime)
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
        "sb-auth-refresh-token-prefix": refresh_token[:5],
    }


def new_refresh_token(call: Call) -> str:
    """A version 1 token."""
    return call.backend.entropy.base32(REFRESH_TOKEN_LENGTH)
