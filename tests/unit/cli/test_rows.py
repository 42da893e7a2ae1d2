"""Rows as tables, JSON and CSV."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest
from minato.cli.db_tools.rows import Rows, as_csv, as_json, as_table, json_value


@pytest.mark.parametrize(
    ("value", "becomes"),
    [
        (None, None),
        (True, True),
        (Decimal("3"), 3),
        (Decimal("12345678901234567890"), 12345678901234567890),
        (Decimal("1.5"), 1.5),
        (float("nan"), "nan"),
        (datetime(2026, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=2))), "2026-01-02T01:04:00Z"),
        (datetime(2026, 1, 2), "2026-01-02T00:00:00Z"),
        (date(2026, 1, 2), "2026-01-02"),
        (time(3, 4), "03:04:00"),
        ([1, [date(2026, 1, 2)]], [1, ["2026-01-02"]]),
        ({"a": [1]}, {"a": [1]}),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (memoryview(b"\x00a"), "\\x0061"),
    ],
)
def test_values_in_json(value: object, becomes: object) -> None:
    assert json_value(value) == becomes


def test_json_is_sorted_indented_and_safe_in_a_page() -> None:
    assert as_json([{"b": "</script>&", "a": []}]) == (
        '[\n  {\n    "a": [],\n    "b": "\\u003c/script\\u003e\\u0026"\n  }\n]\n'
    )
    assert as_json([]) == "[]\n"


def test_wide_signs_and_lines_keep_a_table_in_shape() -> None:
    assert as_table(Rows(["n"], [["日本"], ["a\nbcd"]])) == (
        "┌──────┐\n│  n   │\n├──────┤\n│ 日本 │\n│ a    │\n│ bcd  │\n└──────┘\n"
    )
    assert as_table(Rows(["only names"], [])) == "┌────────────┐\n│ only names │\n└────────────┘\n"


def test_csv_is_quoted_where_it_must_be() -> None:
    assert as_csv(Rows(["a", "b"], [['say "x"', "1,2"], [None, "two\nlines"]])) == (
        'a,b\n"say ""x""","1,2"\nNULL,"two\nlines"\n'
    )
