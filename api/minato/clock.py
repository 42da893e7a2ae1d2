"""The one place that knows what time it is.

Whatever reads the time asks a `Clock`, so that a test can move it and wait for a token to expire in no time.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class Clock:
    """The wall clock, which a test moves, stops and lets go on. `offset` is how far ahead of the real one it is."""

    def __init__(self) -> None:
        self.offset = timedelta(0)
        # What is measured never goes back, not even where the time of day is put back.
        self._ahead = 0.0
        self._stopped: tuple[float, float] | None = None

    @property
    def frozen(self) -> bool:
        """Whether it stands still."""
        return self._stopped is not None

    def now(self) -> datetime:
        """The present moment as an aware UTC datetime."""
        if self._stopped is None:
            return datetime.now(UTC) + self.offset
        return datetime.fromtimestamp(self._stopped[0], UTC) + self.offset

    def timestamp(self) -> float:
        """The present moment in Unix seconds."""
        real = time.time() if self._stopped is None else self._stopped[0]
        return real + self.offset.total_seconds()

    def monotonic(self) -> float:
        """Seconds that never go backwards, for measuring; moved by the offset too, so that timeouts can be tested."""
        return (time.monotonic() if self._stopped is None else self._stopped[1]) + self._ahead

    def advance(self, delta: timedelta) -> None:
        """Let `delta` pass at once."""
        self.offset += delta
        self._ahead += delta.total_seconds()

    def put(self, moment: datetime) -> None:
        """Make it `moment`, earlier or later. Earlier, whatever is measured goes on from where it was."""
        delta = moment - self.now()
        self.offset += delta
        self._ahead += max(0.0, delta.total_seconds())

    def freeze(self) -> None:
        """Let it stand; standing, it can be moved."""
        if self._stopped is None:
            self._stopped = time.time(), time.monotonic()

    def resume(self) -> None:
        """Let it go on from the moment at which it stands."""
        if self._stopped is None:
            return
        wall, measured = self._stopped
        self.offset -= timedelta(seconds=time.time() - wall)
        self._ahead -= time.monotonic() - measured
        self._stopped = None

    def reset(self) -> None:
        """Be the real one again."""
        self.resume()
        self.offset = timedelta(0)
