"""Waiting for something to become true, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 20.0


async def until(condition: Callable[[], bool]) -> None:
    """Return as soon as `condition` holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(0.005)
