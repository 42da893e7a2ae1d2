"""Token buckets of a server's workers: kept by their parent; while it does not answer each counts alone."""

from __future__ import annotations

from typing import Final

import orjson
import structlog

from minato.clock import Clock
from minato.limits.buckets import NEVER, Allowance, Buckets
from minato.machine.link import Asking, Link, LinkLost, Member

SERVICE: Final = "limits"
AWAY_SECONDS: Final = 5.0
TAKE, GIVE = -1, 1


class BucketService:
    """The parent's side: takes from `buckets` and gives back for all workers."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    def welcome(self, link: Link, worker: int) -> None:
        """Nothing is told before somebody asks."""

    def farewell(self, link: Link) -> None:
        """What was taken stays taken."""

    async def serve(self, link: Link) -> None:
        while True:
            key, rate, burst, change = orjson.loads(await link.receive())
            link.post(orjson.dumps(await self._change(key, Allowance(rate, burst), change)))

    async def _change(self, key: str, allowance: Allowance, change: int) -> float | None:
        """Seconds to wait, None for ever."""
        if change == GIVE:
            await self._buckets.give(key, allowance)
            return 0.0
        wait = await self._buckets.take(key, allowance)
        return None if wait == NEVER else wait


class MachineBuckets:
    """A worker's side; `alone` counts while the parent does not answer."""

    def __init__(self, member: Member, alone: Buckets, clock: Clock, log: structlog.stdlib.BoundLogger) -> None:
        self._parent = Asking(member, SERVICE)
        self._alone = alone
        self._clock = clock
        self._log = log
        self._away_until: float | None = None

    async def take(self, key: str, allowance: Allowance) -> float:
        wait = await self._change(key, allowance, TAKE)
        return await self._alone.take(key, allowance) if wait is None else wait

    async def give(self, key: str, allowance: Allowance) -> None:
        if await self._change(key, allowance, GIVE) is None:
            await self._alone.give(key, allowance)

    async def close(self) -> None:
        self._parent.close()

    async def _change(self, key: str, allowance: Allowance, change: int) -> float | None:
        """The parent's answer; None while it gives none."""
        now = self._clock.monotonic()
        if self._away_until is not None and now < self._away_until:
            return None
        try:
            question = orjson.dumps([key, allowance.rate, allowance.burst, change])
            wait: float | None = orjson.loads(await self._parent.ask(question))
        except LinkLost as error:
            if self._away_until is None:
                self._log.warning("the parent does not answer, each worker limits by itself", error=str(error))
            self._away_until = now + AWAY_SECONDS
            return None
        self._away_until = None
        return NEVER if wait is None else wait
