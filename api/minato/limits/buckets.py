"""What every kind of token bucket can do, and the arithmetic they share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

# How a bucket without a single token looks to whoever waits for it for ever.
NEVER = math.inf


@dataclass(frozen=True)
class Allowance:
    """`burst` at once, and one more every `1 / rate` seconds; a rate of 0 gives nothing back.

    >>> Allowance.per(30, 300, burst=30)
    Allowance(rate=0.1, burst=30)
    """

    rate: float
    burst: int

    @classmethod
    def per(cls, events: float, seconds: float, burst: int | None = None) -> Allowance:
        """`events` every so many `seconds`, as many at once where no `burst` is given."""
        return cls(events / seconds, int(events) if burst is None else burst)

    def wait(self, tokens: float) -> float:
        """Seconds until there is a whole token; 0 where there is one."""
        if tokens >= 1:
            return 0.0
        return (1 - tokens) / self.rate if self.rate > 0 and self.burst >= 1 else NEVER

    def refilled(self, tokens: float, seconds: float) -> float:
        return min(float(self.burst), tokens + max(0.0, seconds) * self.rate)


class Buckets(Protocol):
    """A bucket for each key, full at first. Who says what a key means is who takes from it."""

    async def take(self, key: str, allowance: Allowance) -> float:
        """Take a token: 0.0, or the seconds until there is one."""
        ...

    async def give(self, key: str, allowance: Allowance) -> None:
        """Put a token back that was taken for what should not count."""
        ...

    async def close(self) -> None:
        """Let go of what is held open."""
        ...
