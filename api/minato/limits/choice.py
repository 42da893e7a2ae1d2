"""Which buckets the settings ask for."""

from __future__ import annotations

import structlog

from minato.clock import Clock
from minato.config import Settings
from minato.limits.buckets import Buckets
from minato.limits.memory import MemoryBuckets


def create_buckets(settings: Settings, clock: Clock, log: structlog.stdlib.BoundLogger) -> Buckets:
    """Those in Redis where there is one, else those of this process."""
    alone = MemoryBuckets(settings.auth.rate_limit_addresses, clock)
    url = settings.realtime.redis_url
    if url is None:
        return alone
    # The client takes 18 MB; who has no Redis does not pay for it.
    from minato.limits.redis import RedisBuckets

    prefix = f"{settings.realtime.redis_channel}:limit:"
    return RedisBuckets(url.get_secret_value(), prefix, alone, clock, log)
