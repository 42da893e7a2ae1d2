"""Token buckets in Redis, shared by the processes of several machines; while it is away each process counts alone."""

from __future__ import annotations

import math
from typing import Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from minato.clock import Clock
from minato.limits.buckets import NEVER, Allowance, Buckets
from minato.redis_outage import RedisOutage

SECONDS: Final = 0.5
"""To connect, and to wait for an answer: a limit must not cost more than what it protects."""
AWAY_SECONDS: Final = 5.0
"""Nobody asks again for so long after Redis did not answer."""
IDLE_SECONDS: Final = 3600

# KEYS: the bucket. ARGV: tokens a second, burst, now, what to add (-1 takes, 1 gives back), seconds to keep the key.
# Answers the seconds to wait, -1 for ever. Clocks of two machines differ: time never goes back for a bucket.
SCRIPT: Final = """
local rate, burst, now, change = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'seen')
local tokens, seen = tonumber(kept[1]) or burst, tonumber(kept[2]) or now
tokens = math.min(burst, tokens + math.max(0, now - seen) * rate)
local wait = 0
if change < 0 and tokens < 1 then
    wait = (rate > 0 and burst >= 1) and (1 - tokens) / rate or -1
else
    tokens = math.min(burst, tokens + change)
end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.9f', tokens), 'seen', string.format('%.6f', math.max(seen, now)))
redis.call('EXPIRE', KEYS[1], ARGV[5])
return string.format('%.6f', wait)
"""


class RedisBuckets:
    """Buckets in the Redis at `url`, their keys below `prefix`; `alone` counts while there is none."""

    def __init__(self, url: str, prefix: str, alone: Buckets, clock: Clock, outage: RedisOutage) -> None:
        self._client = Redis.from_url(
            url,
            socket_timeout=SECONDS,
            socket_connect_timeout=SECONDS,
            # Once, for a connection that was closed while it lay idle.
            retry=Retry(NoBackoff(), 1),
        )
        self._run = self._client.register_script(SCRIPT)
        self._prefix = prefix
        self._alone = alone
        self._clock = clock
        self._outage = outage
        self._away_until: float | None = None

    async def take(self, key: str, allowance: Allowance) -> float:
        wait = await self._change(key, allowance, -1)
        if wait is None:
            return await self._alone.take(key, allowance)
        return wait if wait >= 0 else NEVER

    async def give(self, key: str, allowance: Allowance) -> None:
        if await self._change(key, allowance, 1) is None:
            await self._alone.give(key, allowance)

    async def close(self) -> None:
        try:
            await self._client.aclose()
        except (RedisError, OSError):
            return

    async def _change(self, key: str, allowance: Allowance, by: int) -> float | None:
        """The script's answer; None while Redis is away."""
        now = self._clock.monotonic()
        if self._away_until is not None and now < self._away_until:
            return None
        try:
            answer = await self._run(
                keys=[self._prefix + key],
                args=[allowance.rate, allowance.burst, self._clock.timestamp(), by, _seconds_kept(allowance)],
            )
        except (RedisError, OSError, TimeoutError) as error:
            self._outage.begin(error)
            self._away_until = now + AWAY_SECONDS
            return None
        self._outage.end()
        self._away_until = None
        return float(answer)


def _seconds_kept(allowance: Allowance) -> int:
    """A bucket that is full again need not be kept."""
    if allowance.rate <= 0:
        return IDLE_SECONDS
    return math.ceil(allowance.burst / allowance.rate) + 1
