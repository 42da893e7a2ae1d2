"""Relay by Redis' PUBLISH: between the processes of several machines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from minato.realtime.fanout.shared import RelayLost, Take
from minato.redis_outage import RedisOutage

SECONDS = 5.0
"""To connect, and between looks whether the server still answers."""


class RedisRelay:
    """A `Relay` on the Redis at `url`; `channel` keeps the installations that share it apart."""

    def __init__(self, url: str, channel: str, outage: RedisOutage) -> None:
        self._url = url
        self._outage = outage
        self._channel = channel

    @asynccontextmanager
    async def open(self, take: Take) -> AsyncIterator[RedisSession]:
        client = Redis.from_url(
            self._url, socket_connect_timeout=SECONDS, socket_keepalive=True, health_check_interval=SECONDS
        )
        pubsub = client.pubsub()
        try:
            await pubsub.subscribe(self._channel)
            # The answer: from here on everything is heard.
            await pubsub.get_message(timeout=SECONDS)
            self._outage.end()
            yield RedisSession(client, pubsub, self._channel, take, self._lost)
        except (RedisError, OSError, TimeoutError) as error:
            raise self._lost(error) from error
        finally:
            await _close(pubsub, client)

    def _lost(self, error: Exception) -> RelayLost:
        """Tell of it, for all who use this Redis."""
        self._outage.begin(error)
        return RelayLost(type(error).__name__, is_told=True)


class RedisSession:
    """A `Session`: one connection publishes, one listens."""

    def __init__(
        self, client: Redis, pubsub: PubSub, channel: str, take: Take, lost: Callable[[Exception], RelayLost]
    ) -> None:
        self._client = client
        self._pubsub = pubsub
        self._channel = channel
        self._take = take
        self._lost = lost

    async def send(self, parcels: Sequence[bytes]) -> None:
        pipeline = self._client.pipeline(transaction=False)
        for parcel in parcels:
            pipeline.publish(self._channel, parcel)
        try:
            await pipeline.execute()
        except (RedisError, OSError, TimeoutError) as error:
            raise self._lost(error) from error

    async def lost(self) -> None:
        """Listen until the connection ends. Raises RelayLost."""
        try:
            while True:
                message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=SECONDS)
                if message is not None:
                    self._take(message["data"])
        except (RedisError, OSError, asyncio.IncompleteReadError) as error:
            raise self._lost(error) from error


async def _close(pubsub: Any, client: Redis) -> None:
    try:
        await pubsub.aclose()
        await client.aclose()
    except (RedisError, OSError):
        return
