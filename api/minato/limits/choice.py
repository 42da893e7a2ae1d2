"""Which token buckets the settings ask for, and those in the memory of one process, their number bounded."""

from __future__ import annotations

from collections import OrderedDict

import structlog

from minato.clock import Clock
from minato.config import Settings
from minato.limits.buckets import Allowance, Buckets
from minato.limits.machine import SERVICE, BucketService, MachineBuckets
from minato.machine.exchange import Exchange, Machine
from minato.machine.link import Member
from minato.redis_outage import RedisOutage


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


def create_buckets(
    settings: Settings, clock: Clock, log: structlog.stdlib.BoundLogger, redis: RedisOutage, machine: Machine = None
) -> Buckets:
    """Those in Redis where there is one, else those of this process, or of its parent."""
    memory = MemoryBuckets(settings.auth.rate_limit_addresses, clock)
    alone: Buckets = memory
    if isinstance(machine, Exchange):
        machine.offer(SERVICE, BucketService(memory))
    elif isinstance(machine, Member):
        alone = MachineBuckets(machine, memory, clock, log)
    url = settings.realtime.redis_url
    if url is None:
        return alone
    # The client takes 18 MB; who has no Redis does not pay for it.
    from minato.limits.redis import RedisBuckets

    prefix = f"{settings.realtime.redis_channel}:limit:"
    return RedisBuckets(url.get_secret_value(), prefix, alone, clock, redis)
