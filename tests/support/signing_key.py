"""A fresh asymmetric signing key, as an operator would configure it."""

from __future__ import annotations

import json

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from jose import jwk


def es256_jwks() -> str:
    """A JWK array with one private ES256 key that signs."""
    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()
    )
    members = jwk.construct(pem.decode(), "ES256").to_dict()
    texts = {name: value.decode() if isinstance(value, bytes) else value for name, value in members.items()}
    return json.dumps([{**texts, "alg": "ES256", "kid": "harbour", "key_ops": ["sign", "verify"]}])
