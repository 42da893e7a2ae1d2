"""Rates over all sockets of a backend: the average of the last minute against a limit."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager

from minato.clock import Clock
from minato.config.realtime import RealtimeSettings
from minato.http.shares import Shares

WINDOW_SECONDS = 60


class RateCounter:
    """Counts events; `exceeded` once their average per second over a minute is above `limit` (0: never).

    `seen` is how many there were in all.
    """

    def __init__(self, limit: int, clock: Clock) -> None:
        self.limit = limit
        self._clock = clock
        self._seconds: deque[tuple[int, int]] = deque()
        self._total = 0
        self.seen = 0

    def count(self, events: int = 1) -> None:
        """Note that `events` happened now."""
        now = int(self._clock.monotonic())
        self._forget(now)
        self._total += events
        self.seen += events
        if self._seconds and self._seconds[-1][0] == now:
            events += self._seconds.pop()[1]
        self._seconds.append((now, events))

    @property
    def average(self) -> float:
        """Events per second over the last minute."""
        self._forget(int(self._clock.monotonic()))
        return self._total / WINDOW_SECONDS

    @property
    def exceeded(self) -> bool:
        """Whether the next event should be refused."""
        return self.limit > 0 and self.average >= self.limit

    def _forget(self, now: int) -> None:
        while self._seconds and self._seconds[0][0] <= now - WINDOW_SECONDS:
            self._total -= self._seconds.popleft()[1]


class Limits:
    """The counters of one backend."""

    def __init__(self, settings: RealtimeSettings, clock: Clock) -> None:
        self.joins = RateCounter(settings.max_joins_per_second, clock)
        self.events = RateCounter(settings.max_events_per_second, clock)
        self.presence = RateCounter(settings.max_presence_events_per_second, clock)
        self.sockets = 0
        self.by_address: Counter[str] = Counter()
        self.channels = Shares(settings.max_channels_per_user)
        self.slow_consumers = 0

    @contextmanager
    def one_socket(self, address: str) -> Iterator[None]:
        """Count an open socket of `address` until the block ends."""
        self.sockets += 1
        self.by_address[address] += 1
        try:
            yield
        finally:
            self.sockets -= 1
            self.by_address[address] -= 1
            if not self.by_address[address]:
                del self.by_address[address]
