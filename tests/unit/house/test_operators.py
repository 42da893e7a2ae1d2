"""An operator stands in several tables; a table that lacks one would fail only when somebody asks for it."""

from __future__ import annotations

from minato.realtime.postgres_changes import matching, parameters
from minato.rest.parse import filters
from minato.rest.sql import operators

from tests.security.fuzz.rooms import OPERATORS as FUZZED

# They are written by code of their own.
WRITTEN_APART = {"in", "is", "isdistinct"}


def test_every_operator_that_is_read_can_be_written() -> None:
    assert {*filters.SIMPLE, *filters.QUANTIFIED} <= set(operators.OPERATORS)


def test_every_operator_that_row_changes_are_filtered_by_can_be_written() -> None:
    assert parameters.OPERATORS == set(matching.SYMBOLS) | WRITTEN_APART


def test_every_operator_is_asked_at_random() -> None:
    assert {*filters.SIMPLE, *filters.QUANTIFIED, *filters.FULL_TEXT, *WRITTEN_APART} <= set(FUZZED)
