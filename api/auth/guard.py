"""Who may use a route: everybody, a signed-in user, or an administrator. GoTrue's checks in GoTrue's order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

from api.auth import sessions, users
from api.auth.call import Call
from api.auth.errors import AuthError
from api.auth.sign_in import uuid_or_none
from api.tokens.caller import Claims
from api.tokens.errors import TokenError, TokenErrorKind

Guard = Callable[[Call], Awaitable[None]]
NIL = UUID(int=0)


async def everybody(call: Call) -> None:
    """No check."""


async def signed_in(call: Call) -> None:
    """A valid token of a user whose session still exists."""
    call.claims = verified_claims(call)
    await _load_user(call)
    if call.user.is_banned(call.now):
        raise AuthError(403, "user_banned", "User is banned")


async def not_anonymous(call: Call) -> None:
    """A signed-in user who is more than a visitor."""
    await signed_in(call)
    if call.claims.get("is_anonymous") is True:
        raise AuthError(403, "no_authorization", "Anonymous user not allowed to perform these actions")


async def administrator(call: Call) -> None:
    """A token of an administrator's role; it need not speak for a user."""
    call.claims = verified_claims(call)
    if call.claims.get("session_id"):
        await _load_user(call)
    if call.claims.get("role") not in call.settings.jwt_admin_roles:
        raise AuthError(403, "not_admin", "User not allowed")


def verified_claims(call: Call) -> Claims:
    """The claims of the bearer token, its signature and times checked."""
    scheme, _, token = call.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token or " " in token:
        raise AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token")
    try:
        claims = call.services.backend.keys.verify(token)
    except TokenError as error:
        raise _bad_jwt(token_complaint(error)) from error
    now = call.services.backend.clock.timestamp()
    if is_number(claims.get("exp")) and claims["exp"] <= now:
        raise _bad_jwt("token has invalid claims: token is expired")
    if is_number(claims.get("nbf")) and claims["nbf"] > now:
        raise _bad_jwt("token has invalid claims: token is not valid yet")
    return claims


def token_complaint(error: TokenError) -> str:
    """What golang-jwt says of the token."""
    match error.kind:
        case TokenErrorKind.EMPTY | TokenErrorKind.SEGMENTS:
            return "token is malformed: token contains an invalid number of segments"
        case TokenErrorKind.HEADER | TokenErrorKind.PAYLOAD:
            return "token is malformed: could not JSON decode header"
        case TokenErrorKind.ALGORITHM:
            return f"token signature is invalid: signing method {error.algorithm} is invalid"
        case TokenErrorKind.NO_KEY:
            detail = f"unrecognized JWT kid {error.kid} for algorithm {error.algorithm}"
            return f"token is unverifiable: error while executing keyfunc: {detail}"
        case TokenErrorKind.SIGNATURE:
            return "token signature is invalid: signature is invalid"


def is_number(value: object) -> bool:
    """Whether a claim is a number; `True` is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


async def _load_user(call: Call) -> None:
    subject = call.claims.get("sub")
    if not subject:
        raise AuthError(403, "bad_jwt", "invalid claim: missing sub claim")
    user_id = uuid_or_none(subject)
    if user_id is None:
        raise AuthError(400, "bad_jwt", "invalid claim: sub claim must be a UUID")
    call.user_or_none = await users.find_by_id(call.db, user_id)
    if call.user_or_none is None:
        raise AuthError(403, "user_not_found", "User from sub claim in JWT does not exist")
    await _require_session(call)


async def _require_session(call: Call) -> None:
    claimed = call.claims.get("session_id")
    if not claimed:
        return
    session_id = uuid_or_none(claimed)
    if session_id is None:
        raise AuthError(403, "bad_jwt", "invalid claim: session_id claim must be a UUID")
    if session_id != NIL and await sessions.find(call.db, session_id) is None:
        raise AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
    call.session_id = session_id if session_id != NIL else None


def _bad_jwt(detail: str) -> AuthError:
    return AuthError(403, "bad_jwt", f"invalid JWT: unable to parse or verify signature, {detail}")
