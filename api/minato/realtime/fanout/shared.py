"""Fan-out over several processes: own listeners hear at once, the others through a relay.

The way to the others may break; it is opened again, and nobody here waits for it.

    start ─► OPENING ── relay.open ──► SERVING ── RelayLost, or anything else ──► PAUSED ── 0.1 … 5 s ──► OPENING
               │                         │ ▲
               │ refused: PAUSED         ▼ │ _send: BATCH of what waits
    _post ─────┴─────────────────► _waiting, at most `backlog`; beyond that counted as dropped
    stop: what waits has FLUSH_SECONDS to leave, then nothing is delivered any more and the task ends

`_idle` is set while nothing waits in SERVING; `_wake` says that something does.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import orjson
import structlog

from minato.background import Supervisor, ended
from minato.entropy import Entropy
from minato.realtime.fanout.base import Deliver, Envelope, Hear, Note
from minato.realtime.fanout.codec import UnreadableParcel, decode_parcel, encode_parcel

NODE_BYTES = 8
CONNECT_SECONDS = 5.0
FLUSH_SECONDS = 1.0
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
BATCH = 100

Take = Callable[[bytes], None]


class RelayLost(Exception):
    """The connection to the other processes is gone, or can't be made."""


class Session(Protocol):
    """An open way to the other processes."""

    async def send(self, parcels: Sequence[bytes]) -> None:
        """Send to every process that listens, perhaps to this one, too. Raises RelayLost."""
        ...

    async def lost(self) -> None:
        """Return once nothing can come any more."""
        ...


class Relay(Protocol):
    """Carries bytes between processes, in order per sender."""

    def open(self, take: Take) -> AbstractAsyncContextManager[Session]:
        """Connect; `take` gets what comes. Raises RelayLost."""
        ...


class SharedFanout:
    """A `Fanout` on `relay`; at most `backlog` parcels wait for it."""

    def __init__(
        self,
        relay: Relay,
        entropy: Entropy,
        backlog: int,
        supervisor: Supervisor,
        log: structlog.stdlib.BoundLogger,
    ) -> None:
        self.dropped = 0
        self._relay = relay
        self._node = entropy.bytes(NODE_BYTES)
        self._backlog = backlog
        self._supervisor = supervisor
        self._log = log
        self._waiting: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._deliver: Deliver | None = None
        self._hear: Hear | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self, deliver: Deliver, hear: Hear) -> None:
        """Open the way to the others; if it takes long, it is opened in the background."""
        self._deliver, self._hear = deliver, hear
        self._task = self._supervisor.keep("fan-out", self._run)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), CONNECT_SECONDS)

    async def stop(self) -> None:
        """Let out what waits, then close."""
        if self._task is None:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), FLUSH_SECONDS)
        self._deliver = self._hear = None
        await ended(self._task)

    async def publish(self, envelope: Envelope) -> None:
        """Deliver here now, and send to the others."""
        if self._deliver is not None:
            self._deliver(envelope)
        self._post(envelope)

    def tell(self, note: Note) -> None:
        """Send to the others."""
        self._post(note)

    def _post(self, parcel: Envelope | Note) -> None:
        if len(self._waiting) >= self._backlog:
            self.dropped += 1
            return
        try:
            encoded = encode_parcel(parcel)
        except orjson.JSONEncodeError:
            return  # no client could be told it either
        self._waiting.append(self._node + encoded)
        self._idle.clear()
        self._wake.set()

    def _take(self, data: bytes) -> None:
        if data.startswith(self._node) or self._deliver is None or self._hear is None:
            return
        try:
            parcel = decode_parcel(data[NODE_BYTES:])
            if isinstance(parcel, Note):
                self._hear(parcel)
            else:
                self._deliver(parcel)
        except Exception as error:
            # Whoever may write to the relay may write anything; one bad parcel must not end the way to the others.
            unexpected = None if isinstance(error, UnreadableParcel) else error
            self._log.warning("a parcel of another process can't be read", bytes=len(data), exc_info=unexpected)

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                async with self._relay.open(self._take) as session:
                    pause = FIRST_PAUSE
                    await self._serve(session)
            except Exception as error:
                # Whatever happened to this connection, the next may be well.
                unexpected = None if isinstance(error, RelayLost) else error
                self._log.warning("fan-out lost", reason=str(error), exc_info=unexpected)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _serve(self, session: Session) -> None:
        """Send what is posted until the session is lost."""
        tasks = [asyncio.ensure_future(session.lost()), asyncio.ensure_future(self._send(session))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        raise RelayLost("the connection was closed")

    async def _send(self, session: Session) -> None:
        while True:
            while self._waiting:
                await session.send([self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH))])
            self._idle.set()
            self._wake.clear()
            await self._wake.wait()
