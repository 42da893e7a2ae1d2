"""The keys of one backend: one signs, all verify.

A token names its key by `kid`; without one every key of its algorithm is tried. The algorithm is the key's, never the
token's word for it.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import orjson
from jose import jwk
from jose.exceptions import JOSEError

from minato.json_text import JsonMapping, JsonObject
from minato.tokens import ed25519
from minato.tokens.caller import Claims
from minato.tokens.errors import TokenError, TokenErrorKind

ALGORITHMS = (
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512", ed25519.ALGORITHM,
)  # fmt: skip
ASYMMETRIC = tuple(name for name in ALGORITHMS if not name.startswith("HS"))
PRIVATE_MEMBERS = ("d", "p", "q", "dp", "dq", "qi", "oth", "k")


class Verifier(Protocol):
    """Part of what keys of `jose.jwk` do, and our own of Ed25519."""

    def verify(self, message: bytes, signature: bytes, /) -> bool: ...


class Signer(Verifier, Protocol):
    """The same of keys that have a private part."""

    def sign(self, message: bytes, /) -> bytes: ...


@dataclass(frozen=True)
class Key:
    """One key: `verifier.verify(message, signature)` and, when it may sign, `signer.sign(message)`."""

    algorithm: str
    kid: str | None
    verifier: Verifier
    signer: Signer | None
    public_jwk: Mapping[str, object] | None


@dataclass
class CacheUse:
    """How often tokens were looked up among the verified ones, found there, and dropped for newer ones."""

    requests: int = 0
    hits: int = 0
    evictions: int = 0


class TokenKeys(Protocol):
    """What says whether a token is good: a key set, or one beside those of other issuers."""

    @property
    def cache_use(self) -> CacheUse: ...

    def verify(self, token: str, /) -> Claims:
        """The claims of a token whose signature is good. Raises TokenError."""
        ...

    def recall(self, token: str, /) -> Claims | None:
        """The claims of a token that is remembered as verified, the same object each time; None otherwise."""
        ...


class KeySet:
    """Signs with one key and verifies with all; verified tokens are remembered, as a signature costs 40-60 µs."""

    def __init__(self, keys: Iterable[Key], cache_size: int = 1000) -> None:
        self.cache_use = CacheUse()
        # Each is asked once of every token whose signature is good; raises TokenError. Branches of one host share their
        # keys.
        self.judges: list[Callable[[Claims], None]] = []
        self.keys = tuple(keys)
        self.signing_key = next((key for key in self.keys if key.signer is not None), None)
        self._verified: OrderedDict[str, Claims] = OrderedDict()
        self._cache_size = cache_size

    @property
    def public_jwks(self) -> list[Mapping[str, object]]:
        """The public halves, for the JWKS endpoint; a shared secret has none."""
        return [key.public_jwk for key in self.keys if key.public_jwk is not None]

    def sign(self, claims: Mapping[str, object]) -> str:
        """A compact JWS over `claims`, their order kept."""
        return self._sign(self.signing_key, claims)

    def sign_for_ourselves(self, claims: Mapping[str, object]) -> str:
        """The same with the shared secret, where there is one: for tokens that nobody else has to verify."""
        shared = next((key for key in self.keys if key.algorithm == "HS256" and key.signer is not None), None)
        return self._sign(shared or self.signing_key, claims)

    def _sign(self, key: Key | None, claims: Mapping[str, object]) -> str:
        assert key is not None, "a key set that signs needs a key with key_ops sign"
        assert key.signer is not None
        header = {"alg": key.algorithm, **({"kid": key.kid} if key.kid else {}), "typ": "JWT"}
        message = b".".join(_encoded(json.dumps(part, separators=(",", ":")).encode()) for part in (header, claims))
        return b".".join((message, _encoded(key.signer.sign(message)))).decode()

    def verify(self, token: str) -> Claims:
        """The claims of `token`, its signature checked. Times, audience and role are the caller's to judge.

        Raises TokenError.
        """
        claims = self.recall(token)
        if claims is not None:
            return claims
        self.cache_use.requests += 1
        claims = self._verify(token)
        for judge in self.judges:
            judge(claims)
        if self._cache_size:
            self._verified[token] = claims
        if len(self._verified) > self._cache_size:
            self._verified.popitem(last=False)
            self.cache_use.evictions += 1
        return claims

    def recall(self, token: str) -> Claims | None:
        """The claims of `token` if it is remembered as verified, the same object each time; None otherwise."""
        claims = self._verified.get(token)
        if claims is not None:
            self.cache_use.requests += 1
            self.cache_use.hits += 1
            self._verified.move_to_end(token)
        return claims

    def _verify(self, token: str) -> Claims:
        header = read_header(token)
        algorithm, kid = header.get("alg"), header.get("kid")
        return claims_signed_by(self._candidates(algorithm, kid), token, algorithm, kid)

    def _candidates(self, algorithm: object, kid: object) -> list[Key]:
        fitting = [key for key in self.keys if key.algorithm == algorithm]
        if not fitting:
            raise TokenError(TokenErrorKind.ALGORITHM, algorithm=_text(algorithm), kid=_text(kid))
        if kid is not None:
            # A key without an id (the plain secret) still answers a token that names one: GoTrue falls back to the
            # secret for HS256, internal/api/auth.go.
            fitting = [key for key in fitting if key.kid == kid] or [key for key in fitting if key.kid is None]
        if not fitting:
            raise TokenError(TokenErrorKind.NO_KEY, algorithm=_text(algorithm), kid=_text(kid))
        return fitting


def claims_signed_by(candidates: Iterable[Key], token: str, algorithm: object, kid: object) -> Claims:
    """The claims of `token`, whose header was read, if one of the keys signed it. Raises TokenError."""
    message, _, given = token.rpartition(".")
    signature, payload = _decoded(given), _decoded(message.partition(".")[2])
    for key in candidates:
        if signature is not None and key.verifier.verify(message.encode(), signature):
            return read_claims(payload)
    raise TokenError(TokenErrorKind.SIGNATURE, algorithm=_text(algorithm), kid=_text(kid))


def secret_key(secret: str | bytes, kid: str | None = None) -> Key:
    """The HS256 key of a shared secret."""
    key = jwk.construct(secret, "HS256")
    return Key("HS256", kid, key, key, None)


def key_from_jwk(document: JsonMapping) -> Key:
    """A key from its JWK; it signs when `key_ops` says so. Raises ValueError on one we can't use."""
    algorithm = document.get("alg")
    if algorithm not in ALGORITHMS:
        raise ValueError(f"JWK algorithm {algorithm!r} is not one of {', '.join(ALGORITHMS)}")
    symmetric = document.get("kty") == "oct"
    public = {name: value for name, value in document.items() if name not in PRIVATE_MEMBERS}
    verifier = _constructed(dict(document) if symmetric else public, algorithm)
    signs = "sign" in document.get("key_ops", [])
    signer = _constructed(dict(document), algorithm) if signs else None
    published = None if symmetric else {**public, "use": "sig", "key_ops": ["verify"]}
    return Key(algorithm, document.get("kid"), verifier, signer, published)


def _constructed(document: dict[str, object], algorithm: str) -> Signer:
    if algorithm == ed25519.ALGORITHM:
        return ed25519.Ed25519Key(document)
    try:
        key: Signer = jwk.construct(document, algorithm)
    except (JOSEError, KeyError) as error:
        raise ValueError(f"unusable JWK: {error}") from error
    return key


def read_header(token: str) -> JsonObject:
    """The header of `token`, unverified. Raises TokenError on anything that is not a JWS we could verify."""
    if not token:
        raise TokenError(TokenErrorKind.EMPTY, parts=0)
    segments = token.split(".")
    if len(segments) != 3:
        raise TokenError(TokenErrorKind.SEGMENTS, parts=len(segments))
    header = _json_object(segments[0])
    if header is None or "crit" in header:
        raise TokenError(TokenErrorKind.HEADER)
    return header


def unverified_issuer(token: str) -> str | None:
    """The issuer that `token` names, whoever signed it."""
    segments = token.split(".")
    claims = _json_object(segments[1]) if len(segments) == 3 else None
    issuer = claims.get("iss") if claims is not None else None
    return _text(issuer)


def read_claims(payload: bytes | None) -> Claims:
    """The claims of a verified payload; they will be handed to SQL, so they must be JSON that can be written again."""
    try:
        claims = orjson.loads(payload or b"")
        orjson.dumps(claims)
    except (ValueError, TypeError):
        claims = None
    if not isinstance(claims, dict):
        raise TokenError(TokenErrorKind.PAYLOAD)
    return claims


def _json_object(segment: str) -> dict[str, object] | None:
    try:
        value = orjson.loads(_decoded(segment) or b"")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _encoded(octets: bytes) -> bytes:
    return base64.urlsafe_b64encode(octets).rstrip(b"=")


def _decoded(segment: str) -> bytes | None:
    """The bytes of a base64url segment, which has no padding; None for anything else."""
    if "=" in segment:
        return None
    try:
        padded = segment.encode("ascii") + b"=" * (-len(segment) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
