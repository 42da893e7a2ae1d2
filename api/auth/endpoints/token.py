"""`POST /token?grant_type=…`: a session for a password, a refresh token or a PKCE code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from api.auth.call import Answer, Call
from api.auth.errors import AuthError, not_implemented
from api.auth.grants.password import password_grant
from api.auth.grants.pkce import pkce_grant
from api.auth.grants.refresh_token import refresh_token_grant

GRANTS: Mapping[str, Callable[[Call], Awaitable[Answer]]] = {
    "password": password_grant,
    "refresh_token": refresh_token_grant,
    "pkce": pkce_grant,
}
MISSING = ("id_token", "web3")


async def token(call: Call) -> Answer:
    """Hand the request to its grant."""
    name = call.query.get("grant_type", "")
    if name in MISSING:
        raise not_implemented(f"The grant type {name}")
    grant = GRANTS.get(name)
    if grant is None:
        raise AuthError(400, "invalid_credentials", "unsupported_grant_type")
    return await grant(call)
