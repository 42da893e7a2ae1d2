"""A session's chain of refresh tokens in either version: begun at sign-in, continued by a second factor."""

from __future__ import annotations

import base64
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth import counted_tokens, refresh_tokens, sessions
from minato.auth.call import Call
from minato.auth.users import User

LENGTH = 12


def new_columns(call: Call) -> dict[str, Any]:
    """What a new session keeps for its tokens: nothing in version 1, a key and a counter in version 2."""
    if call.settings.security_refresh_token_algorithm_version != 2:
        return {}
    return counted_columns(call)


def counted_columns(call: Call) -> dict[str, Any]:
    key = base64.urlsafe_b64encode(call.backend.entropy.bytes(counted_tokens.KEY_BYTES)).rstrip(b"=").decode()
    return {"refresh_token_hmac_key": key, "refresh_token_counter": 0}


async def begin(call: Call, user: User, session_id: UUID, columns: dict[str, Any]) -> str:
    """The first token of a session that was made with `columns`."""
    if columns:
        return counted_tokens.encode(session_id, 0, columns["refresh_token_hmac_key"])
    return await issue(call, user, session_id, parent=None)


async def issue(call: Call, user: User, session_id: UUID, parent: str | None) -> str:
    """A new token of version 1."""
    token = call.backend.entropy.base32(LENGTH)
    return await refresh_tokens.issue(call.db, token, user.id, session_id, call.now, parent=parent)


async def continue_strongly(call: Call, user: User, session_id: UUID) -> str:
    """The token after a second factor was proven; the one before no longer leads to this level."""
    session = await sessions.find(call.db, session_id, lock=True)
    if session is not None and is_counted(session):
        # Two steps ahead, so that the token before counts neither as current nor as the one before.
        return await count_on(call, session, 2)
    active = await refresh_tokens.active(call.db, session_id)
    if active is None:
        return await issue(call, user, session_id, parent=None)
    return await swap(call, user, active)


async def swap(call: Call, user: User, used: RowMapping) -> str:
    """The token that follows `used`."""
    await call.record(user, "token_revoked")
    if not used["revoked"]:
        await refresh_tokens.revoke(call.db, used["id"], call.now)
    return await issue(call, user, used["session_id"], parent=str(used["token"]))


async def count_on(call: Call, session: RowMapping, steps: int) -> str:
    """The session's current token of version 2, `steps` ahead."""
    counter = session["refresh_token_counter"] + steps
    if steps:
        await sessions.change(call.db, session["id"], refresh_token_counter=counter)
    return counted_tokens.encode(session["id"], counter, session["refresh_token_hmac_key"])


def is_counted(session: RowMapping) -> bool:
    """Whether the session's tokens are of version 2."""
    return session["refresh_token_hmac_key"] is not None and session["refresh_token_counter"] is not None


def headers(token: str) -> dict[str, str]:
    """What GoTrue tells proxies and logs about a token."""
    counted = counted_tokens.decode(token) if len(token) > LENGTH else None
    if counted is not None:
        return {"sb-auth-refresh-token-counter": str(counted.counter)}
    return {"sb-auth-refresh-token-prefix": token[:5]}
