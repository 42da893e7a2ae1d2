"""Empties the queue: so many requests a second, so many at once, each taken before it is sent and never sent twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import perf_counter
from typing import Final

from minato.at_work import Pending, Rounds, UnderWay
from minato.clock import Clock
from minato.database.outage import CONNECTION_ERRORS
from minato.http.outgoing import Outgoing
from minato.jobs.net.delivery import deliver
from minato.jobs.net.tables import Answer, NetTables, Request
from minato.journal.journal import SILENT, Journal
from minato.journal.secrets import shown_address
from minato.json_text import JsonObject

AT_ONCE: Final = 50
# pg_net's worker pauses so long between its batches.
PACE_SECONDS: Final = 1.0
# Answers that grew old are removed this often while nothing is asked for.
TIDY_SECONDS: Final = 600.0
_REFUSED: Final = 400
FAREWELL_SECONDS: Final = 5.0
"""How long a server that stops waits for the requests that are on their way."""


class Sender:
    """pg_net's worker."""

    def __init__(
        self,
        tables: NetTables,
        outgoing: Outgoing,
        clock: Clock,
        pace: float = PACE_SECONDS,
        journal: Journal = SILENT,
    ) -> None:
        self._journal = journal
        self._tables = tables
        self._outgoing = outgoing
        self._clock = clock
        self._pace = pace
        self._rounds = Rounds()
        self._at_work = UnderWay("webhooks")
        self._sending: dict[asyncio.Task[Answer], Request] = {}

    def requests_queued(self) -> None:
        """Look into the queue."""
        self._rounds.want()

    async def settle(self) -> None:
        """Wait until what is queued by now was sent, and every answer is kept."""
        await self._rounds.one()

    @property
    def done(self) -> int:
        """How many requests were sent."""
        return self._at_work.done

    def pending(self) -> Pending | None:
        """Those that are on their way."""
        return self._at_work.pending()

    async def keep_sending(self) -> None:
        """Send what is queued for as long as this is awaited. Raises CONNECTION_ERRORS."""
        try:
            await self._tables.tell_of_lost(self._clock.now())
            while True:
                self._rounds.begin()
                await self.drain()
                self._rounds.end()
                await self._rounds.wanted(TIDY_SECONDS)
        finally:
            await self.leave()

    async def drain(self) -> None:
        """Send until the queue is empty and every answer is kept."""
        settings = await self._tables.settings()
        while await self._tables.expire(self._clock.now(), settings):
            pass
        loop = asyncio.get_running_loop()
        begins, left, more = loop.time(), settings.batch, True
        while more or self._sending:
            if more and left == 0 and loop.time() - begins >= self._pace:
                begins, left = loop.time(), settings.batch
            room = min(left, AT_ONCE - len(self._sending))
            if more and room > 0:
                taken = await self._tables.take(room)
                left -= len(taken)
                self._begin(taken)
                more = bool(taken)
            await self._collect(max(0.0, self._pace - (loop.time() - begins)) if more and left == 0 else None)
            if self._rounds.is_wanted:
                self._rounds.begin()
                more = True

    def _begin(self, requests: Sequence[Request]) -> None:
        for request in requests:
            task = asyncio.create_task(self._deliver(request), name="pg_net request")
            self._sending[task] = request

    async def _deliver(self, request: Request) -> Answer:
        began, name = perf_counter(), f"{request.method} {shown_address(request.url)}"
        with self._at_work.begin(name):
            answer = await deliver(self._outgoing, request)
        told: JsonObject = {"id": request.id, "status": answer.status, "error": answer.error}
        is_fine = answer.status is not None and answer.status < _REFUSED
        self._journal.note(
            "webhook",
            f"{name} {answer.status or 'no answer'}",
            lambda whole: dict(told),
            level="info" if is_fine else "warn",
            cause=None,
            ms=(perf_counter() - began) * 1000,
        )
        return answer

    async def _collect(self, within: float | None) -> None:
        """Wait for answers, another look, or `within` seconds for the next second's share; keep the answers."""
        if not self._sending:
            if within:
                await asyncio.sleep(within)
            return
        # Whoever never answers holds up nobody who is asked later.
        wanted = asyncio.create_task(self._rounds.wanted(), name="another look")
        await asyncio.wait((*self._sending, wanted), timeout=within, return_when=asyncio.FIRST_COMPLETED)
        wanted.cancel()
        done = [task for task in self._sending if task.done()]
        if done:
            await self._tables.keep([task.result() for task in done], self._clock.now())
            for task in done:
                del self._sending[task]

    async def leave(self, patience: float = FAREWELL_SECONDS) -> None:
        """Let what is on its way arrive; what does not is told of by the next process that leads."""
        if not self._sending:
            return
        done, late = await asyncio.wait(self._sending, timeout=patience)
        self._sending.clear()
        try:
            if done:
                await self._tables.keep([task.result() for task in done], self._clock.now())
        except CONNECTION_ERRORS:
            pass
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
