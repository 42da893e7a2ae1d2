"""Refresh tokens of version 2: nothing but a session and a counter, signed with the session's own key.

Bytes: 0, session id (16), counter (unsigned varint), HMAC-SHA-256 of those (16), SHA-256 of all that (4); base64url.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from uuid import UUID

KEY_BYTES = 32
SIGNATURE, CHECKSUM = 16, 4
SHORTEST = 1 + 16 + 1 + SIGNATURE + CHECKSUM
LARGEST = 2**63 - 1


@dataclass(frozen=True)
class CountedToken:
    """A token whose checksum fits; its signature is still to be checked."""

    session_id: UUID
    counter: int
    signed: bytes
    signature: bytes

    def is_signed_with(self, key: str) -> bool:
        """Whether the session's key (base64url) made it."""
        return hmac.compare_digest(_sign(self.signed, key), self.signature)


def encode(session_id: UUID, counter: int, key: str) -> str:
    """The token number `counter` of a session.

    >>> token = encode(UUID(int=7), 300, "a2V5")
    >>> decode(token).counter, decode(token).is_signed_with("a2V5"), decode(token).is_signed_with("eWVr")
    (300, True, False)
    """
    signed = b"\0" + session_id.bytes + _varint(counter)
    body = signed + _sign(signed, key)
    return base64.urlsafe_b64encode(body + _checksum(body)).rstrip(b"=").decode()


def decode(text: str) -> CountedToken | None:
    """The token in `text`; None for anything else."""
    try:
        octets = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    body, checksum = octets[:-CHECKSUM], octets[-CHECKSUM:]
    if len(octets) < SHORTEST or octets[0] != 0 or not hmac.compare_digest(_checksum(body), checksum):
        return None
    signed, signature = body[:-SIGNATURE], body[-SIGNATURE:]
    counter = _counter(signed[17:])
    return None if counter is None else CountedToken(UUID(bytes=signed[1:17]), counter, signed, signature)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _counter(octets: bytes) -> int | None:
    """The one varint that fills `octets`."""
    *more, last = octets or b"\x80"
    if last & 0x80 or not all(octet & 0x80 for octet in more) or len(more) > 9:
        return None
    return min(sum((octet & 0x7F) << 7 * place for place, octet in enumerate(octets)), LARGEST)


def _sign(signed: bytes, key: str) -> bytes:
    secret = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    return hmac.digest(secret, signed, hashlib.sha256)[:SIGNATURE]


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:CHECKSUM]
