"""What branches leave behind is waited for without asking for ever."""

from __future__ import annotations

import asyncio
from pathlib import Path

import structlog
from minato.host.databases import Databases
from minato.host.leavings import Leavings


class Refusing(Databases):
    """Refuses a drop once it is let go."""

    def __init__(self) -> None:
        self.asked, self.let_go = asyncio.Event(), asyncio.Event()

    async def drop(self, name: str) -> None:
        self.asked.set()
        await self.let_go.wait()
        raise OSError(name)


async def test_a_drop_that_ends_in_the_moment_it_is_waited_for_holds_nobody_up(tmp_path: Path) -> None:
    databases = Refusing()
    leavings = Leavings(tmp_path, databases, structlog.stdlib.get_logger())
    await leavings.add("left")
    await databases.asked.wait()
    databases.let_go.set()
    # Its first step is the one after the last of the drop.
    await asyncio.create_task(leavings.settle())
    assert leavings.waiting == []
