"""The ES256 key that a backend signs users' tokens with when it was given none.

It follows from the JWT secret: every server with that secret has the same key, and a data folder needs no second file.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec

from minato.json_text import JsonObject

# The order of P-256: FIPS 186-5 and SEC 2 name its curve and this number.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BYTES = 32


def own_jwk(secret: str) -> JsonObject:
    """The private key as JWK, as `gen signing-key` writes one."""
    numbers = own_private_key(secret).private_numbers()
    point = numbers.public_numbers
    return {
        "kty": "EC",
        "kid": str(UUID(bytes=_digest(secret, "id")[:16], version=4)),
        "use": "sig",
        "key_ops": ["sign", "verify"],
        "alg": "ES256",
        "ext": True,
        "d": _encoded(numbers.private_value),
        "crv": "P-256",
        "x": _encoded(point.x),
        "y": _encoded(point.y),
    }


def own_private_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """The same key for what signs otherwise."""
    return ec.derive_private_key(_scalar(secret), ec.SECP256R1())


def _scalar(secret: str) -> int:
    """A number from 1 to below the order, evenly spread: twice its bytes are reduced (FIPS 186-5, A.2.1)."""
    wide = _digest(secret, "first half") + _digest(secret, "second half")
    return int.from_bytes(wide, "big") % (ORDER - 1) + 1


def _digest(secret: str, purpose: str) -> bytes:
    return hmac.new(secret.encode(), f"minato user tokens, {purpose}".encode(), hashlib.sha256).digest()


def _encoded(number: int) -> str:
    return base64.urlsafe_b64encode(number.to_bytes(BYTES, "big")).rstrip(b"=").decode()
