"""Rules about the auth room's table of routes."""

from __future__ import annotations

import pytest
from minato.auth.guards import Limit, Unlimited
from minato.auth.routes import ROUTES, Route


@pytest.mark.parametrize("row", [row for row in ROUTES if row.method == "POST"], ids=lambda row: row.path)
def test_a_post_says_which_limit_it_counts_for_or_why_none(row: Route) -> None:
    said = [guard for guard in row.guards if isinstance(guard, Limit | Unlimited)]
    assert len(said) == 1, "name a Limit, or an Unlimited with its reason"


def test_no_two_rows_answer_the_same_request() -> None:
    requests = [(row.method, row.path) for row in ROUTES]
    assert len(set(requests)) == len(requests)
