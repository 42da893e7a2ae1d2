"""Sockets that go wrong: refused, closed, deaf, or with frames that are lost, come twice or too late."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import orjson

from minato.faults.fault import Fault, Faults
from minato.http.asgi import ASGIApp, Message, Receive, Scope, Send

UNAVAILABLE = {"type": "websocket.http.response.start", "status": 503, "headers": []}
# A frame to a client that heard of another one: kind 4.
USER_BROADCAST, BROADCAST_HEAD = 4, 5
NOTHING = {"type": "websocket.http.response.body", "body": b""}


class FaultySockets:
    """The way to a room's sockets."""

    def __init__(self, room: ASGIApp, faults: Faults) -> None:
        self._room = room
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send, who: dict[str, str]) -> None:
        rules = self._faults.at("socket")
        refusing = next((rule for rule in rules if rule.refuses and rule.fits(who) and rule.strikes()), None)
        if refusing is not None:
            await receive()
            await refusing.wait()
            await send(UNAVAILABLE)
            await send(NOTHING)
            return
        line = _Line(self._faults, send, who)
        with self._faults.watched(line.look):
            await self._room(scope, _Heard(self._faults, receive, who).receive, line.send)


class _Line:
    """What one socket hears."""

    def __init__(self, faults: Faults, send: Send, who: dict[str, str]) -> None:
        self._faults = faults
        self._send = send
        self._who = who
        self._is_open = False
        self._frames = _Frames(faults, {**who, "direction": "out"})
        self._closing: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Close it where a rule says so; the room hears that the client has left."""
        for fault in self._faults.at("socket"):
            code = fault.rule.do.close
            if self._may_close and code is not None and fault.fits(self._who) and fault.strikes():
                self._closing = asyncio.create_task(self._close(fault, code), name="closing a socket on purpose")

    @property
    def _may_close(self) -> bool:
        return self._is_open and self._closing is None

    async def _close(self, fault: Fault, code: int) -> None:
        await fault.wait()
        self._is_open = False
        with suppress(OSError, RuntimeError):
            await self._send({"type": "websocket.close", "code": code})

    async def send(self, message: Message) -> None:
        """Pass on what no rule holds back."""
        if message["type"] == "websocket.accept":
            await self._send(message)
            self._is_open = True
            self.look()
        elif message["type"] != "websocket.send":
            await self._send(message)
        elif self._is_open:
            for each in await self._frames.after(message):
                await self._send(each)


class _Heard:
    """What a room hears of one socket. Only rules that name this direction act here."""

    def __init__(self, faults: Faults, receive: Receive, who: dict[str, str]) -> None:
        self._receive = receive
        self._frames = _Frames(faults, {**who, "direction": "in"})
        self._ready: list[Message] = []

    async def receive(self) -> Message:
        """The next message that no rule holds back."""
        while not self._ready:
            message = await self._receive()
            is_frame = message["type"] == "websocket.receive"
            self._ready += await self._frames.after(message) if is_frame else [message]
        return self._ready.pop(0)


class _Frames:
    """Frames of one direction, some of which get lost, come twice, or change places with the next."""

    def __init__(self, faults: Faults, who: dict[str, str]) -> None:
        self._faults = faults
        self._who = who
        self._held: list[Message] = []

    async def after(self, message: Message) -> list[Message]:
        """What is passed on now that `message` has come."""
        fault = self._met(message) if self._faults.rules else None
        held, self._held = self._held, []
        if fault is None:
            return [message, *held]
        await fault.wait()
        do = fault.rule.do
        if do.reorder:
            self._held = [message]
            return held
        if do.mute or do.lose:
            return held
        return [message, message, *held] if do.duplicate else [message, *held]

    def _met(self, message: Message) -> Fault | None:
        known = {**self._who, **_named(message)}
        for fault in self._faults.at("socket"):
            # Who names no direction means what the client hears.
            is_meant = known["direction"] == (fault.rule.match.direction or "out")
            is_of_frames = not (fault.refuses or fault.rule.do.close)
            if is_meant and is_of_frames and fault.fits(known) and fault.strikes():
                return fault
        return None


def _named(message: Message) -> dict[str, str]:
    """What a frame says of itself, in either form of the protocol.

    >>> _named({"text": '["1", "2", "realtime:room", "broadcast", {}]'})
    {'topic': 'room', 'event': 'broadcast'}
    """
    if message.get("bytes"):
        return _named_in_bytes(message["bytes"])
    try:
        frame = orjson.loads(message.get("text") or "null")
    except orjson.JSONDecodeError:
        return {}
    if isinstance(frame, list) and len(frame) == 5:
        topic, event = frame[2], frame[3]
    elif isinstance(frame, dict):
        topic, event = frame.get("topic"), frame.get("event")
    else:
        return {}
    return {"topic": str(topic).removeprefix("realtime:"), "event": str(event)}


def _named_in_bytes(frame: bytes) -> dict[str, str]:
    """Somebody's broadcast in the form of 2.0.0: kind, lengths of topic, event and metadata, encoding, those texts.

    >>> _named_in_bytes(bytes((4, 13, 4, 0, 1)) + b"realtime:roomsaid{}")
    {'topic': 'room', 'event': 'broadcast'}
    """
    if frame[0] != USER_BROADCAST or len(frame) < BROADCAST_HEAD:
        return {}
    topic = frame[BROADCAST_HEAD : BROADCAST_HEAD + frame[1]].decode(errors="replace")
    return {"topic": topic.removeprefix("realtime:"), "event": "broadcast"}
