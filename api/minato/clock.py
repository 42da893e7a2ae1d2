"""The one place that knows what time it is.

Whatever reads the time asks a `Clock`, so that a test can move it and wait for a token to expire in no time.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class Clock:
    """The wall clock, plus an offset that tests move."""

    def __init__(self) -> None:
        self.offset = timedelta(0)

    def now(self) -> datetime:
        """The present moment as an aware UTC datetime."""
        return datetime.now(UTC) + self.offset

    def timestamp(self) -> float:
        """The present moment in Unix seconds."""
        return time.time() + self.offset.total_seconds()

    def monotonic(self) -> float:
        """Seconds that never go backwards, for measuring; moved by the offset too, so that timeouts can be tested."""
        return time.monotonic() + self.offset.total_seconds()

    def advance(self, delta: timedelta) -> None:
        """Let `delta` pass at once."""
        self.offset += delta
