"""Who calls, from the Authorization header; refusals in the words of the jose library the reference uses."""

from __future__ import annotations

from minato.clock import Clock
from minato.storage.errors import StorageError, access_denied
from minato.tokens.caller import ANON, Caller, Claims
from minato.tokens.errors import TokenError, TokenErrorKind
from minato.tokens.keys import TokenKeys

MALFORMED = "Invalid Compact JWS"
WORDS = {
    TokenErrorKind.EMPTY: MALFORMED,
    TokenErrorKind.SEGMENTS: MALFORMED,
    TokenErrorKind.HEADER: "JWS Protected Header is invalid",
    TokenErrorKind.PAYLOAD: "JWT Claims Set must be a top-level JSON object",
    TokenErrorKind.ALGORITHM: '"alg" (Algorithm) Header Parameter value not allowed',
    TokenErrorKind.NO_KEY: "signature verification failed",
    TokenErrorKind.SIGNATURE: "signature verification failed",
    TokenErrorKind.CLAIM: "JWT claims validation failed",
    TokenErrorKind.ISSUER: "signature verification failed",
}


class TokenRefused(Exception):
    """A token that is not valid; the text is jose's."""


def verify_token(keys: TokenKeys, clock: Clock, token: str) -> Claims:
    """The claims of a token that is signed by one of `keys` and valid now. Raises TokenRefused."""
    try:
        claims = keys.verify(token)
    except TokenError as error:
        raise TokenRefused(". ".join(filter(None, (WORDS[error.kind], error.hint)))) from None
    now = int(clock.timestamp())
    not_before, expires = _time(claims, "nbf"), _time(claims, "exp")
    if not_before is not None and not_before > now:
        raise TokenRefused('"nbf" claim timestamp check failed')
    if expires is not None and expires <= now:
        raise TokenRefused('"exp" claim timestamp check failed')
    return claims


def _time(claims: Claims, name: str) -> float | None:
    time = claims.get(name)
    if time is not None and (isinstance(time, bool) or not isinstance(time, int | float)):
        raise TokenRefused(f'"{name}" claim must be a number')
    return time


def read_caller(keys: TokenKeys, clock: Clock, authorization: str | None) -> Caller:
    """The caller the header speaks for. Raises AccessDenied."""
    scheme, _, rest = (authorization or "").strip().partition(" ")
    token = rest.strip() if scheme.lower() == "bearer" else (authorization or "").strip()
    try:
        claims = verify_token(keys, clock, token)
    except TokenRefused as error:
        raise access_denied(str(error)) from None
    role = claims.get("role")
    return Caller(role if isinstance(role, str) and role else ANON, claims, token)


def invalid_jwt(error: TokenRefused) -> StorageError:
    """The refusal of a token in a URL."""
    return StorageError(400, "InvalidJWT", str(error))
