"""Rates are averages of the last minute."""

from __future__ import annotations

from datetime import timedelta

from minato.clock import Clock
from minato.realtime.limits import RateCounter


def test_a_rate_is_exceeded_by_its_average_and_recovers_after_a_minute() -> None:
    clock = Clock()
    counter = RateCounter(2, clock)
    counter.count(119)
    assert not counter.exceeded
    counter.count()
    assert counter.exceeded
    clock.advance(timedelta(seconds=61))
    assert not counter.exceeded
    assert counter.average == 0


def test_a_limit_of_zero_is_none() -> None:
    counter = RateCounter(0, Clock())
    counter.count(1_000_000)
    assert not counter.exceeded
