"""The one source of randomness: tokens, codes and ids all come from here, so that a test may seed it."""

from __future__ import annotations

import base64
import secrets
from uuid import UUID

# Ids that are asked for at once: each costs a call of the kernel otherwise.
IDS_AT_ONCE = 256


class Entropy:
    """Cryptographically strong randomness from the operating system."""

    def __init__(self) -> None:
        self._ids: list[str] = []

    def bytes(self, count: int) -> bytes:
        """`count` random bytes."""
        return secrets.token_bytes(count)

    def uuid4(self) -> UUID:
        """A random UUID, version 4."""
        return UUID(bytes=self.bytes(16), version=4)

    def request_id(self) -> str:
        """A random UUID as text, made quickly: every request gets one. It is no secret."""
        if not self._ids:
            drawn = self.bytes(16 * IDS_AT_ONCE).hex()
            self._ids = [drawn[begin : begin + 32] for begin in range(0, len(drawn), 32)]
        text = self._ids.pop()
        return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{'89ab'[int(text[16], 16) & 3]}{text[17:20]}-{text[20:]}"

    def digits(self, count: int) -> str:
        """A zero-padded decimal code of `count` digits, each value equally likely."""
        return f"{secrets.randbelow(10**count):0{count}d}"

    def base32(self, length: int) -> str:
        """`length` characters of lower-case base32 (`[a-z2-7]`)."""
        encoded = base64.b32encode(self.bytes((length * 5 + 7) // 8)).decode().lower()
        return encoded[:length]
