"""Tells the log when the Redis of `REDIS_URL` stops answering and when it answers again: one line each, whoever asks.

Limits, broadcasts and the positions of writes each have connections of their own, and each goes on alone meanwhile.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import structlog


class RedisOutage:
    """The present outage of one Redis, if there is one. Every use of it reports here."""

    def __init__(self, url: str, log: structlog.stdlib.BoundLogger) -> None:
        self.lasts = False
        self._address = shown_redis(url)
        self._log = log

    def begin(self, error: Exception) -> None:
        """It could not be asked."""
        if not self.lasts:
            self.lasts = True
            self._log.warning("Redis does not answer", address=self._address, reason=type(error).__name__)

    def end(self) -> None:
        """It answered."""
        if self.lasts:
            self.lasts = False
            self._log.warning("Redis answers again", address=self._address)


def shown_redis(url: str) -> str:
    """Where that is, without the password.

    >>> shown_redis("rediss://me:secret@10.0.0.1:6379/2?password=secret")
    'rediss://10.0.0.1:6379/2'
    >>> shown_redis("unix:///run/redis.sock?password=secret")
    'unix:///run/redis.sock'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
