"""Values that only the holder of a private key can read, as dotenvx writes them: `encrypted:<base64>`.

The scheme is ECIES over secp256k1: a one-time public key, 65 bytes; a nonce and a tag, 16 bytes each; the rest is
AES-256-GCM. Its key follows by HKDF-SHA256 from the one-time key and the shared point, both uncompressed.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Final

PREFIX: Final = "encrypted:"
PRIVATE_KEY: Final = "DOTENV_PRIVATE_KEY"
# Of secp256k1 (SEC 2): y² = x³ + 7 modulo this.
FIELD: Final = 2**256 - 2**32 - 977
POINT, NONCE, TAG = 65, 16, 16


class NotDecrypted(Exception):
    """Why, in the words of the Supabase CLI; no value stands in it."""


def private_keys(environment: Mapping[str, str]) -> list[str]:
    """The keys of `DOTENV_PRIVATE_KEY` and `DOTENV_PRIVATE_KEY_…`, each of which may hold several, by commas."""
    return [
        key.strip()
        for name, value in environment.items()
        if name == PRIVATE_KEY or name.startswith(f"{PRIVATE_KEY}_")
        for key in value.split(",")
        if key.strip()
    ]


def decrypted(value: str, keys: list[str]) -> str:
    """The value, by the first of the keys that fits. Raises `NotDecrypted`, of the last key."""
    failure = NotDecrypted("missing private key")
    for key in keys:
        try:
            return _decrypted(value, key)
        except NotDecrypted as error:
            failure = error
    raise failure


def _decrypted(value: str, key: str) -> str:
    scalar = _scalar(key)
    try:
        sealed = base64.b64decode(value.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise NotDecrypted(f"failed to base64 decode secret: {error}") from None
    if len(sealed) <= POINT + NONCE + TAG:
        raise NotDecrypted("failed to decrypt secret: invalid length of message")
    plain = _opened(sealed, scalar)
    if plain is None:
        raise NotDecrypted("failed to decrypt secret: cannot decrypt ciphertext")
    return plain


def _scalar(key: str) -> int:
    try:
        return int.from_bytes(bytes.fromhex(key), "big")
    except ValueError:
        raise NotDecrypted("failed to hex decode private key: cannot decode hex string") from None


def _opened(sealed: bytes, scalar: int) -> str | None:
    # Few projects have such values.
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    once, nonce = sealed[:POINT], sealed[POINT : POINT + NONCE]
    tag, text = sealed[POINT + NONCE : POINT + NONCE + TAG], sealed[POINT + NONCE + TAG :]
    try:
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256K1(), once)
        shared = ec.derive_private_key(scalar, ec.SECP256K1()).exchange(ec.ECDH(), public)
    except ValueError:
        return None
    for point in _points(shared):
        key = HKDF(SHA256(), 32, salt=None, info=None).derive(once + point)
        try:
            return AESGCM(key).decrypt(nonce, text + tag, None).decode()
        except (InvalidTag, UnicodeDecodeError):
            continue
    return None


def _points(x: bytes) -> Iterator[bytes]:
    """The two points with this x. An exchange tells no y, so that the tag has to say which of them was meant."""
    y = pow(pow(int.from_bytes(x, "big"), 3, FIELD) + 7, (FIELD + 1) // 4, FIELD)
    for candidate in (y, FIELD - y):
        yield b"\x04" + x + candidate.to_bytes(32, "big")
