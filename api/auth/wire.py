"""JSON as Go writes it: structs keep their order, maps are sorted, `<`, `>` and `&` are escaped, times end in Z."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

# Go's encoding/json makes its output safe inside HTML; clients compare texts.
HTML_ESCAPES = ((b"<", b"\\u003c"), (b">", b"\\u003e"), (b"&", b"\\u0026"))


def render_json(value: Any) -> bytes:
    """Compact JSON of `value`; key order is the caller's, see `sorted_map`."""
    text = orjson.dumps(value, default=str)
    for character, escape in HTML_ESCAPES:
        text = text.replace(character, escape)
    return text


def sorted_map(value: Any) -> Any:
    """`value` with the keys of every map sorted by bytes, as Go writes maps.

    >>> sorted_map({"b": {"z": 1, "a": 2}, "B": 3})
    {'B': 3, 'b': {'a': 2, 'z': 1}}
    """
    if isinstance(value, Mapping):
        return {key: sorted_map(value[key]) for key in sorted(value, key=str.encode)}
    if isinstance(value, list):
        return [sorted_map(item) for item in value]
    return value


def render_time(moment: datetime) -> str:
    """RFC 3339 in UTC without trailing zeros.

    >>> render_time(datetime(2026, 8, 20, 10, 54, 52, 120000, UTC))
    '2026-08-20T10:54:52.12Z'
    """
    utc = moment.astimezone(UTC)
    fraction = f".{utc.microsecond:06d}".rstrip("0").rstrip(".")
    return utc.strftime("%Y-%m-%dT%H:%M:%S") + fraction + "Z"


def without_empty(document: dict[str, Any], *names: str) -> dict[str, Any]:
    """`document` without those of `names` that are null or empty: Go's `omitempty`."""
    return {key: value for key, value in document.items() if key not in names or value not in (None, "", [], {})}
