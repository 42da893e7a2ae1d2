"""Waiting for processes: by looking often, never by a fixed sleep."""

from __future__ import annotations

import time
from collections.abc import Callable

# Long enough for a machine with ten times as much to do; who waits goes on at once when it holds.
PATIENCE = 90.0


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Return as soon as `holds()`; fail the test when it never does."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(0.02)
