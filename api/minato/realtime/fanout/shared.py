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
import struct
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import orjson
import structlog

from minato.background import Supervisor, ended, until_one_ends
from minato.entropy import Entropy
from minato.json_text import JsonObject
from minato.realtime.fanout.base import Deliver, Envelope, Hear, Kind, Note, Topic
from minato.realtime.message import Encoding, Push, UserBroadcast

NODE_BYTES = 8
CONNECT_SECONDS = 5.0
FLUSH_SECONDS = 1.0
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
BATCH = 100

Take = Callable[[bytes], None]
LENGTH = struct.Struct(">I")


class RelayLost(Exception):
    """The connection to the other processes is gone, or can't be made. `is_told`: the log knows already."""

    def __init__(self, reason: str, is_told: bool = False) -> None:
        super().__init__(reason)
        self.is_told = is_told


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
        self._away = False

    async def start(self, deliver: Deliver, hear: Hear) -> None:
        """Open the way to the others; if it takes long, it is opened in the background."""
        self._deliver, self._hear = deliver, hear
        self._task = self._supervisor.keep("fan-out", self._run)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._idle.wait()

    async def stop(self) -> None:
        """Let out what waits, then close."""
        if self._task is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                await self._idle.wait()
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
                    self._found()
                    await self._serve(session)
            except Exception as error:
                # Whatever happened to this connection, the next may be well.
                self._missed(error)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _missed(self, error: Exception) -> None:
        """Tell of it once, however often it is tried again."""
        if isinstance(error, RelayLost):
            if error.is_told:
                return
            if not self._away:
                self._log.warning("fan-out lost", reason=str(error))
        else:
            self._log.warning("fan-out lost", reason=str(error), exc_info=error)
        self._away = True

    def _found(self) -> None:
        if self._away:
            self._log.info("fan-out works again")
        self._away = False

    async def _serve(self, session: Session) -> None:
        """Send what is posted until the session is lost."""
        await until_one_ends(session.lost(), self._send(session))
        raise RelayLost("the connection was closed")

    async def _send(self, session: Session) -> None:
        while True:
            while self._waiting:
                await session.send([self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH))])
            self._idle.set()
            self._wake.clear()
            await self._wake.wait()


# Envelopes and notes as bytes between processes: u32 length, a JSON header, the payload as the bytes it is.
# All processes run the same version, so the format promises nothing to anybody else.


class UnreadableParcel(Exception):
    """Bytes that are no envelope and no note of ours."""


def encode_parcel(parcel: Envelope | Note) -> bytes:
    """The bytes of a parcel. Raises orjson.JSONEncodeError when it is nested deeper than JSON writers go."""
    if isinstance(parcel, Note):
        header, data = orjson.dumps({"note": parcel.body}), b""
    else:
        fields, data = _message_fields(parcel.message)
        address = {"topic": parcel.topic.name, "private": parcel.topic.private, "kind": parcel.kind}
        header = orjson.dumps({**address, "sender": parcel.sender, "id": parcel.message_id, **fields})
    return LENGTH.pack(len(header)) + header + data


def _message_fields(message: Push | UserBroadcast) -> tuple[dict[str, object], bytes]:
    fields: dict[str, object] = {"to": message.topic, "event": message.event}
    if isinstance(message, Push):
        return fields, orjson.dumps(message.payload)
    return {**fields, "encoding": message.encoding, "meta": message.meta}, message.data


def decode_parcel(parcel: bytes) -> Envelope | Note:
    """The parcel behind `parcel`. Raises UnreadableParcel."""
    try:
        (length,) = LENGTH.unpack_from(parcel)
        end = LENGTH.size + length
        header = orjson.loads(parcel[LENGTH.size : end])
        if "note" in header:
            return Note(dict(header["note"]))
        message = _message(header, parcel[end:])
        topic = Topic(header["topic"], header["private"])
        return Envelope(topic, Kind(header["kind"]), message, header["sender"], header["id"])
    except (struct.error, ValueError, TypeError, KeyError) as error:
        raise UnreadableParcel(type(error).__name__) from error


def _message(header: JsonObject, data: bytes) -> Push | UserBroadcast:
    if "encoding" not in header:
        return Push(header["to"], header["event"], orjson.loads(data))
    return UserBroadcast(header["to"], header["event"], Encoding(header["encoding"]), data, header["meta"])
