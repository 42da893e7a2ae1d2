"""The public keys in a JWK set, as whoever issues tokens publishes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from minato.json_text import JsonMapping
from minato.tokens.ed25519 import ALGORITHM
from minato.tokens.keys import ASYMMETRIC, PRIVATE_MEMBERS, Key, key_from_jwk

CURVES: Final[Mapping[str, str]] = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}
RSA: Final = ("RS256", "RS384", "RS512")
# Bits of a modulus, and how many a character of base64 has (RFC 7518, 3.3).
SHORTEST_RSA, BITS = 2048, 6
# What a member of the wrong type makes of the mathematics below.
UNUSABLE: Final = (ValueError, TypeError, AttributeError, KeyError)


def algorithms_of(document: JsonMapping) -> tuple[str, ...]:
    """What a key signs by: its `alg`, and without one whatever fits its type.

    >>> algorithms_of({"kty": "EC", "crv": "P-256"}), algorithms_of({"kty": "RSA", "alg": "RS256"})
    (('ES256',), ('RS256',))
    """
    if "alg" in document:
        return (document["alg"],)
    algorithms: Mapping[str, tuple[str, ...]] = {
        "oct": ("HS256",),
        "RSA": RSA,
        "EC": (CURVES.get(document.get("crv", ""), ""),),
        "OKP": (ALGORITHM,),
    }
    return algorithms.get(document["kty"], ("none",))


def public_keys(documents: list[object]) -> list[Key]:
    """The keys among `documents` that verify signatures of ours; what is none, or is secret, is left out."""
    return [key for document in documents if isinstance(document, dict) for key in _keys(document)]


def _keys(document: JsonMapping) -> list[Key]:
    """A key is public and verifies, whatever else the set says of it."""
    hidden = (*PRIVATE_MEMBERS, "key_ops")
    public = {name: value for name, value in document.items() if name not in hidden}
    kid = public.get("kid")
    if not (kid is None or isinstance(kid, str)) or public.get("use", "sig") != "sig" or _is_short(public):
        return []
    try:
        named = [each for each in algorithms_of(public) if each in ASYMMETRIC]
        return [key_from_jwk({**public, "alg": each}) for each in named]
    except UNUSABLE:
        return []


def _is_short(document: JsonMapping) -> bool:
    return document.get("kty") == "RSA" and len(str(document.get("n", ""))) * BITS < SHORTEST_RSA
