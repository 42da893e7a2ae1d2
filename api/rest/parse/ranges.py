"""`limit`, `offset` and the Range header → the window of rows that is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from api.rest.errors import invalid_range

RANGE = re.compile(r"(\d{0,18})-(\d{0,18})")
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

    def capped(self, rows: int | None) -> RowRange:
        """At most `rows` rows of this range."""
        if rows is None or (self.limit is not None and self.limit <= rows):
            return self
        return RowRange(self.offset, rows)


ALL_ROWS = RowRange()


def parse_range(limit: int | None, offset: int | None, header: str | None) -> RowRange:
    """The window of the whole request. Raises PGRST103.

    >>> parse_range(10, 5, None)
    RowRange(offset=5, limit=10)
    >>> parse_range(None, None, "2-4")
    RowRange(offset=2, limit=3)
    """
    if limit is not None and limit < 0:
        raise invalid_range(NEGATIVE_LIMIT)
    asked = RowRange(max(offset or 0, 0), limit)
    if header is None:
        return asked
    return _intersection(asked, _from_header(header))


def _from_header(header: str) -> RowRange:
    match = RANGE.fullmatch(header.strip())
    if match is None:
        return ALL_ROWS
    first, last = match.groups()
    start = int(first or 0)
    if not last:
        return RowRange(start)
    if int(last) < start:
        raise invalid_range(CROSSED)
    return RowRange(start, int(last) - start + 1)


def _intersection(one: RowRange, other: RowRange) -> RowRange:
    offset = max(one.offset, other.offset)
    ends = [rows.offset + rows.limit for rows in (one, other) if rows.limit is not None]
    return RowRange(offset, max(min(ends) - offset, 0) if ends else None)
