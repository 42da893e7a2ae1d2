"""The clock that is moved, stopped and let go on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from minato.clock import Clock
from minato.jobs.cron.schedule import NEVER, Schedule

NEW_YEAR = datetime(2030, 1, 1, tzinfo=UTC)
EVERY = (1 << 60) - 1


def test_a_stopped_clock_stands_however_it_is_read() -> None:
    clock = Clock()
    clock.freeze()
    clock.freeze()
    assert clock.frozen
    first = (clock.now(), clock.timestamp(), clock.monotonic())
    assert first == (clock.now(), clock.timestamp(), clock.monotonic())


def test_a_stopped_clock_can_be_moved_and_goes_on_from_there() -> None:
    clock = Clock()
    clock.freeze()
    clock.put(NEW_YEAR)
    assert clock.now() == NEW_YEAR
    assert clock.timestamp() == pytest.approx(NEW_YEAR.timestamp())
    clock.resume()
    assert not clock.frozen
    assert timedelta(0) <= clock.now() - NEW_YEAR < timedelta(minutes=1)


@pytest.mark.parametrize("stands", [False, True])
def test_what_is_measured_never_goes_back(stands: bool) -> None:
    clock = Clock()
    if stands:
        clock.freeze()
    clock.put(NEW_YEAR)
    before = clock.monotonic()
    clock.put(NEW_YEAR - timedelta(days=400))
    assert clock.monotonic() >= before
    clock.reset()
    assert clock.monotonic() >= before
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(minutes=1)


def test_time_that_passes_at_once_counts_for_what_is_measured() -> None:
    clock = Clock()
    clock.freeze()
    before = clock.monotonic()
    clock.advance(timedelta(hours=1))
    assert clock.monotonic() == pytest.approx(before + 3600)


def test_a_schedule_tells_when_it_is_due_next() -> None:
    now = datetime(2026, 3, 1, 8, 30, 10, tzinfo=UTC)
    nine_o_clock = Schedule(0, 3, 1, 1 << 9, EVERY, EVERY, EVERY)
    assert nine_o_clock.next_after(now, now + timedelta(days=1)) == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert nine_o_clock.next_after(now.replace(hour=9), now + timedelta(days=2)) == datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert nine_o_clock.next_after(now, now + timedelta(minutes=29)) is None
    on_the_29th_of_february = Schedule(0, 2, 1, 1, 1 << 28, 1 << 1, EVERY)
    assert on_the_29th_of_february.next_after(now, now + timedelta(days=3000)) == datetime(2028, 2, 29, tzinfo=UTC)
    assert NEVER.next_after(now, now + timedelta(days=3000)) is None
