"""Work that has to wait is written once, as an iterator of pauses in seconds; here are the two ways to wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator

Steps = Generator[float, None, None]


def run(steps: Steps) -> None:
    """Finish the work, blocking during its pauses."""
    for pause in steps:
        time.sleep(pause)


async def run_async(steps: Steps) -> None:
    """Finish the work, leaving the event loop to others during its pauses."""
    for pause in steps:
        await asyncio.sleep(pause)
