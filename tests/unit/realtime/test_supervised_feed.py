"""A change feed whose streams fail: what followers and the log are told of the attempts, and how often."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import asyncpg
import pytest
import structlog
from minato.background import Supervisor
from minato.config.realtime import RealtimeSettings
from minato.database.outage import Outage
from minato.realtime.change_feed import supervised
from minato.realtime.change_feed.base import LOST, Change, FeedState, Told
from minato.realtime.change_feed.relayed import NotFlowing
from minato.realtime.change_feed.supervised import UNREACHABLE, SupervisedFeed

from tests.support.waiting import until

FULL = 'could not write to file "pg_replslot/{}.tmp/state.tmp": No space left on device'


class Marks:
    """Nobody puts any into these streams."""

    def pass_by(self, batch: Sequence[Told]) -> None: ...

    def lose(self) -> None: ...


class Scripted:
    """A `Stream` that opens unless `failure` says why not, and ends when it is `broken`."""

    def __init__(self, failure: Exception | None) -> None:
        self.broken = asyncio.Event()
        self._failure = failure

    async def open(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def batches(self, size: int) -> AsyncIterator[list[Change]]:
        await self.broken.wait()
        raise ConnectionResetError
        yield []

    async def cover_published(self) -> None: ...

    def close(self) -> None: ...

    async def gone(self) -> None: ...


class Story:
    """A feed on streams that fail as `failures` say, and everything that it told."""

    def __init__(self, failures: Sequence[Exception | None]) -> None:
        self.logged: list[str] = []
        self.states: list[FeedState] = []
        log = structlog.wrap_logger(None, processors=[self._log])
        self.streams = [Scripted(failure) for failure in failures]
        left: Iterator[Scripted] = iter(self.streams)
        settings, self.supervisor = RealtimeSettings(), Supervisor(log, Outage())
        marks: Any = Marks()
        self.feed = SupervisedFeed([lambda: next(left)], settings, self.supervisor, log, marks)
        entered = self.feed.status.set

        def enter(state: FeedState) -> None:
            self.states.append(state)
            entered(state)

        self.feed.status.set = enter  # type: ignore[method-assign]

    def _log(self, *said: Any) -> str:
        self.logged.append(said[2]["event"])
        return ""

    async def run(self) -> None:
        """Until the last stream flows."""
        await self.feed.start(nobody)
        for stream in self.streams[:-1]:
            stream.broken.set()
        await until(lambda: self.feed.status.current.live and self.feed._stream is self.streams[-1])
        await self.feed.stop()
        await self.supervisor.close()


async def nobody(changes: list[Change]) -> None:
    """Nobody follows."""


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervised, "FIRST_PAUSE", 0.0)


async def test_attempts_that_fail_alike_are_told_once_and_the_end_of_them_is_told() -> None:
    story = Story([None, *(NotFlowing(UNREACHABLE) for _ in range(20)), None])
    await story.run()
    assert [(state.live, state.failure) for state in story.states] == [
        (True, None),
        (False, LOST),
        (False, UNREACHABLE),
        (True, None),
    ]
    assert story.logged == ["change feed lost", "change feed works again"]


async def test_a_slot_of_its_own_makes_no_reason_a_new_one() -> None:
    slots = ("supabase_realtime_replication_slot_qc7lu5do56", "supabase_realtime_replication_slot_zc34vhmknv")
    story = Story([*(asyncpg.DiskFullError(FULL.format(slot)) for slot in slots), None])
    await story.run()
    told = f"{UNREACHABLE}: {FULL.format('supabase_realtime_replication_slot_…')}"
    assert [state.failure for state in story.states] == [told, None]
    assert story.logged == ["change feed lost", "change feed works again"]
