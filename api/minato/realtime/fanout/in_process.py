"""Fan-out for a single process: straight to its own listeners."""

from __future__ import annotations

from minato.realtime.fanout.base import Deliver, Envelope, Hear, Note


class InProcessFanout:
    """A `Fanout` without any wire."""

    dropped = 0

    def __init__(self) -> None:
        self._deliver: Deliver | None = None

    async def start(self, deliver: Deliver, hear: Hear) -> None:
        """Deliver everything that is published to `deliver`; there is nobody to hear of."""
        self._deliver = deliver

    async def stop(self) -> None:
        """Deliver nothing any more."""
        self._deliver = None

    async def publish(self, envelope: Envelope) -> None:
        """Deliver now."""
        if self._deliver is not None:
            self._deliver(envelope)

    def tell(self, note: Note) -> None:
        """Nobody else is there."""
