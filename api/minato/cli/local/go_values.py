"""Values of flags as Go writes them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from minato.cli.local.failures import CommandFailure

_UNITS: Final = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART: Final = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)")


def duration(given: str, flag: str) -> float:
    """Seconds. Raises `CommandFailure` in pflag's words.

    >>> duration("1h30m", "--valid-for"), duration("1.5s", "--valid-for"), duration("-2ms", "--valid-for")
    (5400.0, 1.5, -0.002)
    """
    sign, text = (-1.0, given[1:]) if given.startswith("-") else (1.0, given.removeprefix("+"))
    if text == "0":
        return 0.0
    if text and _PART.sub("", text) == "":
        return sign * sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    wrong = "missing unit in" if text.replace(".", "", 1).isdigit() else "invalid"
    raise CommandFailure(f'invalid argument "{given}" for "{flag}" flag: time: {wrong} duration "{given}"')


def moment(given: str, flag: str) -> datetime:
    """A time as RFC 3339 writes it. Raises `CommandFailure`.

    >>> moment("2026-01-02T03:04:05Z", "--exp").isoformat()
    '2026-01-02T03:04:05+00:00'
    """
    try:
        found = datetime.fromisoformat(given)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise CommandFailure(f'invalid argument "{given}" for "{flag}" flag: invalid time format: must be RFC3339')
    return found
