"""Who is asking: bearer token → claims → account and session, refused in GoTrue's order and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from minato.auth.request.context import ReadTransaction
from minato.auth.request.data import RequestData
from minato.auth.rows import factors, identities, sessions, users
from minato.auth.rows.audit_log import Actor
from minato.auth.rows.factors import Factor
from minato.auth.rows.reading import only
from minato.auth.rows.sessions import Session
from minato.auth.rows.users import NIL, User
from minato.auth.sessions.validity import why_over
from minato.auth.wire.errors import AuthError
from minato.auth.wire.user_json import user_json
from minato.database.wire.messages import Row
from minato.database.wire.session import Command
from minato.json_text import JsonObject
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

    def is_for(self, data: RequestData) -> bool:
        """Whether the token is for whom the request names; where it names nobody, for whom the token itself names.

        The account's own audience may be another: a hook changes what tokens say.
        """
        claimed = self.claims.get("aud")
        first = claimed[0] if isinstance(claimed, list) and claimed else claimed
        is_admin = self.claims.get("role") in data.settings.admin_roles
        named = data.headers.get("x-jwt-aud") or (data.audience if is_admin else first)
        return bool(first) and first == named


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
    return _judge(tx, claims, await _find(tx, claims), by_client)


async def require_user_and_factors(tx: ReadTransaction) -> tuple[Authenticated, list[Factor]]:
    """`require_user`, and the account's factors."""
    claims = require_claims(tx)
    found = await _find(tx, claims, factors.of(_subject(claims)))
    return _judge(tx, claims, found, by_client=False), factors.read_factors(found.beside[0])


async def require_shown_user(tx: ReadTransaction) -> tuple[Authenticated, JsonObject]:
    """`require_user`, also for an OAuth client, and the account with its identities and factors."""
    claims = require_claims(tx)
    user_id = _subject(claims)
    found = await _find(tx, claims, identities.of(user_id), factors.of(user_id))
    who = _judge(tx, claims, found, by_client=True)
    shown, enrolled = found.beside
    return who, user_json(who.user, identities.read_identities(shown), factors.read_factors(enrolled))


def _judge(tx: ReadTransaction, claims: Mapping[str, object], found: _Found, by_client: bool) -> Authenticated:
    user, session = _require_found(claims, found)
    if user.is_banned(tx.now):
        raise AuthError(403, "user_banned", "User is banned")
    who = Authenticated(user, session, claims)
    if not by_client:
        _require_no_client(tx, who)
    return who


def _require_no_client(tx: ReadTransaction, who: Authenticated) -> None:
    if who.is_client and not tx.settings.oauth_server_unbound_tokens:
        raise AuthError(403, "no_authorization", "Tokens of OAuth clients are not accepted here")


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
        user, session = _require_found(claims, await _find(tx, claims))
        if session is not None and await why_over(tx, session) is not None:
            raise AuthError(403, "session_expired", "Session is no longer valid")
        _require_no_client(tx, Authenticated(user, session, claims))
    role = claims.get("role")
    if not isinstance(role, str) or role not in tx.settings.admin_roles:
        raise AuthError(403, "not_admin", "User not allowed")
    return Actor(NIL, role)


@dataclass(frozen=True)
class _Found:
    """What the claims' account and session look like, and what was asked beside."""

    user: User | None
    session: Session | None
    beside: list[list[Row]]


async def _find(tx: ReadTransaction, claims: Mapping[str, object], *beside: Command) -> _Found:
    """The account and the session that the claims name, in one flush."""
    named = _uuid(claims.get("session_id")) or NIL
    owner, held, *others = await tx.db.ask(users.by_id(_subject(claims)), sessions.by_id(named), *beside)
    return _Found(only(users.read_users(owner)), only(sessions.read_sessions(held)), others)


def _subject(claims: Mapping[str, object]) -> UUID:
    subject = claims.get("sub")
    if not subject:
        raise AuthError(403, "bad_jwt", "invalid claim: missing sub claim")
    user_id = _uuid(subject)
    if user_id is None:
        raise AuthError(400, "bad_jwt", "invalid claim: sub claim must be a UUID")
    return user_id


def _require_found(claims: Mapping[str, object], found: _Found) -> tuple[User, Session | None]:
    claim = claims.get("session_id")
    if found.user is None:
        raise AuthError(403, "user_not_found", "User from sub claim in JWT does not exist")
    if not claim or claim == str(NIL):
        return found.user, None
    if _uuid(claim) is None:
        raise AuthError(403, "bad_jwt", "invalid claim: session_id claim must be a UUID")
    if found.session is None:
        raise AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
    return found.user, found.session


def _detail(error: TokenError) -> str:
    if error.kind is TokenErrorKind.ALGORITHM:
        return f"token signature is invalid: signing method {error.algorithm} is invalid"
    if error.kind is TokenErrorKind.NO_KEY:
        reason = f"unrecognized JWT kid {error.kid} for algorithm {error.algorithm}"
        return f"token is unverifiable: error while executing keyfunc: {reason}"
    if error.hint is not None:
        return f"{_DETAILS[TokenErrorKind.SIGNATURE]}. {error.hint}"
    return _DETAILS[error.kind]


def _bad_token(detail: str) -> AuthError:
    return AuthError(403, "bad_jwt", f"invalid JWT: unable to parse or verify signature, {detail}")


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(str(value))
    except ValueError:
        return None
