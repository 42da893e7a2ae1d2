"""SQLSTATE → status."""

from __future__ import annotations

import pytest
from minato.rest.sqlstate import database_error


@pytest.mark.parametrize(
    ("sqlstate", "message", "status"),
    [
        ("08006", "", 503),
        ("09000", "", 500),
        ("0LP01", "", 403),
        ("0P000", "", 403),
        ("23503", "", 409),
        ("23505", "", 409),
        ("23502", "", 400),
        ("23514", "", 400),
        ("25006", "", 405),
        ("25001", "", 500),
        ("21000", "UPDATE requires a WHERE clause", 400),
        ("21000", "more than one row returned", 500),
        ("22023", 'role "x" does not exist', 401),
        ("22023", "invalid value", 400),
        ("22P02", "", 400),
        ("28000", "", 403),
        ("40001", "", 500),
        ("53400", "", 500),
        ("53300", "", 503),
        ("54001", "", 500),
        ("57014", "", 500),
        ("57P01", "", 503),
        ("57P05", "", 503),
        ("P0001", "", 400),
        ("P0004", "", 500),
        ("XX000", "", 500),
        ("42883", "function xmlagg(x) does not exist", 406),
        ("42883", "function x() does not exist", 404),
        ("42P01", "", 404),
        ("42P17", "", 500),
        ("42501", "", 401),
        ("42703", "", 400),
        ("PT404", "", 404),
        ("PT999", "", 500),
        ("PTabc", "", 500),
    ],
)
def test_a_database_error_has_the_references_status(sqlstate: str, message: str, status: int) -> None:
    error = database_error({"C": sqlstate, "M": message}, authenticated=False)
    assert (error.status, error.code) == (status, sqlstate)


def test_a_missing_right_is_403_for_somebody_who_signed_in() -> None:
    assert database_error({"C": "42501"}, authenticated=True).status == 403


@pytest.mark.parametrize(
    ("message", "detail", "details"),
    [
        ("not json", None, "Invalid JSON value for MESSAGE: 'not json'"),
        ('{"code":"1"}', None, 'Invalid JSON value for MESSAGE: \'{"code":"1"}\''),
        ('{"code":"1","message":"m"}', None, "DETAIL is missing in the RAISE statement"),
        ('{"code":"1","message":"m"}', "{}", "Invalid JSON value for DETAIL: '{}'"),
        # A name that no header can have would cost the client its connection.
        (
            '{"code":"1","message":"m"}',
            r'{"status":410,"headers":{"a\nb":"c"}}',
            r"""Invalid JSON value for DETAIL: '{"status":410,"headers":{"a\nb":"c"}}'""",
        ),
    ],
)
def test_a_broken_pgrst_error_is_told(message: str, detail: str | None, details: str) -> None:
    error = database_error(
        {"C": "PGRST", "M": message, **({} if detail is None else {"D": detail})}, authenticated=True
    )
    assert (error.status, error.code, error.details) == (500, "PGRST121", details)
