"""Durations as Go writes them: `24h`, `1h30m`, `-1.5s`."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal

_NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
}
_PART = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([^0-9.]*)")
_LONGEST = 1 << 63


def parse_duration(text: str) -> timedelta:
    """The duration; ValueError in the words of Go's time.ParseDuration.

    >>> parse_duration("1h30m"), parse_duration("0")
    (datetime.timedelta(seconds=5400), datetime.timedelta(0))
    """
    sign = -1 if text.startswith("-") else 1
    rest = text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return timedelta(0)
    total, position = Decimal(0), 0
    while position < len(rest) or not rest:
        part = _PART.match(rest, position)
        if part is None:
            raise ValueError(f'time: invalid duration "{text}"')
        total += Decimal(part[1]) * _unit(part[2], text)
        position = part.end()
    if total >= _LONGEST:
        raise ValueError(f'time: invalid duration "{text}"')
    return sign * timedelta(microseconds=int(total / 1000))


def _unit(name: str, text: str) -> int:
    if not name:
        raise ValueError(f'time: missing unit in duration "{text}"')
    if name not in _NANOSECONDS:
        raise ValueError(f'time: unknown unit "{name}" in duration "{text}"')
    return _NANOSECONDS[name]
