"""JSON as Go's encoder writes it: compact, `<>&` escaped, maps sorted, times with trailing zeros cut."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029", "\x7f": "\x7f"}
)


# Most of what is written, and nothing to look for in it.
_PLAIN = frozenset({str, bool, int, type(None)})
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def render_json(value: object) -> bytes:
    """The bytes of `value`; the order of keys is the caller's.

    >>> render_json({"b": "<a&b>", "a": 1.0})
    b'{"b":"\\\\u003ca\\\\u0026b\\\\u003e","a":1}'
    """
    text = _ENCODER.encode(_numbers(value))
    return text.translate(_ESCAPES).encode("utf-8", "replace")


def sorted_map(value: object) -> Any:
    """`value` with every map inside it sorted bytewise, as Go writes maps."""
    if isinstance(value, Mapping):
        return {key: sorted_map(value[key]) for key in sorted(value, key=str.encode)}
    if isinstance(value, list):
        return [sorted_map(item) for item in value]
    return value


def render_time(moment: datetime | None) -> str | None:
    """RFC 3339 in UTC.

    >>> render_time(datetime(2026, 8, 20, 10, 54, 52, 120000, UTC))
    '2026-08-20T10:54:52.12Z'
    """
    if moment is None:
        return None
    # As most are, coming from PostgreSQL.
    moment = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    text = moment.replace(tzinfo=None).isoformat()
    return f"{text.rstrip('0')}Z" if moment.microsecond else f"{text}Z"


def _numbers(value: object) -> object:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    if isinstance(value, Mapping):
        return {key: _numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return value
