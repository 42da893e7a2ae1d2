"""Tokens of sockets and channels: verified, with a role, and not expired.

The same failure is worded three ways: in the handshake, in a join's reply and when a channel is shut down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from urllib.parse import unquote

from minato.clock import Clock
from minato.tokens.caller import Caller
from minato.tokens.errors import TokenError, TokenErrorKind
from minato.tokens.keys import TokenKeys

NOT_A_JWT = "The token provided is not a valid JWT"
MISSING_CLAIMS = "Fields `role` and `exp` are required in JWT"
BAD_SIGNATURE = "Failed to validate JWT signature"
# Algorithms that find their key by `kid`; only for them the reference names the kid.
ASYMMETRIC = ("RS", "ES", "Ed")


@dataclass
class TokenRefused(Exception):
    """Why a token is no good: `code` and `message` for joins, `handshake` and `shutdown` where those differ."""

    code: str
    message: str
    handshake: str
    shutdown: str


@dataclass(frozen=True)
class ChannelToken:
    """A verified token: whose it is and when it ends, in Unix seconds."""

    text: str
    caller: Caller
    expires_at: float


class TokenVerifier:
    """Turns a token's text into a `ChannelToken`. Raises TokenRefused."""

    def __init__(self, keys: TokenKeys, clock: Clock) -> None:
        self._keys = keys
        self._clock = clock

    def verify(self, text: str) -> ChannelToken:
        """The token behind `text`; like the reference, it may be URL-encoded and broken over lines."""
        compact = "".join(unquote(text).split())
        try:
            claims = self._keys.verify(compact)
        except TokenError as error:
            raise _refused(error) from error
        role, expires_at = claims.get("role"), claims.get("exp")
        if not isinstance(role, str) or isinstance(expires_at, bool) or not isinstance(expires_at, int | float):
            raise TokenRefused("InvalidJWTToken", MISSING_CLAIMS, MISSING_CLAIMS, MISSING_CLAIMS)
        token = ChannelToken(compact, Caller(role, claims, compact), expires_at)
        self.require_unexpired(token)
        return token

    def require_unexpired(self, token: ChannelToken) -> None:
        """Raise TokenRefused once the token has expired."""
        late = self._clock.timestamp() - token.expires_at
        if late >= 0:
            message = f"Token has expired {math.floor(late)} seconds ago"
            raise TokenRefused("InvalidJWTToken", message, "Token has expired", message)

    def remaining(self, token: ChannelToken) -> float:
        """Seconds until the token expires."""
        return token.expires_at - self._clock.timestamp()


def _refused(error: TokenError) -> TokenRefused:
    match error.kind:
        case TokenErrorKind.SIGNATURE:
            return TokenRefused("JwtSignatureError", BAD_SIGNATURE, BAD_SIGNATURE, ":signature_error")
        case TokenErrorKind.ISSUER:
            message = f"{BAD_SIGNATURE}. {error.hint}"
            return TokenRefused("JwtSignatureError", message, message, message)
        case TokenErrorKind.CLAIM:
            message = error.hint or MISSING_CLAIMS
            return TokenRefused("InvalidJWTToken", message, message, message)
        case TokenErrorKind.ALGORITHM | TokenErrorKind.NO_KEY:
            message = _no_signer(error)
            return TokenRefused("JwtSignerError", message, message, message)
        case _:
            return TokenRefused("MalformedJWT", NOT_A_JWT, NOT_A_JWT, NOT_A_JWT)


def _no_signer(error: TokenError) -> str:
    named = error.kid is not None and (error.algorithm or "").startswith(ASYMMETRIC)
    key = f' for key ID (kid) "{error.kid}"' if named else ""
    return f"Failed to generate JWT signer{key}, check your JWT secret or JWKS configuration"
