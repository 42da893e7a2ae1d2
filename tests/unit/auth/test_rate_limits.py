"""Token buckets and quotas: what they allow, when it comes back, and how much they remember."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pydantic import ValidationError

from api.auth.rate_limits import Buckets, Quota, RateLimits
from api.clock import Clock
from api.config.auth import AuthSettings
from api.config.auth_limits import parse_rate


def test_a_bucket_gives_its_burst_at_once_and_the_rest_by_and_by() -> None:
    buckets, key = Buckets(10), ("token", "1.2.3.4")
    assert [buckets.take(key, 0, 0.5, 3) for _ in range(4)] == [True, True, True, False]
    assert not buckets.take(key, 1, 0.5, 3)
    assert buckets.take(key, 2, 0.5, 3)
    assert [buckets.take(key, 1000, 0.5, 3) for _ in range(4)] == [True, True, True, False]


def test_keys_do_not_share_and_the_longest_silent_is_forgotten() -> None:
    buckets = Buckets(2)
    for address in ("a", "b", "a", "c"):
        buckets.take(("token", address), 0, 0, 1)
    assert len(buckets) == 2
    assert not buckets.take(("token", "a"), 0, 0, 1)
    assert buckets.take(("token", "b"), 0, 0, 1)


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


def test_development_sends_any_number_unless_told_otherwise() -> None:
    clock = Clock()
    free, production = (RateLimits(AuthSettings(), clock, development) for development in (True, False))
    assert all(free.allows_mail() and free.allows_text_message() for _ in range(100))
    assert [production.allows_mail() for _ in range(31)].count(True) == 30
    told = RateLimits(AuthSettings(rate_limit_sms_sent="1"), clock, True)
    assert [told.allows_text_message() for _ in range(2)] == [True, False]


def test_anonymous_sign_ins_have_a_bucket_of_an_hour() -> None:
    clock = Clock()
    limits = RateLimits(AuthSettings(rate_limit_anonymous_users=2), clock, False)
    assert [limits.allows("anonymous", "a") for _ in range(3)] == [True, True, False]
    clock.advance(timedelta(minutes=31))
    assert [limits.allows("anonymous", "a") for _ in range(2)] == [True, False]
