"""One connection: heartbeats, the topics it joined, which channel a message is for, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib

from minato.http.asgi import Receive, Send
from minato.realtime.channel import Channel
from minato.realtime.errors import CloseCode, JoinRefused
from minato.realtime.frame_queue import FrameQueue
from minato.realtime.handshake import Handshake
from minato.realtime.message import PHOENIX_TOPIC, TOPIC_PREFIX, Message, Outgoing, Push, reply
from minato.realtime.serializer import Frame, MalformedFrame
from minato.realtime.services import Services

UNMATCHED = {"reason": "unmatched topic"}
UNKNOWN = "Unknown Error on Channel"


class Socket:
    """A client's websocket; a `Wire` for its channels."""

    def __init__(self, services: Services, shaken: Handshake) -> None:
        self.services = services
        self.serializer = shaken.serializer
        self.api_token = shaken.api_token
        self.headers = shaken.headers
        self.address = shaken.address
        settings = services.settings
        self.queue = FrameQueue(settings.send_queue_frames, settings.send_queue_bytes)
        self._channels: dict[str, Channel] = {}
        self._joinless_since = services.clock.monotonic()

    async def run(self, receive: Receive, send: Send) -> None:
        """Serve the accepted connection until either side ends it; every channel is left then."""
        writing = asyncio.create_task(self.queue.drain(send))
        reading = asyncio.create_task(self._read(receive))
        overflow = asyncio.create_task(self.queue.overflowed.wait())
        tasks = (writing, reading, overflow)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                await self._flush(writing)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self.queue.overflowed.is_set():
                self.services.limits.slow_consumers += 1
            if not reading.cancelled() and reading.exception() is not None:
                self.services.log.error("socket failed", exc_info=reading.exception())
            for channel in list(self._channels.values()):
                await channel.leave()
            self._channels.clear()
            with contextlib.suppress(OSError, TimeoutError):
                await self.queue.finish(send)

    async def _flush(self, writing: asyncio.Task[None]) -> None:
        """After a close of our own, let out what was queued before it."""
        if self.queue.is_closing:
            await asyncio.wait([writing], timeout=1.0)

    def push(self, message: Outgoing) -> None:
        """Encode and send."""
        frame = self.serializer.encode(message)
        if frame is not None:
            self.queue.put(frame)

    def send(self, frame: Frame) -> None:
        """Send a frame that is encoded already."""
        self.queue.put(frame)

    def close(self, code: CloseCode) -> None:
        """End the connection once everything queued is out."""
        self.queue.close(code)

    async def _read(self, receive: Receive) -> None:
        settings = self.services.settings
        while not self.queue.is_closing:
            try:
                async with asyncio.timeout(settings.idle_timeout):
                    event = await receive()
            except TimeoutError:
                self.close(CloseCode.NORMAL)
                return
            if event["type"] == "websocket.disconnect":
                return
            frame = event.get("text")
            if frame is None:
                frame = event.get("bytes") or b""
            if len(frame) > settings.max_frame_bytes:
                self.close(CloseCode.TOO_BIG)
                return
            await self._take(frame)
            self._require_channels()

    async def _take(self, frame: Frame) -> None:
        try:
            message = self.serializer.decode(frame)
        except MalformedFrame:
            return
        await self._route(message)

    async def _route(self, message: Message) -> None:
        channel = self._channels.get(message.topic)
        match message.event:
            case "heartbeat" if message.topic == PHOENIX_TOPIC:
                self.push(reply(message, "ok", {}))
            case "phx_join" if message.topic.startswith(TOPIC_PREFIX):
                await self._join(message)
            case "phx_leave":
                await self._leave(message, channel)
            case _ if channel is None:
                self.push(reply(message, "error", UNMATCHED))
            case _:
                await self._handle(channel, message)

    async def _join(self, message: Message) -> None:
        """Join a topic; a join of a topic that is joined already takes the place of the old instance."""
        old = self._channels.pop(message.topic, None)
        if old is not None:
            await old.leave()
        try:
            channel = Channel(self.services, self, message)
            response = await channel.join(len(self._channels))
        except JoinRefused as refusal:
            self._refuse(message, refusal)
        except Exception:
            self.services.log.exception("join failed", topic=message.topic)
            self._refuse(message, JoinRefused(None, UNKNOWN))
        else:
            self._channels[message.topic] = channel
            self.push(reply(message, "ok", response, channel.join_ref))
            channel.begin(self._forget)
        if old is not None:
            self._say_closed(old)

    def _refuse(self, message: Message, refusal: JoinRefused) -> None:
        join_ref = message.ref if message.join_ref is None else message.join_ref
        self.push(reply(message, "error", refusal.response, join_ref))
        if refusal.close is not None:
            self.close(refusal.close)

    async def _leave(self, message: Message, channel: Channel | None) -> None:
        self.push(reply(message, "ok", {}, channel.join_ref if channel else None))
        if channel is not None:
            await channel.leave()
            self._forget(channel)

    async def _handle(self, channel: Channel, message: Message) -> None:
        try:
            await channel.handle(message)
        except Exception:
            # A crash stays within its channel: the client is told and joins again.
            self.services.log.exception("channel crashed", topic=message.topic, message_event=message.event)
            await channel.leave()
            self._channels.pop(channel.wire_topic, None)
            payload = {"reason": "channel_crash"}
            self.push(Push(channel.wire_topic, "phx_error", payload, channel.join_ref, channel.join_ref))

    def _forget(self, channel: Channel) -> None:
        """The channel has ended: the client hears so, unless another instance took its place."""
        if self._channels.get(channel.wire_topic) is channel:
            del self._channels[channel.wire_topic]
        self._say_closed(channel)

    def _say_closed(self, channel: Channel) -> None:
        self.push(Push(channel.wire_topic, "phx_close", {}, channel.join_ref, channel.join_ref))

    def _require_channels(self) -> None:
        now = self.services.clock.monotonic()
        if self._channels:
            self._joinless_since = now
        elif now - self._joinless_since > self.services.settings.joinless_timeout:
            self.close(CloseCode.NORMAL)
