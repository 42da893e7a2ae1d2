"""`verify_jwt`: who may call a function, refused in the words of the reference's runtime and its jose library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from minato.clock import Clock
from minato.tokens.caller import Claims
from minato.tokens.errors import TokenError
from minato.tokens.keys import KeySet, TokenKeys, read_header

ALGORITHMS: Final = ("HS256", "ES256", "RS256")
INVALID: Final = "Invalid JWT"
MISSING: Final = "Error: Missing authorization header"
NO_BEARER: Final = "Error: Auth header is not 'Bearer {token}'"
MALFORMED: Final = "TypeError: Invalid Token or Protected Header formatting"


def refusal(headers: Mapping[str, str], keys: TokenKeys, clock: Clock) -> str | None:
    """Why the caller may not call, as `msg` of a 401; None when they may."""
    given = headers.get("authorization", "")
    if not given:
        return MISSING
    scheme, _, rest = given.partition(" ")
    if scheme != "Bearer":
        return NO_BEARER
    token = rest.partition(" ")[0]
    try:
        algorithm = read_header(token).get("alg")
    except TokenError:
        return MALFORMED
    if algorithm not in ALGORITHMS:
        return INVALID
    try:
        claims = keys.verify(token)
    except TokenError:
        return INVALID
    return None if _is_valid_now(claims, int(clock.timestamp())) else INVALID


def is_of_service(headers: Mapping[str, str], keys: KeySet, clock: Clock) -> bool:
    """Whether the caller has the key to everything, which is ours to sign: `keys` are our own."""
    if refusal(headers, keys, clock) is not None:
        return False
    return keys.verify(headers["authorization"].split(" ")[1]).get("role") == "service_role"


def _is_valid_now(claims: Claims, now: int) -> bool:
    expires, begins = claims.get("exp"), claims.get("nbf")
    for moment in (expires, begins):
        if moment is not None and (isinstance(moment, bool) or not isinstance(moment, int | float)):
            return False
    return (expires is None or expires > now) and (begins is None or begins <= now)
