"""Whether a function's process keeps within its limits: it must react, and its memory is bounded."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

from minato.functions.child import Child, has_pulse

# How often it is looked at while it has requests, and how long an answer may take where no one tells processor time.
LOOK_SECONDS: Final = 0.5
_SILENT_SECONDS: Final = 15.0
# Beside the heap of JavaScript: Deno itself, and bytes outside the heap.
_BESIDE_HEAP: Final = 192


class Watch:
    """Looks after one child: ends it when it takes more than it may."""

    def __init__(self, child: Child, cpu_limit: float, memory_mb: int) -> None:
        self._child = child
        self._cpu_limit = cpu_limit
        self._memory = (memory_mb + _BESIDE_HEAP) * 1024 * 1024

    async def run(self) -> None:
        """Until the child is gone."""
        while not self._child.has_ended:
            if not await self._reacts() or _memory_of(self._child.pid) > self._memory:
                self._child.kill(limited=True)
                return
            await asyncio.sleep(LOOK_SECONDS)
        # What it began may hold its output open.
        self._child.kill()

    async def _reacts(self) -> bool:
        """False when it answered nothing while it used its share of processor time."""
        pulse = asyncio.create_task(has_pulse(self._child.port, self._child.passing), name="function pulse")
        spent, silent = _processor_time(self._child.pid), 0.0
        try:
            while not pulse.done() and not self._child.has_ended:
                await asyncio.wait({pulse}, timeout=LOOK_SECONDS / 5)
                silent += LOOK_SECONDS / 5
                now = _processor_time(self._child.pid)
                if now is None or spent is None:
                    if silent > _SILENT_SECONDS:
                        return False
                elif now - spent > self._cpu_limit:
                    return False
            return True
        finally:
            pulse.cancel()
            await asyncio.wait({pulse})


def _processor_time(pid: int) -> float | None:
    """Seconds of processor time, where the system tells them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_of(pid: int) -> int:
    """Bytes in memory; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0
