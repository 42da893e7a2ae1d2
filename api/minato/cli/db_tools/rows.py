"""Rows on standard output, as the Supabase CLI prints them."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Final

# Go's encoder escapes what could end a script element.
_ESCAPED: Final = {"&": "\\u0026", "<": "\\u003c", ">": "\\u003e", "\u2028": "\\u2028", "\u2029": "\\u2029"}


@dataclass(frozen=True)
class Rows:
    """`columns` are names; None in a row is NULL."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]

    def objects(self) -> list[dict[str, object]]:
        """One a row; of two columns of one name the last counts."""
        return [dict(zip(self.columns, map(json_value, row), strict=True)) for row in self.rows]

    def texts(self) -> list[list[str]]:
        return [["NULL" if value is None else str(value) for value in row] for row in self.rows]


def as_json(value: object) -> str:
    """Indented, keys sorted, with a line feed at the end.

    >>> print(as_json([{"b": 1, "a": "<x>"}]), end="")
    [
      {
        "a": "\\u003cx\\u003e",
        "b": 1
      }
    ]
    """
    return as_indented_json(value, sort_keys=True)


def as_indented_json(value: object, *, sort_keys: bool = False) -> str:
    """As Go's encoder indents and escapes."""
    text = json.dumps(value, indent=2, sort_keys=sort_keys, ensure_ascii=False)
    for sign, escaped in _ESCAPED.items():
        text = text.replace(sign, escaped)
    return text + "\n"


def json_value(value: object) -> object:
    """A value of psycopg2's in JSON: numbers, booleans and JSON as they are, everything else as text.

    >>> json_value([Decimal("1.50"), date(2026, 1, 2), memoryview(b"a")])
    [1.5, '2026-01-02', '\\\\x61']
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return int(value)
    if isinstance(value, (float, Decimal)):
        number = float(value)
        return number if math.isfinite(number) else str(value)
    if isinstance(value, datetime):
        moment = value.astimezone(UTC) if value.tzinfo else value
        return moment.replace(tzinfo=None).isoformat() + "Z"
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, memoryview):
        return f"\\x{value.tobytes().hex()}"
    if isinstance(value, list):
        return [json_value(item) for item in value]
    return value if isinstance(value, dict) else str(value)


def as_csv(rows: Rows) -> str:
    """A line of names, then a line a row; NULL is the word."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows.columns)
    writer.writerows(rows.texts())
    return text.getvalue()


def as_table(rows: Rows) -> str:
    """A box; names in the middle of their columns.

    >>> print(as_table(Rows(["id", "name"], [[1, None]])), end="")
    ┌────┬──────┐
    │ id │ name │
    ├────┼──────┤
    │ 1  │ NULL │
    └────┴──────┘
    """
    cells = [[text.split("\n") for text in row] for row in rows.texts()]
    names = [name.split("\n") for name in rows.columns]
    widths = [
        max(_width(line) for row in [names, *cells] for line in row[column]) for column in range(len(rows.columns))
    ]
    lines = [_rule("┌┬┐", widths), *_drawn(names, widths, centred=True)]
    if cells:
        lines.append(_rule("├┼┤", widths))
        lines += [line for row in cells for line in _drawn(row, widths, centred=False)]
    return "\n".join([*lines, _rule("└┴┘", widths)]) + "\n"


def _rule(signs: str, widths: Sequence[int]) -> str:
    return signs[0] + signs[1].join("─" * (width + 2) for width in widths) + signs[2]


def _drawn(cells: Sequence[Sequence[str]], widths: Sequence[int], *, centred: bool) -> Iterator[str]:
    for at in range(max((len(cell) for cell in cells), default=0)):
        parts = [cell[at] if at < len(cell) else "" for cell in cells]
        yield (
            "│"
            + "│".join(f" {_padded(part, width, centred)} " for part, width in zip(parts, widths, strict=True))
            + "│"
        )


def _padded(text: str, width: int, centred: bool) -> str:
    room = width - _width(text)
    left = room // 2 if centred else 0
    return " " * left + text + " " * (room - left)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
