"""Sign-in messages of wallets, and who signed them: EIP-4361 (Ethereum) and its sibling for Solana.

The grammar and its refusals are GoTrue's (internal/utilities/siwe, siws). Signatures are Ed25519 for Solana, secp256k1
with EIP-191 for Ethereum.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import SplitResult, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from minato.auth.wire.redirects import is_request_uri

_DOMAIN = re.compile(r"(localhost|(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,})(?::\d{1,5})?")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)")
_TIMES = ("Issued At", "Expiration Time", "Not Before")
_BASE58 = {letter: value for value, letter in enumerate("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")}


class MessageError(ValueError):
    """A message outside the grammar."""


@dataclass(frozen=True)
class Chain:
    """What tells the two kinds of message apart."""

    name: str
    title: str
    prefix: str
    address: re.Pattern[str]
    not_an_address: str
    network: re.Pattern[str]


SOLANA = Chain(
    "solana",
    "Solana",
    "siws",
    re.compile(r"[a-zA-Z0-9]{32,44}"),
    "wallet address is not in base58 format",
    re.compile(r"(solana:(main|dev|test|local)net)?"),
)
ETHEREUM = Chain(
    "ethereum",
    "Ethereum",
    "siwe",
    re.compile(r"0x[a-fA-F0-9]{40}"),
    "wallet address is not a valid Ethereum address",
    re.compile(r"\+?0*[1-9][0-9]{0,17}"),
)


@dataclass
class SignInMessage:
    """A parsed message; `raw` is what was signed."""

    chain: Chain
    raw: str
    domain: str
    address: str
    statement: str | None = None
    uri: SplitResult | None = None
    version: str = ""
    network: str = ""
    times: dict[str, datetime] = field(default_factory=dict)


def parse_message(raw: str, chain: Chain) -> SignInMessage:
    """The message in `raw`. Raises MessageError in GoTrue's words."""
    try:
        return _parse(raw, chain)
    except MessageError as error:
        raise MessageError(f"{chain.prefix}: {error}") from None


def _parse(raw: str, chain: Chain) -> SignInMessage:
    lines = raw.split("\n")
    if len(lines) < 6:
        raise MessageError("message needs at least 6 lines")
    suffix = f" wants you to sign in with your {chain.title} account:"
    if not lines[0].endswith(suffix):
        raise MessageError(f'message first line does not end in "{suffix}"')
    message = SignInMessage(chain, raw, lines[0].removesuffix(suffix).strip(), lines[1].strip())
    if not _DOMAIN.fullmatch(message.domain):
        raise MessageError("domain in first line of message is not valid")
    if not chain.address.fullmatch(message.address):
        raise MessageError(chain.not_an_address)
    if lines[2]:
        raise MessageError("third line must be empty")
    start = 3
    if lines[3] and not lines[4]:
        message.statement, start = lines[3], 5
    _read_fields(message, lines, start)
    _require_whole(message)
    return message


def _read_fields(message: SignInMessage, lines: list[str], start: int) -> None:
    resources: int | None = None
    for index in range(start, len(lines)):
        line = lines[index].strip()
        if resources is not None and line.startswith("- "):
            if not is_request_uri(line[2:].strip()):
                raise MessageError(f"Resource at position {resources} has invalid URI")
            resources += 1
            continue
        resources = 0 if line == "Resources:" else None
        if not line or resources is not None:
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise MessageError(f"encountered unparsable line at index {index}")
        _read_field(message, name, value.strip())


def _read_field(message: SignInMessage, name: str, value: str) -> None:
    if name == "URI":
        if not is_request_uri(value):
            raise MessageError("URI is not valid")
        message.uri = urlsplit(value)
    elif name == "Version":
        message.version = value
    elif name == "Chain ID":
        if not message.chain.network.fullmatch(value):
            raise MessageError("Chain ID is not valid")
        message.network = value
    elif name in _TIMES:
        message.times[name] = _read_time(name, value)


def _read_time(name: str, value: str) -> datetime:
    try:
        if _TIME.fullmatch(value):
            return datetime.fromisoformat(value)
    except ValueError:
        pass
    raise MessageError(f"{name} is not a valid ISO8601 timestamp")


def _require_whole(message: SignInMessage) -> None:
    if message.version != "1":
        raise MessageError(f'Version value is not supported, expected 1 got "{message.version}"')
    issued, expires, begins = (message.times.get(name) for name in _TIMES)
    if issued is None:
        raise MessageError("Issued At is not specified")
    if message.uri is None:
        raise MessageError("URI is not specified")
    if expires is not None and issued > expires:
        raise MessageError("Issued At is after Expiration Time")
    if expires is not None and begins is not None and begins > expires:
        raise MessageError("Not Before is after Expiration Time")


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
