"""Who listens to which topic on this process; a message to many is encoded once per wire format."""

from __future__ import annotations

from typing import Protocol

from minato.realtime.fanout.base import Envelope, Fanout, Hear, Note, Topic
from minato.realtime.serializer import EncodedOnce


class Listener(Protocol):
    """A joined channel. `instance` is unique to this join; `hear` never blocks and never raises."""

    instance: str

    def hear(self, envelope: Envelope, encoded: EncodedOnce) -> None: ...


class Hub:
    """The listeners of one backend's process, fed by a fan-out that may reach further."""

    def __init__(self, fanout: Fanout) -> None:
        self._fanout = fanout
        self._listeners: dict[Topic, dict[str, Listener]] = {}
        self._hear: Hear | None = None

    async def start(self) -> None:
        """Begin to take what other processes publish."""
        await self._fanout.start(self.deliver, self._heard)

    async def stop(self) -> None:
        """Take nothing any more."""
        await self._fanout.stop()

    @property
    def listeners(self) -> int:
        """How many channels are joined."""
        return sum(map(len, self._listeners.values()))

    @property
    def dropped(self) -> int:
        """How many messages never left for the other processes."""
        return self._fanout.dropped

    def join(self, topic: Topic, listener: Listener) -> None:
        """Let `listener` hear `topic`."""
        self._listeners.setdefault(topic, {})[listener.instance] = listener

    def leave(self, topic: Topic, listener: Listener) -> None:
        """The opposite; leaving twice is fine."""
        listeners = self._listeners.get(topic, {})
        listeners.pop(listener.instance, None)
        if not listeners:
            self._listeners.pop(topic, None)

    async def publish(self, envelope: Envelope) -> None:
        """Send to every listener of the topic, on every process."""
        await self._fanout.publish(envelope)

    def on_note(self, hear: Hear) -> None:
        """Let `hear` have what other processes tell."""
        self._hear = hear

    def tell(self, note: Note) -> None:
        """Tell the other processes."""
        self._fanout.tell(note)

    def _heard(self, note: Note) -> None:
        if self._hear is not None:
            self._hear(note)

    def deliver(self, envelope: Envelope) -> None:
        """Send to the listeners of the topic on this process only."""
        encoded = EncodedOnce(envelope.message)
        for listener in list(self._listeners.get(envelope.topic, {}).values()):
            if listener.instance != envelope.sender:
                listener.hear(envelope, encoded)
