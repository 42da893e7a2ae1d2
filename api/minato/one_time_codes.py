"""The one-time codes that messages carry: random ones, but for whom a developer has fixed them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from minato.entropy import Entropy


class OneTimeCodes:
    """`fixed` is by address or number; it stays empty in production, where nothing writes it.

    >>> codes = OneTimeCodes(Entropy())
    >>> codes.fix({"Anna@example.com": "123456", "+81 90 1234 5678": "654321"})
    >>> codes.new("anna@example.com", 6), codes.new("819012345678", 6), len(codes.new("bob@example.com", 8))
    ('123456', '654321', 8)
    """

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._fixed: dict[str, str] = {}

    def fix(self, codes: Mapping[str, str]) -> None:
        """From now on these and no others are fixed."""
        self._fixed = {_plain(address): code for address, code in codes.items()}

    def is_fixed(self, address: str) -> bool:
        """Whether every message to `address` carries the same code."""
        return bool(self._fixed) and _plain(address) in self._fixed

    def new(self, address: str, digits: int) -> str:
        """The code of the next message to `address`: a random one has so many digits."""
        fixed = self._fixed.get(_plain(address)) if self._fixed else None
        return self._entropy.digits(digits) if fixed is None else fixed


def _plain(address: str) -> str:
    """An address, or the digits of a number, however it is written."""
    return address.strip().lower() if "@" in address else re.sub(r"[^0-9]", "", address)
