"""Quotas of the whole server: what they allow and when it comes back."""

from __future__ import annotations

import pytest
from minato.auth.rate_limits import Quota
from minato.config.auth import AuthSettings
from minato.config.auth_limits import parse_rate
from pydantic import ValidationError


def test_a_quota_starts_anew_every_hour() -> None:
    quota = Quota(parse_rate("2"), 100)
    assert [quota.take(100), quota.take(200), quota.take(3600)] == [True, True, False]
    assert quota.take(3700)


def test_a_quota_written_as_a_bucket_refills_one_by_one() -> None:
    quota = Quota(parse_rate("2/10s"), 0)
    assert [quota.take(0), quota.take(0), quota.take(9), quota.take(10), quota.take(11)] == [
        *(True, True, False, True, False),
    ]


@pytest.mark.parametrize("text", ["many", "1/", "1/day", "/1s", "-1"])
def test_a_rate_that_is_none_stops_the_start(text: str) -> None:
    with pytest.raises(ValidationError):
        AuthSettings(rate_limit_email_sent=text)
