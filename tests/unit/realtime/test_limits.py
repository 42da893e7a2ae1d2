"""Rates are averages of the last minute, and addresses are known while they have sockets."""

from __future__ import annotations

from datetime import timedelta

from minato.clock import Clock
from minato.config.realtime import RealtimeSettings
from minato.realtime.limits import Limits, RateCounter


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


def test_an_address_is_forgotten_with_the_last_of_its_sockets() -> None:
    limits = Limits(RealtimeSettings(), Clock())
    with limits.one_socket("192.0.2.1"):
        with limits.one_socket("192.0.2.1"), limits.one_socket("192.0.2.1"), limits.one_socket("192.0.2.2"):
            assert limits.by_address == {"192.0.2.1": 3, "192.0.2.2": 1}
            assert limits.sockets == 4
        assert limits.by_address == {"192.0.2.1": 1}
    assert limits.by_address == {}
    assert limits.sockets == 0
