"""What every successful sign-in ends with: a session row, its first refresh token, an access token, the answer."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from typing import Any
from uuid import UUID

from api.auth import access_token, audit, refresh_tokens, sessions, users
from api.auth.call import Answer, Call
from api.auth.sessions import Session
from api.auth.user import User

PREFIX_LENGTH = 5


async def open_session(call: Call, user: User, method: str, provider: str = "email") -> Answer:
    """Sign `user` in by `method` (an amr method) and answer with the session."""
    now = call.now
    session = Session(call.new_id(), user.id, now, None, None, None, [(method, now)])
    await sessions.create(call.db, session, user_agent(call), ip_or_none(call.client_ip))
    await sessions.add_method(call.db, call.new_id(), session.id, method, now)
    await users.change(call.db, user.id, last_sign_in_at=now, updated_at=now)
    await audit.record(call, "login", user, {"provider": provider})
    token = await refresh_tokens.create(call.db, call.services.backend.entropy, user.id, session.id, now)
    return session_answer(call, await users.reload(call.db, user), session, token)


def session_answer(call: Call, user: User, session: Session, refresh_token: str, **extra: Any) -> Answer:
    """The session as clients get it, with the informational headers."""
    access, expires_at = access_token.issue(call, user, session)
    document = {
        "access_token": access,
        "token_type": "bearer",
        "expires_in": call.settings.jwt_exp,
        "expires_at": expires_at,
        "refresh_token": refresh_token,
        "user": user.as_json(),
        **extra,
    }
    headers = (
        ("sb-auth-user-id", str(user.id)),
        ("sb-auth-session-id", str(session.id)),
        ("sb-auth-refresh-token-prefix", refresh_token[:PREFIX_LENGTH]),
    )
    return Answer(200, document, headers)


async def continue_session(call: Call, user: User, session: Session, refresh_token: str) -> Answer:
    """The answer to a refresh of `session`."""
    await sessions.touch(call.db, session.id, call.now, user_agent(call), ip_or_none(call.client_ip))
    return session_answer(call, user, replace(session, refreshed_at=call.now), refresh_token)


def user_agent(call: Call) -> str:
    """What the client calls itself."""
    return call.headers.get("user-agent", "")


def ip_or_none(text: str) -> str | None:
    """`text` when it is an address PostgreSQL's inet takes."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None


def uuid_or_none(text: object) -> UUID | None:
    """`text` as a UUID, None when it is none."""
    try:
        return UUID(text) if isinstance(text, str) else None
    except ValueError:
        return None
