"""Why a token was refused. Each room words this its own way, so here is only the kind and what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TokenErrorKind(StrEnum):
    """The ways in which a token can fail before its claims are looked at."""

    EMPTY = "empty"
    SEGMENTS = "segments"
    """Not three parts between dots; `parts` tells how many."""
    HEADER = "header"
    """The header isn't base64url or isn't a JSON object, or names a critical extension we don't know."""
    PAYLOAD = "payload"
    """The payload isn't a JSON object."""
    ALGORITHM = "algorithm"
    """No key of ours uses the header's `alg`, or it is `none`."""
    NO_KEY = "no_key"
    """No key fits the header's `kid`."""
    SIGNATURE = "signature"
    CLAIM = "claim"
    """A third party's token that says what none of them may, or lacks what each must have; `hint` says what."""
    ISSUER = "issuer"
    """A user's token of another branch of this host; `hint` says of which."""


@dataclass
class TokenError(Exception):
    """A token that can't be trusted. `algorithm` and `kid` come from its header and are not verified."""

    kind: TokenErrorKind
    parts: int = 3
    algorithm: str | None = None
    kid: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        return f"token refused: {self.kind}"
