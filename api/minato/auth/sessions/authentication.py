"""Who is asking: bearer token → claims → account and session, refused in GoTrue's order and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from minato.auth.request.context import ReadTransaction
from minato.auth.request.data import RequestData
from minato.auth.rows import sessions, users
from minato.auth.rows.audit_log import Actor
from minato.auth.rows.sessions import Session
from minato.auth.rows.users import NIL, User
from minato.auth.sessions.validity import why_over
from minato.auth.wire.errors import AuthError
from minato.tokens.errors import TokenError, TokenErrorKind

_BEARER = re.compile(r"bearer (\S+)$", re.I)
_DETAILS = {
    TokenErrorKind.EMPTY: "token is malformed: token contains an invalid number of segments",
    TokenErrorKind.SEGMENTS: "token is malformed: token contains an invalid number of segments",
    TokenErrorKind.HEADER: "token is malformed: could not base64 decode header",
    TokenErrorKind.PAYLOAD: "token is malformed: could not JSON decode claim",
    TokenErrorKind.SIGNATURE: "token signature is invalid: signature is invalid",
}


@dataclass(frozen=True)
class Authenticated:
    """The account behind a token; `session` is None for tokens that carry none."""

    user: User
    session: Session | None
    claims: Mapping[str, object]

    @property
    def session_id(self) -> UUID | None:
        return self.session.id if self.session else None

    @property
    def is_client(self) -> bool:
        """Whether an OAuth client speaks, with what its user allowed it."""
        return bool(self.claims.get("client_id") if self.session is None else self.session.oauth_client_id)

    @property
    def scopes(self) -> list[str]:
        """What the OAuth client may know."""
        return ((self.session.scopes if self.session else None) or "").split()

    @property
    def is_strong(self) -> bool:
        """Whether the session has passed a second factor."""
        return self.session is not None and self.session.aal != "aal1"


def require_claims(data: RequestData) -> Mapping[str, object]:
    """The claims of a verified token that has not expired."""
    match = _BEARER.match(data.headers.get("authorization", ""))
    if match is None:
        raise AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token")
    try:
        claims = data.backend.keys.verify(match[1])
    except TokenError as error:
        raise _bad_token(_detail(error)) from error
    _require_times(claims, data.backend.clock.timestamp())
    return claims


def _require_times(claims: Mapping[str, object], now: float) -> None:
    expires, begins = _seconds(claims, "exp"), _seconds(claims, "nbf")
    if expires is not None and now >= expires:
        raise _bad_token("token has invalid claims: token is expired")
    if begins is not None and now < begins:
        raise _bad_token("token has invalid claims: token is not valid yet")


def _seconds(claims: Mapping[str, object], name: str) -> float | None:
    value = claims.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise _bad_token(_DETAILS[TokenErrorKind.PAYLOAD])
    return value


async def require_user(tx: ReadTransaction, by_client: bool = False) -> Authenticated:
    """The account and session of the bearer token, which is no OAuth client's unless `by_client` says it may be."""
    claims = require_claims(tx)
    user = await _subject(tx, claims)
    session = await _session(tx, claims)
    if user.is_banned(tx.now):
        raise AuthError(403, "user_banned", "User is banned")
    who = Authenticated(user, session, claims)
    if who.is_client and not by_client and not tx.settings.oauth_server_unbound_tokens:
        raise AuthError(403, "no_authorization", "Tokens of OAuth clients are not accepted here")
    return who


async def require_known_user(tx: ReadTransaction) -> Authenticated:
    """`require_user` for what anonymous users may not do."""
    who = await require_user(tx)
    if who.claims.get("is_anonymous"):
        raise AuthError(403, "no_authorization", "Anonymous user not allowed to perform these actions")
    return who


async def require_admin(tx: ReadTransaction) -> Actor:
    """Who administers accounts: any token with such a role; when it has a session, that must be valid."""
    claims = require_claims(tx)
    if claims.get("session_id"):
        await _subject(tx, claims)
        session = await _session(tx, claims)
        if session is not None and await why_over(tx, session) is not None:
            raise AuthError(403, "session_expired", "Session is no longer valid")
    role = claims.get("role")
    if not isinstance(role, str) or role not in tx.settings.admin_roles:
        raise AuthError(403, "not_admin", "User not allowed")
    return Actor(NIL, role)


async def _subject(tx: ReadTransaction, claims: Mapping[str, object]) -> User:
    subject = claims.get("sub")
    if not subject:
        raise AuthError(403, "bad_jwt", "invalid claim: missing sub claim")
    user_id = _uuid(subject)
    if user_id is None:
        raise AuthError(400, "bad_jwt", "invalid claim: sub claim must be a UUID")
    user = await users.find(tx.db, user_id)
    if user is None:
        raise AuthError(403, "user_not_found", "User from sub claim in JWT does not exist")
    return user


async def _session(tx: ReadTransaction, claims: Mapping[str, object]) -> Session | None:
    claim = claims.get("session_id")
    if not claim or claim == str(NIL):
        return None
    session_id = _uuid(claim)
    if session_id is None:
        raise AuthError(403, "bad_jwt", "invalid claim: session_id claim must be a UUID")
    session = await sessions.find(tx.db, session_id)
    if session is None:
        raise AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
    return session


def _detail(error: TokenError) -> str:
    if error.kind is TokenErrorKind.ALGORITHM:
        return f"token signature is invalid: signing method {error.algorithm} is invalid"
    if error.kind is TokenErrorKind.NO_KEY:
        reason = f"unrecognized JWT kid {error.kid} for algorithm {error.algorithm}"
        return f"token is unverifiable: error while executing keyfunc: {reason}"
    return _DETAILS[error.kind]


def _bad_token(detail: str) -> AuthError:
    return AuthError(403, "bad_jwt", f"invalid JWT: unable to parse or verify signature, {detail}")


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(str(value))
    except ValueError:
        return None
