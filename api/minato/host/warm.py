"""Clones of the template that are made ahead, so that a branch only has to take one."""

from __future__ import annotations

import asyncio
from pathlib import Path

from minato.background import Supervisor, ended
from minato.entropy import Entropy
from minato.folder_removal import remove_folder
from minato.host.base import Source
from minato.host.databases import Databases
from minato.host.files import STORAGE, link_files
from minato.host.leavings import PREFIX

SIZE = 2


class Warm:
    """Each has a folder and a database, as a branch has: what a crash leaves of them is found the same way."""

    def __init__(self, folder: Path, databases: Databases, supervisor: Supervisor, entropy: Entropy) -> None:
        self._folder = folder
        self._databases = databases
        self._supervisor = supervisor
        self._entropy = entropy
        # Each with what it is a clone of.
        self._ready: list[tuple[str, str]] = []
        self._source: Source | None = None
        self._wanted = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    @property
    def ready(self) -> int:
        """How many there are."""
        return len(self._ready)

    def want(self, source: Source) -> None:
        """Have some of `source`, soon."""
        self._source = source
        self._wanted.set()
        if self._work is None:
            self._work = self._supervisor.keep("making clones ahead", self._fill)

    async def take(self, source: Source, database: str, folder: Path) -> bool:
        """Let one become `database`, with its files in `folder`; False where there is none of `source`."""
        fitting = [one for one in self._ready if one[1] == source.database]
        if not fitting:
            return False
        self._ready.remove(fitting[0])
        name, _ = fitting[0]
        await self._databases.rename(PREFIX + name, database)
        (self._folder / name / STORAGE).rename(folder / STORAGE)
        remove_folder(self._folder / name)
        return True

    async def close(self) -> None:
        """Drop them."""
        await ended(self._work)
        await self._clear()

    async def _fill(self) -> None:
        await self._wanted.wait()
        self._wanted.clear()
        source = self._source
        assert source is not None
        await self._clear(but=source.database)
        while len(self._ready) < SIZE and source is self._source:
            await self._make(source)

    async def _make(self, source: Source) -> None:
        name = f"w{self._entropy.base32(8)}"
        folder = self._folder / name
        await asyncio.to_thread(folder.mkdir, 0o700)
        try:
            await self._databases.clone(PREFIX + name, source.database)
            await asyncio.to_thread(link_files, source.folder, folder)
        except BaseException:
            # Also where the server ends meanwhile.
            await self._remove(name)
            raise
        self._ready.append((name, source.database))

    async def _clear(self, but: str | None = None) -> None:
        for one in [one for one in self._ready if one[1] != but]:
            self._ready.remove(one)
            name, _ = one
            await self._remove(name)

    async def _remove(self, name: str) -> None:
        await self._databases.drop(PREFIX + name)
        await asyncio.to_thread(remove_folder, self._folder / name)
