"""The signatures of wallets: Ed25519 for Solana, secp256k1 with EIP-191 for Ethereum."""

from __future__ import annotations

import hmac

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_BASE58 = {letter: value for value, letter in enumerate("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")}


def is_signed_by_solana(message: str, domain: str, address: str, signature: bytes) -> bool:
    """Whether the key that is the address signed the message, plainly or as Ledger devices wrap it."""
    public = base58_decode(address)
    if len(public) != 32 or len(signature) != 64:
        return False
    raw = message.encode()
    return any(_verifies(public, signature, text) for text in (raw, _offchain(raw, domain, public)))


def is_signed_by_ethereum(message: str, address: str, signature: str) -> bool:
    """Whether `signature` (0x and 65 bytes in hex) recovers to the key behind the address."""
    if not signature.startswith("0x"):
        return False
    try:
        given = bytes.fromhex(signature[2:])
    except ValueError:
        return False
    if len(given) != 65 or (given[64] - 27 if given[64] >= 27 else given[64]) > 3:
        return False
    raw = message.encode()
    digest = _keccak(b"\x19Ethereum Signed Message:\n" + str(len(raw)).encode() + raw)
    wanted = address.lower().encode()
    return any(hmac.compare_digest(found.encode(), wanted) for found in _signers(digest, given[:64]))


def address_of(public: bytes) -> str:
    """The Ethereum address of an uncompressed public key (64 bytes)."""
    return "0x" + _keccak(public)[12:].hex()


def base58_decode(text: str) -> bytes:
    """Nothing for what is not base58.

    >>> base58_decode("11"), base58_decode("0")
    (b'\\x00\\x00', b'')
    """
    number = 0
    for letter in text:
        if letter not in _BASE58:
            return b""
        number = number * 58 + _BASE58[letter]
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def _offchain(raw: bytes, domain: str, public: bytes) -> bytes:
    padded = domain.encode()[:32].ljust(32, b"\0")
    head = b"\xffsolana offchain" + b"\0" + padded + b"\0\x01" + public
    return head + len(raw).to_bytes(2, "little") + raw


def _verifies(public: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def _keccak(data: bytes) -> bytes:
    from Crypto.Hash import keccak  # only wallets need it

    return keccak.new(digest_bits=256, data=data).digest()


def _signers(digest: bytes, signature: bytes) -> list[str]:
    """The addresses of every key that may have made the signature; none for a signature that nobody can make."""
    from ecdsa import SECP256k1, VerifyingKey
    from ecdsa.errors import MalformedPointError
    from ecdsa.numbertheory import Error

    numbers = (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    if not all(0 < number < SECP256k1.order for number in numbers):
        return []
    try:
        keys = VerifyingKey.from_public_key_recovery_with_digest(signature, digest, SECP256k1)
    except (Error, MalformedPointError, ValueError, AssertionError):
        return []
    return [address_of(key.to_string()) for key in keys]
