"""The way to the other processes is away for long: that is told once, and when it is back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from minato.background import Supervisor
from minato.database.outage import Outage
from minato.entropy import Entropy
from minato.realtime.fanout import shared
from minato.realtime.fanout.shared import RelayLost, SharedFanout, Take
from structlog import get_logger
from structlog.testing import capture_logs

FAILURES = 20


class Relay:
    """One that can't be opened for a while."""

    def __init__(self) -> None:
        self.tries = 0
        self.opened = asyncio.Event()

    @asynccontextmanager
    async def open(self, take: Take) -> AsyncIterator[Relay]:
        self.tries += 1
        if self.tries <= FAILURES:
            raise RelayLost("ConnectionError")
        self.opened.set()
        yield self

    async def send(self, parcels: Sequence[bytes]) -> None:
        """Nobody listens."""

    async def lost(self) -> None:
        await asyncio.Event().wait()


async def test_an_outage_of_the_way_to_others_is_two_lines_however_long_it_lasts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shared, "FIRST_PAUSE", 0.0)
    relay, log = Relay(), get_logger()
    with capture_logs() as told:
        supervisor = Supervisor(log, Outage())
        fanout = SharedFanout(relay, Entropy(), 10, supervisor, log)
        await fanout.start(lambda _: None, lambda _: None)
        async with asyncio.timeout(60):
            await relay.opened.wait()
        await fanout.stop()
        await supervisor.close()
    assert [line["event"] for line in told] == ["fan-out lost", "fan-out works again"]
