"""Whose user tokens a backend takes. Branches of one host share their keys, so only `iss` tells their tokens apart."""

from __future__ import annotations

from dataclasses import dataclass

from minato.tokens.caller import Claims
from minato.tokens.errors import TokenError, TokenErrorKind

MAIN = "main"


@dataclass(frozen=True)
class Issuers:
    """The backends of one host: main issues as `main`, and each branch as something below `prefix` and its name."""

    main: str
    prefix: str

    def issuer_of(self, claims: Claims) -> str | None:
        """Which of them issued a user's token; None for any other token, as of an API key.

        >>> Issuers("http://a/auth/v1", "http://a/b/").issuer_of({"sub": "1", "iss": "http://a/b/one/auth/v1"})
        'one'
        """
        issuer = claims.get("iss")
        if not isinstance(issuer, str) or "sub" not in claims:
            return None
        if issuer.startswith(self.prefix):
            return issuer.removeprefix(self.prefix).partition("/")[0]
        return MAIN if issuer == self.main else None

    def require(self, name: str, claims: Claims) -> None:
        """Raise TokenError for a token of another one than `name`."""
        issuer = self.issuer_of(claims)
        if issuer not in (None, name):
            raise TokenError(TokenErrorKind.ISSUER, hint=f"This token was issued by branch {issuer}.")
