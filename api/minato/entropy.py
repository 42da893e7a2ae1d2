"""The one source of randomness: tokens, codes and ids all come from here, so that a test may seed it."""

from __future__ import annotations

import base64
import secrets
from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b
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
        return f"{self._below(10**count):0{count}d}"

    def _below(self, limit: int) -> int:
        return secrets.randbelow(limit)

    def base32(self, length: int) -> str:
        """`length` characters of lower-case base32 (`[a-z2-7]`)."""
        encoded = base64.b32encode(self.bytes((length * 5 + 7) // 8)).decode().lower()
        return encoded[:length]


class SeededEntropy(Entropy):
    """The same draws in the same order, for a branch of a developer's: ids, codes and tokens are repeatable, and nobody
    is safe by them. Each length has draws of its own, so that one kind of work does not move the others.

    >>> one, other = SeededEntropy(7), SeededEntropy(7)
    >>> one.bytes(4) == other.bytes(4) != one.bytes(4)
    True
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed
        self._key = blake2b(str(seed).encode()).digest()
        self._drawn: Counter[int] = Counter()

    @property
    def drawn(self) -> dict[int, int]:
        """How many draws there were of each length."""
        return dict(self._drawn)

    def go_on(self, drawn: Mapping[int, int]) -> None:
        """Be at least as far as that."""
        self._drawn |= Counter(drawn)

    def bytes(self, count: int) -> bytes:
        self._drawn[count] += 1
        turn = f"{count} {self._drawn[count]}"
        parts = (blake2b(f"{turn} {n}".encode(), key=self._key).digest() for n in range(count // 64 + 1))
        return b"".join(parts)[:count]

    def request_id(self) -> str:
        """As random as ever: how often somebody asks is nothing that others depend on."""
        return str(UUID(bytes=secrets.token_bytes(16), version=4))

    def _below(self, limit: int) -> int:
        # So many more bits than needed that no value is likelier than another.
        return int.from_bytes(self.bytes(16)) % limit
