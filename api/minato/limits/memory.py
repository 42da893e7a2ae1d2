"""Token buckets in the memory of one process, their number bounded."""

from __future__ import annotations

from collections import OrderedDict

from minato.clock import Clock
from minato.limits.buckets import Allowance


class MemoryBuckets:
    """Of more than `size` keys the longest silent is forgotten."""

    def __init__(self, size: int, clock: Clock) -> None:
        self._size = size
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    async def take(self, key: str, allowance: Allowance) -> float:
        tokens = self._tokens(key, allowance)
        wait = allowance.wait(tokens)
        self._keep(key, tokens if wait else tokens - 1)
        return wait

    async def give(self, key: str, allowance: Allowance) -> None:
        if key in self._buckets:
            self._keep(key, min(float(allowance.burst), self._tokens(key, allowance) + 1))

    async def close(self) -> None:
        """Nothing is open."""

    def _tokens(self, key: str, allowance: Allowance) -> float:
        tokens, seen = self._buckets.pop(key, (float(allowance.burst), self._clock.monotonic()))
        return allowance.refilled(tokens, self._clock.monotonic() - seen)

    def _keep(self, key: str, tokens: float) -> None:
        self._buckets[key] = (tokens, self._clock.monotonic())
        if len(self._buckets) > self._size:
            self._buckets.popitem(last=False)
