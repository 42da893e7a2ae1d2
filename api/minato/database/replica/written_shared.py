"""Positions in Redis, for the processes of several machines. While it is away everybody reads from the primary."""

from __future__ import annotations

import hashlib
import math
from contextlib import suppress
from typing import Any, Final

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from minato.clock import Clock
from minato.database.replica.position import BEGINNING, UNKNOWN, Position
from minato.database.replica.written import EVERYBODY, Gap, Written
from minato.redis_outage import RedisOutage

SECONDS: Final = 0.5
"""To connect, and to wait for an answer."""
AWAY_SECONDS: Final = 5.0
"""Nobody asks again for so long after Redis did not answer."""

# KEYS: the subject. ARGV: its position in 24 hexadecimal digits, which sort as numbers do; seconds to keep it.
SCRIPT: Final = """
local kept = redis.call('GET', KEYS[1])
if not kept or kept < ARGV[1] then kept = ARGV[1] end
redis.call('SET', KEYS[1], kept, 'EX', ARGV[2])
"""


class WrittenShared:
    """Those in the Redis at `url`, their keys below `prefix`, kept for `seconds`; `here` are this process's own."""

    def __init__(
        self,
        url: str,
        prefix: str,
        here: Written,
        seconds: float,
        clock: Clock,
        log: structlog.stdlib.BoundLogger,
        outage: RedisOutage,
    ) -> None:
        self._client = Redis.from_url(
            url,
            socket_timeout=SECONDS,
            socket_connect_timeout=SECONDS,
            retry=Retry(NoBackoff(), 1),
            redis_connect_func=self._connected,
        )
        self._keep = self._client.register_script(SCRIPT)
        self._prefix = prefix
        self._here = here
        self._seconds = seconds
        self._gap = Gap(clock, seconds, AWAY_SECONDS)
        self._run: bytes | None = None
        self._forgotten = Gap(clock, seconds)
        self._log = log
        self._outage = outage

    async def note(self, subject: str, position: Position) -> None:
        await self._here.note(subject, position)
        if self._gap.is_fresh:
            return
        try:
            await self._keep(keys=[self._key(subject)], args=[f"{position:024x}", math.ceil(self._seconds)])
        except (RedisError, OSError, TimeoutError) as error:
            self._lost(error)
        else:
            self._outage.end()

    async def wanted(self, subject: str) -> Position:
        if self._gap.is_fresh:
            return UNKNOWN
        try:
            told = await self._client.mget(self._key(subject), self._key(EVERYBODY))
        except (RedisError, OSError, TimeoutError) as error:
            self._lost(error)
            return UNKNOWN
        self._outage.end()
        if self._gap.is_open or self._forgotten.is_open:
            return UNKNOWN
        return max(await self._here.wanted(subject), *(int(each, 16) if each else BEGINNING for each in told))

    async def close(self) -> None:
        try:
            await self._client.aclose()
        except (RedisError, OSError):
            return

    async def _connected(self, connection: Any) -> None:
        """Each connection is begun by this: another run of Redis, or another Redis, may not have what was kept."""
        await connection.on_connect()
        await connection.send_command("INFO", "server")
        with suppress(ResponseError):  # some may not ask for it
            run = _run_of(await connection.read_response())
            if self._run not in (None, run) and self._forgotten.begin():
                self._log.warning("Redis was begun anew, reads go to the primary for a while")
            self._run = run

    def _key(self, subject: str) -> str:
        return f"{self._prefix}{hashlib.sha256(subject.encode('utf-8', 'replace')).hexdigest()}"

    def _lost(self, error: Exception) -> None:
        self._gap.begin()
        self._outage.begin(error)


def _run_of(told: bytes) -> bytes | None:
    """Which run of a server answered INFO."""
    lines = dict(line.partition(b":")[::2] for line in told.splitlines())
    return lines.get(b"run_id")
