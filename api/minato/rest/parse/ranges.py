"""`limit`, `offset` and the Range header → the window of rows that is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from minato.rest.errors import invalid_range

RANGE = re.compile(r"([0-9]+)-([0-9]*)")
# What the reference reads as a whole number; anything else says nothing.
NUMBER = re.compile(r"\s*(-?)\s*([0-9]+|0[xX][0-9a-fA-F]+|0[oO][0-7]+)\s*")
BASES = {"0x": 16, "0o": 8}
MAX_CEILING_BITS = 60
NEGATIVE_LIMIT = "Limit should be greater than or equal to zero."
CROSSED = "The lower boundary must be lower than or equal to the upper boundary in the Range header."


@dataclass(frozen=True)
class RowRange:
    """Rows from `offset`, at most `limit` of them; None is no bound."""

    offset: int = 0
    limit: int | None = None

    @property
    def is_all(self) -> bool:
        return self.offset == 0 and self.limit is None

    @property
    def last(self) -> int | None:
        """The position of the last row, before the first one when there is none."""
        return None if self.limit is None else self.offset + self.limit - 1

    def capped(self, rows: int | None) -> RowRange:
        """At most `rows` rows of this range."""
        if rows is None or (self.limit is not None and self.limit <= rows):
            return self
        return RowRange(self.offset, rows)

    @property
    def ceiling(self) -> int | None:
        """A power of four at or above the last row that is reached; None for no end, or one no bigint holds.

        >>> RowRange(40, 25).ceiling, RowRange(0, 1).ceiling, RowRange(5).ceiling
        (256, 1, None)
        """
        if self.limit is None:
            return None
        reached = self.offset + self.limit
        bits = (reached - 1).bit_length() + 1 & ~1 if reached > 1 else 0
        return 1 << bits if bits <= MAX_CEILING_BITS else None


@dataclass(frozen=True)
class Bounds:
    """What stands in a statement for the numbers of a window that was asked for; `limit` is None for no bound."""

    limit: str | None
    offset: str
    ceiling: int | None

    @staticmethod
    def of(rows: RowRange) -> Bounds:
        return Bounds(None if rows.limit is None else str(rows.limit), str(rows.offset), rows.ceiling)


ALL_ROWS = RowRange()
NO_ROWS = RowRange(0, 0)


def read_number(text: str) -> int | None:
    """A whole number as the reference reads one, or None.

    >>> read_number(" -2"), read_number("0x10"), read_number("1.5")
    (-2, 16, None)
    """
    if text.isdecimal() and text.isascii():
        return int(text)
    match = NUMBER.fullmatch(text)
    if match is None:
        return None
    sign, digits = match.groups()
    return int(sign + digits, BASES.get(digits[:2].lower(), 10))


def embed_window(limit: str | None, offset: str | None) -> RowRange:
    """The window over an embed's rows, as it was asked for: PostgreSQL refuses what can't be.

    A limit that is no number asks for nothing; beside an offset it asks for no rows.

    >>> embed_window("3", None), embed_window("x", "2")
    (RowRange(offset=0, limit=3), RowRange(offset=2, limit=0))
    """
    rows = read_number(limit) if limit is not None else None
    start = (read_number(offset) if offset is not None else None) or 0
    if limit is not None and offset is not None and rows is None:
        rows = 0
    return RowRange(start, rows)


def top_window(limit: str | None, offset: str | None, header: str | None) -> RowRange:
    """The window of the whole request. Raises PGRST103.

    >>> top_window("10", "5", None)
    RowRange(offset=5, limit=10)
    >>> top_window(None, None, "2-4")
    RowRange(offset=2, limit=3)
    """
    asked, ranged = embed_window(limit, offset), _from_header(header)
    if asked.last == -1:
        return NO_ROWS
    start = max(asked.offset, ranged.offset)
    ends = [rows.last for rows in (asked, ranged) if rows.last is not None]
    rows = min(ends) - start + 1 if ends else None
    if rows is not None and (rows <= 0 or (asked.limit is not None and asked.limit <= 0)):
        raise invalid_range(NEGATIVE_LIMIT)
    return RowRange(start, rows)


def _from_header(header: str | None) -> RowRange:
    match = RANGE.fullmatch(header.strip()) if header else None
    if match is None:
        return ALL_ROWS
    first, last = match.groups()
    if not last:
        return RowRange(int(first))
    if int(last) < int(first):
        raise invalid_range(CROSSED)
    return RowRange(int(first), int(last) - int(first) + 1)
