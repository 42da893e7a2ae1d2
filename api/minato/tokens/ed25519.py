"""Ed25519 (JWS algorithm EdDSA, RFC 8037), which python-jose does not know; the mathematics is `cryptography`'s."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM = "EdDSA"


class Ed25519Key:
    """The key of an OKP JWK, with the two methods of a key of python-jose. Raises ValueError on another curve."""

    def __init__(self, document: Mapping[str, object]) -> None:
        if document.get("kty") != "OKP" or document.get("crv") != "Ed25519":
            raise ValueError("an EdDSA key needs kty OKP and crv Ed25519")
        self._public = Ed25519PublicKey.from_public_bytes(_member(document, "x"))
        self._private = Ed25519PrivateKey.from_private_bytes(_member(document, "d")) if "d" in document else None

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of a signature; the JWK must have had its private half."""
        assert self._private is not None, "a public key does not sign"
        return self._private.sign(message)

    def verify(self, message: bytes, signature: bytes) -> bool:
        try:
            self._public.verify(signature, message)
        except InvalidSignature:
            return False
        return True


def _member(document: Mapping[str, object], name: str) -> bytes:
    text = str(document.get(name, ""))
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError(f"JWK member {name!r} is not base64url") from error
