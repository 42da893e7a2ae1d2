"""The ring of what happened last, and a way to hear what happens next."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Collection
from itertools import takewhile
from typing import Final, NamedTuple

from structlog.contextvars import get_contextvars

from minato.clock import Clock
from minato.journal.event import LEVELS, Data, Event, Kind, Level, Noted
from minato.journal.record import Record

# The request that is at work where an event is noted. What goes on by itself may have been begun by any.
AT_WORK: Final = ""
MOST_BYTES: Final = 64 * 1024 * 1024


class Wanted(NamedTuple):
    """Which events: of these kinds, at least so bad, of one request, with these words, after one of them."""

    kinds: Collection[str] = ()
    level: Level = "info"
    cause: str | None = None
    text: str = ""
    after: int = 0

    def has(self, event: Event) -> bool:
        """Whether `event` is one of them; words are looked for in the title."""
        return (
            event.seq > self.after
            and (not self.kinds or event.kind in self.kinds)
            and LEVELS.index(event.level) >= LEVELS.index(self.level)
            and (self.cause is None or self.cause in (event.cause, event.id))
            and self.text.lower() in event.title.lower()
        )


class Journal:
    """The last `most` events of one backend, of `most_bytes` together; none at all where it is not on."""

    def __init__(self, clock: Clock, on: bool, most: int = 5000, most_bytes: int = MOST_BYTES) -> None:
        self.on = on
        self._clock = clock
        self.most = most
        self._most_bytes = most_bytes
        self._events: deque[Event] = deque()
        self._bytes = 0
        self._last = 0
        # The newest event that went because there was no room.
        self._overtaken = 0
        self._arrival, self._is_awaited = asyncio.Event(), False

    def note(
        self,
        kind: Kind,
        title: str,
        data: Data,
        *,
        level: Level = "info",
        cause: str | None = AT_WORK,
        ms: float | None = None,
        size: int = 0,
    ) -> None:
        """Keep what happened. Nothing where the journal is not on."""
        if self.on:
            event = Noted(kind, title, data, level, size)
            event.cause = get_contextvars().get("request_id") if cause == AT_WORK else cause
            event.ms = ms
            self.keep(event)

    def keep(self, event: Event) -> None:
        """Keep `event`, which happened now; the oldest ones go when there is no room."""
        self._last = event.seq = self._last + 1
        event.at = self._clock.timestamp()
        events = self._events
        events.append(event)
        self._bytes += event.size
        while len(events) > self.most or self._bytes > self._most_bytes:
            gone = events.popleft()
            self._bytes -= gone.size
            self._overtaken = gone.seq
        if self._is_awaited:
            # A new one for the next reader: who waits may be several.
            self._arrival.set()
            self._arrival, self._is_awaited = asyncio.Event(), False

    def newest(self, wanted: Wanted, most: int) -> list[Event]:
        """What is wanted, newest first."""
        found: list[Event] = []
        for event in reversed(self._events):
            if event.seq <= wanted.after or len(found) == most:
                break
            if wanted.has(event):
                found.append(event)
        return found

    def request(self, asked: str) -> Record | None:
        """A request by its id, the `last` one, or `last:error`, the last that was refused or failed."""
        events = reversed(self._events)
        requests = (event for event in events if isinstance(event, Record) and event.kind == "request")
        if asked == "last":
            return next(requests, None)
        if asked == "last:error":
            return next((event for event in requests if event.level != "info"), None)
        return next((event for event in requests if event.id == asked), None)

    def led_to(self, request_id: str) -> list[Event]:
        """What one request led to, in order."""
        return [event for event in self._events if event.cause == request_id]

    def clear(self) -> None:
        """Forget all."""
        self._events.clear()
        self._bytes = 0

    async def follow(self, wanted: Wanted) -> AsyncGenerator[Event | None, None]:
        """What is wanted, in order, after `wanted.after` and for ever; None where the ring has overtaken the reader,
        or is another than the one that they read."""
        after = wanted.after
        while True:
            arrival, last = self._arrival, self._last
            # Later than all there ever was is who read elsewhere: before a restart, or a branch before its reset.
            if not self._overtaken <= after <= self._last:
                after, wanted = self._overtaken, wanted._replace(after=self._overtaken)
                yield None
            for event in self._since(after):
                if wanted.has(event):
                    yield event
            after = max(after, last)
            if self._last == after:
                self._is_awaited = True
                await arrival.wait()

    @property
    def last(self) -> int:
        """The number of the newest event there ever was."""
        return self._last

    def _since(self, after: int) -> list[Event]:
        return list(takewhile(lambda event: event.seq > after, reversed(self._events)))[::-1]


# Keeps nothing.
SILENT: Final = Journal(Clock(), on=False)
