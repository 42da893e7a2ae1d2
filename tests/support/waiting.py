"""Waiting for something to become true, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

# Long enough for a machine with ten times as much to do; who waits goes on at once when it holds.
PATIENCE = 90.0


async def until(condition: Callable[[], bool]) -> None:
    """Return as soon as `condition` holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(0.005)
