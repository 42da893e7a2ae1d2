"""The Range header: one range of bytes, or a refusal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from minato.storage.errors import invalid_range

RANGE = re.compile(r"bytes=(\d*)-(\d*)", re.ASCII)


@dataclass(frozen=True)
class ByteRange:
    """Bytes `start` to `stop`, `stop` not included, of `size`."""

    start: int
    stop: int
    size: int

    @property
    def header(self) -> str:
        """The Content-Range header."""
        return f"bytes {self.start}-{self.stop - 1}/{self.size}"


def parse_range(header: str | None, size: int) -> ByteRange | None:
    """The part of a file of `size` bytes that is asked for; None for the whole. Raises InvalidRange.

    >>> parse_range("bytes=-3", 10)
    ByteRange(start=7, stop=10, size=10)
    """
    if header is None:
        return None
    found = RANGE.fullmatch(header.strip())
    if found is None or (not found[1] and not found[2]) or max(len(found[1]), len(found[2])) > 19:
        raise invalid_range()
    if not found[1]:
        start, stop = max(0, size - int(found[2])), size
    else:
        start, stop = int(found[1]), min(int(found[2]) + 1, size) if found[2] else size
    if start >= stop:
        raise invalid_range()
    return ByteRange(start, stop, size)
