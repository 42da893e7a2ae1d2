"""The Authorization header → the Caller of this request, or PostgREST's 401.

A token's signature may come from the cache; its times, audience and role are judged on every request.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from minato.config.claim_path import claim_at
from minato.config.rest import RestSettings
from minato.json_text import encode
from minato.rest.errors import RestError
from minato.tokens.caller import Caller, Claims, ThirdPartyClaims
from minato.tokens.errors import TokenError, TokenErrorKind
from minato.tokens.keys import TokenKeys
from minato.tokens.third_party import NO_ROLE

SKEW = 30
JUDGED = "rest.judged"
NO_KEY = "No suitable key or wrong key type"
NONE_DECODED = "None of the keys was able to decode the JWT"
NONE_FITS = "No suitable key was found to decode the JWT"
UNSECURED = "JWT is unsecured but expected 'alg' was not 'none'"
AUDIENCE_SHAPE = "The JWT 'aud' claim must be a string or an array of strings"


def authenticate(authorization: str | None, keys: TokenKeys | None, settings: RestSettings, now: float) -> Caller:
    """Who asks. `now` is Unix seconds; `keys` is None where no token can be verified. Raises PGRST300 to 303."""
    token = _bearer(authorization)
    if token is None:
        return Caller(_anonymous(settings))
    if keys is None:
        raise RestError(500, "PGRST300", "Server lacks JWT secret")
    try:
        claims = keys.verify(token)
    except TokenError as error:
        raise _refused(error) from None
    _require_times(claims, now)
    _require_audience(claims, settings.jwt_aud)
    return Caller(_role(claims, settings), claims, token)


@dataclass(frozen=True, slots=True)
class Judged:
    """A caller whose token was found good under `settings`: from `begins` until before `ends`, in Unix seconds."""

    caller: Caller
    settings: RestSettings
    begins: float
    ends: float

    def still_holds(self, keys: TokenKeys | None, settings: RestSettings, now: float) -> bool:
        """Whether `authenticate` would say the same. The keys in force must still remember its token as verified."""
        if self.settings is not settings or not self.begins <= now < self.ends:
            return False
        token = self.caller.token
        return token is None or (keys is not None and keys.recall(token) is self.caller.claims)


def judge(caller: Caller, settings: RestSettings) -> Judged:
    """How long `caller`, who was let in, may come back with the same headers."""
    times = [_seconds(caller.claims, name) for name in ("exp", "nbf", "iat")]
    expires, *others = times
    begins = max((each - SKEW for each in others if each is not None), default=-math.inf)
    return Judged(caller, settings, begins, math.inf if expires is None else expires + SKEW + 1)


def _bearer(authorization: str | None) -> str | None:
    """The token; None without one. Any other scheme is no token, never an error."""
    if authorization is None:
        return None
    scheme, *rest = authorization.split(maxsplit=1) or [""]
    return "".join(rest).strip() if scheme.lower() == "bearer" else None


def _refused(error: TokenError) -> RestError:
    match error.kind:
        case TokenErrorKind.EMPTY:
            return _invalid("Empty JWT is sent in Authorization header")
        case TokenErrorKind.SEGMENTS:
            return _invalid(f"Expected 3 parts in JWT; got {error.parts}")
        case TokenErrorKind.SIGNATURE | TokenErrorKind.ISSUER:
            return _invalid(NO_KEY, NONE_DECODED, error.hint)
        case TokenErrorKind.ALGORITHM if error.algorithm == "none":
            return _invalid("Wrong or unsupported encoding algorithm", UNSECURED)
        case TokenErrorKind.NO_KEY | TokenErrorKind.ALGORITHM:
            return _invalid(NO_KEY, NONE_FITS)
        case TokenErrorKind.PAYLOAD:
            return _bad_claims("Parsing claims failed")
        case TokenErrorKind.CLAIM:
            return _bad_claims(error.hint or "Parsing claims failed")
    return _invalid("JWT cryptographic operation failed")


def _invalid(message: str, details: str | None = None, hint: str | None = None) -> RestError:
    return _unauthorized("PGRST301", message, details, hint)


def _bad_claims(message: str) -> RestError:
    return _unauthorized("PGRST303", message, None)


def _unauthorized(code: str, message: str, details: str | None, hint: str | None = None) -> RestError:
    challenge = f'Bearer error="invalid_token", error_description="{message}"'
    return RestError(401, code, message, details, hint, headers=[("WWW-Authenticate", challenge)])


def _require_times(claims: Claims, now: float) -> None:
    present = int(now)
    expires, begins, issued = _seconds(claims, "exp"), _seconds(claims, "nbf"), _seconds(claims, "iat")
    if expires is not None and present - SKEW > expires:
        raise _bad_claims("JWT expired")
    if begins is not None and present + SKEW < begins:
        raise _bad_claims("JWT not yet valid")
    if issued is not None and present + SKEW < issued:
        raise _bad_claims("JWT issued at future")


def _seconds(claims: Claims, name: str) -> int | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad_claims(f"The JWT '{name}' claim must be a number")
    # The reference reads a fraction, and what 64 bits don't hold, as 0: such an exp has expired.
    return int(value) if value == value // 1 and abs(value) < 2**63 else 0


def _require_audience(claims: Claims, expected: str | None) -> None:
    audience = claims.get("aud")
    if audience is None:
        return
    named = [audience] if isinstance(audience, str) else audience
    if not isinstance(named, list) or not all(isinstance(each, str) for each in named):
        raise _bad_claims(AUDIENCE_SHAPE)
    if expected is not None and named and expected not in named:
        raise _bad_claims("JWT not in audience")


def _role(claims: Claims, settings: RestSettings) -> str:
    """The role the claims name, else the anonymous one. Raises PGRST302 where there is none, PGRST303 for one that
    another issuer's token may not have."""
    try:
        value = claim_at(claims, settings.role_claim_path)
    except LookupError:
        return _anonymous(settings)
    if isinstance(claims, ThirdPartyClaims) and not claims.may_be(value):
        # What the path finds need not be the claim `role`, which the keys have looked at.
        raise _bad_claims(NO_ROLE)
    return value if isinstance(value, str) else encode(value).decode()


def _anonymous(settings: RestSettings) -> str:
    if settings.db_anon_role is None:
        raise RestError(401, "PGRST302", "Anonymous access is disabled", headers=[("WWW-Authenticate", "Bearer")])
    return settings.db_anon_role
