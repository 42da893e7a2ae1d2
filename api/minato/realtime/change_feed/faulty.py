"""A stream of changes that is lost, or lags, because a developer said so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from minato.clock import Clock
from minato.faults.fault import Fault, Faults
from minato.realtime.change_feed.base import Change, Stream, Told
from minato.realtime.change_feed.triggers import StreamBroken


class FaultyStream:
    """A `Stream` above another. A rule of a table is met by its next change, which is lost with the stream; one of no
    table at once, or as soon as changes flow."""

    def __init__(self, stream: Stream, faults: Faults, pause: Pause, clock: Clock) -> None:
        self._clock = clock
        self._stream = stream
        self._faults = faults
        self._pause = pause
        self._lost: asyncio.Future[Fault] | None = None

    async def open(self) -> None:
        await self._pause.over()
        await self._stream.open()

    async def cover_published(self) -> None:
        await self._stream.cover_published()

    async def batches(self, size: int) -> AsyncIterator[Sequence[Told]]:
        """What the stream brings, until a rule ends it."""
        lost = self._lost = asyncio.get_running_loop().create_future()
        batches = aiter(self._stream.batches(size))
        with self._faults.watched(self._look):
            self._look()
            while True:
                batch = await _sooner(batches, lost)
                if self._faults.rules:
                    await self._meet(batch)
                yield batch

    def close(self) -> None:
        self._stream.close()

    async def gone(self) -> None:
        await self._stream.gone()

    def _look(self) -> None:
        """Whether a rule of no table ends the stream now."""
        for fault in self._faults.at("changes"):
            do, match = fault.rule.do, fault.rule.match
            is_open = self._lost is not None and not self._lost.done()
            if is_open and do.lose_feed is not None and match.table is None and fault.fits({}) and fault.strikes():
                self._lose(fault)

    async def _meet(self, batch: Sequence[Told]) -> None:
        for change in [told for told in batch if isinstance(told, Change)]:
            fault = self._faults.of("changes", {"table": change.relation.table})
            if fault is not None:
                await fault.wait()
                await self._act(fault, change)

    async def _act(self, fault: Fault, change: Change) -> None:
        do = fault.rule.do
        if do.lose_feed is not None:
            self._lose(fault)
            raise StreamBroken("lost on purpose")
        if do.lag_ms is not None:
            # From the commit on, in real time, so that many at once are not later than one.
            passed = (self._clock.now() - self._clock.offset - change.committed_at).total_seconds()
            await asyncio.sleep(do.lag_ms / 1000 - max(0.0, passed))

    def _lose(self, fault: Fault) -> None:
        self._pause.begin((fault.rule.do.lose_feed or 0) / 1000)
        if self._lost is not None and not self._lost.done():
            self._lost.set_result(fault)


class Pause:
    """How long a feed that was lost on purpose stays so, over all the streams that are tried."""

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self, seconds: float) -> None:
        """Let nothing flow for so long."""
        self._until = asyncio.get_running_loop().time() + seconds

    async def over(self) -> None:
        """Wait until it is."""
        await asyncio.sleep(max(0.0, self._until - asyncio.get_running_loop().time()))


async def _sooner(batches: AsyncIterator[Sequence[Told]], lost: asyncio.Future[Fault]) -> Sequence[Told]:
    """The next batch. Raises StreamBroken when the stream is lost before it comes."""
    coming = asyncio.ensure_future(anext(batches))
    either: list[asyncio.Future[Any]] = [coming, lost]
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if lost.done():
            raise StreamBroken("lost on purpose")
        return coming.result()
    finally:
        if not coming.done():
            coming.cancel()
            await asyncio.wait([coming])
