"""Durations in settings: a number of seconds, or as Go writes them (`1m30s`, `24h`), since GoTrue's settings are."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PART = re.compile(r"(\d+(?:\.\d+)?)(h|ms|m|s)")


def seconds(value: object) -> object:
    """The seconds in a Go duration; anything else is left to the type of the setting.

    >>> seconds("1m30s"), seconds("500ms"), seconds("60")
    (90.0, 0.5, '60')
    """
    if not isinstance(value, str) or not re.fullmatch(f"(?:{_PART.pattern})+", value):
        return value
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(value))


Seconds = Annotated[float, BeforeValidator(seconds)]
