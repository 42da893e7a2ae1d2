"""Removes the files of replaced objects a moment after the answer: nobody waits for them, and many go at once.

A crash before that leaves files that no row names, for the sweep, as one right after the commit does.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

import structlog

from minato.background import begun

# Seconds. Of busy writers that is a dozen files, and nobody sees an old one longer in the folder.
PAUSE: Final = 0.02
# Whoever replaces a file while so many wait does wait: uploads can't outrun the removals.
MOST_WAITING: Final = 500
# Seconds that a stop waits for a store that does not answer.
FAREWELL: Final = 5.0


class Files(Protocol):
    """Where the files are."""

    async def delete(self, paths: list[str]) -> None:
        """Remove files; those that are gone already are fine."""


class Removals:
    """Of one backend."""

    def __init__(self, files: Files, log: structlog.stdlib.BoundLogger) -> None:
        self._files = files
        self._log = log
        self._waiting: list[str] = []
        self._task: asyncio.Task[None] | None = None

    async def soon(self, path: str) -> None:
        """Have the file removed, which no row names any more; nobody waits for that unless too many are waiting."""
        self._waiting.append(path)
        if self._task is None or self._task.done():
            self._task = begun("removing replaced files", self._run(), self._log)
        if len(self._waiting) >= MOST_WAITING:
            await self.end()

    async def now(self, paths: list[str]) -> None:
        """Remove files; what can't be removed is an orphan for the sweep, not an error."""
        try:
            await self._files.delete(paths)
        except Exception as error:
            self._log.warning("files left behind", count=len(paths), first=paths[0], error=str(error))

    async def end(self, within: float | None = None) -> None:
        """Return when nothing waits, or after so many seconds: the rest is for the sweep."""
        if self._task is not None:
            await asyncio.wait([self._task], timeout=within)

    async def _run(self) -> None:
        while self._waiting:
            await asyncio.sleep(PAUSE)
            paths, self._waiting = self._waiting, []
            await self.now(paths)
