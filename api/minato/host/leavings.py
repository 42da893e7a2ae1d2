"""What branches leave behind, dropped beside the requests: DROP DATABASE waits for a checkpoint, which may take long.

The folder of a branch stands for its database until both are gone: it is the list of what is left, which the next start
goes through after a crash or a drop that failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import structlog

from minato.background import begun
from minato.folder_removal import remove_folder
from minato.host.databases import Databases

PREFIX = "b_"
# More than these that wait make the next drop wait, so that disks do not fill faster than they are emptied.
MOST_WAITING = 50


class Leavings:
    """Those of `folder`. They go one after another, by one session, whatever number of branches is dropped at once."""

    def __init__(self, folder: Path, databases: Databases, log: structlog.stdlib.BoundLogger) -> None:
        self._folder = folder
        self._databases = databases
        self._log = log
        self._waiting: dict[str, None] = {}
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._work: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()

    @property
    def waiting(self) -> list[str]:
        """The ids whose databases and folders are still there, and are to go."""
        return [*self._under_way, *self._waiting]

    async def add(self, id_: str) -> None:
        """Have what is left of a branch dropped soon. Returns at once unless very many wait already."""
        self._waiting[id_] = None
        if self._work is None or self._work.done():
            self._work = begun("dropping what branches left", self._empty(), self._log)
        if len(self._waiting) > MOST_WAITING:
            with suppress(Exception):
                await self.finish(next(iter(self._waiting)))

    async def finish(self, id_: str) -> None:
        """Drop what is left of `id_` before all others, or wait for it; nothing may be left. Raises what PostgreSQL
        raised."""
        if id_ in self._waiting:
            del self._waiting[id_]
            self._under_way[id_] = begun(f"dropping the database of branch {id_}", self._removed(id_), self._log)
        if id_ in self._under_way:
            await asyncio.shield(self._under_way[id_])

    async def settle(self) -> None:
        """Wait until nothing is left; what could not be dropped is the next start's."""
        while self.waiting:
            with suppress(Exception):
                await self.finish(self.waiting[0])

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Let none of their sessions be in main's database until the block ends, as it is to be cloned."""
        async with self._turn:
            yield

    async def _empty(self) -> None:
        while self._waiting:
            # It was told already.
            with suppress(Exception):
                await self.finish(next(iter(self._waiting)))

    async def _removed(self, id_: str) -> None:
        try:
            async with self._turn:
                await self._databases.drop(PREFIX + id_)
            await asyncio.to_thread(remove_folder, self._folder / id_)
        finally:
            # Not once the task is done: who waits for one that is done waits for nothing, and asks for ever.
            del self._under_way[id_]
