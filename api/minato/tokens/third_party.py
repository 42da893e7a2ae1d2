"""Tokens of other issuers: Clerk, Auth0, Firebase and their like, whose users are known here by their tokens alone.

Which issuer is asked follows from `iss`, before anything is verified; then only that issuer's keys count, and those are
public ones. What the rooms take is `AcceptedKeys`; a key set of ours takes none of these tokens.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable

from minato.tokens.caller import Claims, ThirdPartyClaims
from minato.tokens.errors import TokenError, TokenErrorKind
from minato.tokens.keys import (
    ASYMMETRIC,
    CacheUse,
    Key,
    KeySet,
    claims_signed_by,
    read_header,
    unverified_issuer,
)

NO_EXPIRY = "A token of another issuer needs exp"
NO_ROLE = "A token of another issuer may not have this role: MINATO_THIRD_PARTY_ROLES"


class Issuer:
    """One of them, by the exact text of `iss`; `roles` are what its tokens may name, None for any.

    `missed` hears of tokens whose key is not there. It has no key before the first are brought (`replace`).
    """

    def __init__(self, url: str, roles: frozenset[str] | None, cache_size: int = 1000) -> None:
        self.url = url
        self.keys: tuple[Key, ...] = ()
        self.missed: Callable[[], None] | None = None
        self._roles = roles
        self._verified: OrderedDict[str, Claims] = OrderedDict()
        self._cache_size = cache_size

    def replace(self, keys: Iterable[Key]) -> None:
        """Verify with these from now on. What others than these verified is forgotten."""
        known, self.keys = self.keys, tuple(keys)
        if [_names(key) for key in known] != [_names(key) for key in self.keys]:
            self._verified.clear()

    def recall(self, token: str) -> Claims | None:
        """The claims of a token that is remembered as verified, the same object each time; None otherwise."""
        return self._verified.get(token)

    def verify(self, token: str) -> Claims:
        """The claims of a token of this issuer; its times are the caller's to judge. Raises TokenError."""
        known = self._verified.get(token)
        if known is not None:
            return known
        header = read_header(token)
        algorithm, kid = header.get("alg"), header.get("kid")
        claims = self._judged(claims_signed_by(self._candidates(algorithm, kid), token, algorithm, kid))
        self._verified[token] = claims
        if len(self._verified) > self._cache_size:
            self._verified.popitem(last=False)
        return claims

    def _candidates(self, algorithm: object, kid: object) -> list[Key]:
        shown = kid if isinstance(kid, str) else None
        if algorithm not in ASYMMETRIC:
            raise TokenError(TokenErrorKind.ALGORITHM, algorithm=str(algorithm), kid=shown)
        named = [key for key in self.keys if key.algorithm == algorithm and (kid is None or key.kid in (None, kid))]
        if not named:
            if self.missed is not None:
                self.missed()
            raise TokenError(TokenErrorKind.NO_KEY, algorithm=str(algorithm), kid=shown)
        return named

    def _judged(self, claims: Claims) -> ThirdPartyClaims:
        """The claims, marked as an issuer's who may say less than we do. Raises TokenError."""
        if claims.get("iss") != self.url:
            raise TokenError(TokenErrorKind.SIGNATURE)
        expires = claims.get("exp")
        if isinstance(expires, bool) or not isinstance(expires, int | float):
            raise TokenError(TokenErrorKind.CLAIM, hint=NO_EXPIRY)
        judged = ThirdPartyClaims(claims, self._roles)
        if claims.get("role") is not None and not judged.may_be(claims["role"]):
            raise TokenError(TokenErrorKind.CLAIM, hint=NO_ROLE)
        return judged


class ThirdParty:
    """All of them. `urls` are what they call themselves in `iss`."""

    def __init__(self, urls: Iterable[str] = (), roles: frozenset[str] | None = frozenset()) -> None:
        self.issuers = {url: Issuer(url, roles) for url in urls}

    def issuer_of(self, token: str) -> Issuer | None:
        """Whose `token` claims to be, by nothing but its word; None for tokens that are none of theirs."""
        return self.issuers.get(unverified_issuer(token) or "")

    def recall(self, token: str) -> Claims | None:
        """The claims of a token that one of them has verified and remembers."""
        for issuer in self.issuers.values():
            claims = issuer.recall(token)
            if claims is not None:
                return claims
        return None

    def require_ours(self, claims: Claims) -> None:
        """Raise TokenError for a token that a key of ours signed in the name of one of them."""
        issuer = claims.get("iss")
        if isinstance(issuer, str) and issuer in self.issuers:
            raise TokenError(TokenErrorKind.SIGNATURE)


class AcceptedKeys:
    """The keys of ours, and those of other issuers for tokens that name one of them."""

    def __init__(self, own: KeySet, third_party: ThirdParty) -> None:
        self._own = own
        self._third_party = third_party

    @property
    def cache_use(self) -> CacheUse:
        return self._own.cache_use

    def recall(self, token: str) -> Claims | None:
        """The claims of a token that is remembered as verified, the same object each time; None otherwise."""
        claims = self._own.recall(token)
        return self._third_party.recall(token) if claims is None else claims

    def verify(self, token: str) -> Claims:
        """The claims of a token of ours, or of one of them. Raises TokenError."""
        claims = self.recall(token)
        if claims is not None:
            return claims
        issuer = self._third_party.issuer_of(token)
        return self._own.verify(token) if issuer is None else issuer.verify(token)


def _names(key: Key) -> tuple[object, ...]:
    """What tells a key from others; the objects that verify are made anew with each answer of an issuer."""
    return key.algorithm, key.kid, key.public_jwk
