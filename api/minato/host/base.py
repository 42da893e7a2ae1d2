"""`base`: the database that branches are cloned from, as a first start of the project makes it, with its files.

Nobody connects to it. Its name follows from what it is made of, so it is made once, found again by the next start, and
made anew when a migration or a seed changes.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import asyncpg

from minato.database.database import Database
from minato.folder_removal import remove_folder
from minato.host.databases import Databases
from minato.host.errors import BranchError
from minato.host.names import BASE
from minato.rest.schema_cache.reload import Learned

BUILDING = "_new"
PATIENCE_SECONDS = 30.0


class Ground(Protocol):
    """What a first start puts into a database, by whoever started this process."""

    def fingerprint(self) -> str:
        """A text that changes with what `fill` would do; asked in a thread."""
        ...

    async def fill(self, database: str, folder: Path) -> None:
        """Fill an empty database, and leave no session of it; stored files go below `folder`. Raises Exception."""
        ...


@dataclass(frozen=True)
class Source:
    """A database that nobody is connected to, and where its files are. `knows` is what was learned of its catalog,
    `carries` what `carried` tells of its backend; `sessions` are those of a backend that is held still."""

    name: str
    database: str
    folder: Path
    knows: Learned | None = None
    carries: bytes | None = None
    sessions: Database | None = None


class Base:
    """The template in `folder`; `tell` hears that it is made, and of what went wrong."""

    def __init__(self, ground: Ground, databases: Databases, folder: Path, tell: Callable[[str], None]) -> None:
        self._ground = ground
        self._databases = databases
        self._folder = folder
        self._tell = tell
        self._source: Source | None = None
        self._building: asyncio.Task[Source] | None = None

    async def source(self) -> Source:
        """The template as it should be now, made where it is missing or old. Raises BranchError."""
        name = await self._wanted()
        if self._source is not None and self._source.database == name:
            return self._source
        if self._building is None or self._building.done():
            self._building = asyncio.create_task(self._found_or_made(name), name="template of branches")
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                self._source = await asyncio.shield(self._building)
        except TimeoutError:
            raise BranchError(409, "template_stale", "The template is still being made", "Ask again.") from None
        return self._source

    def learn(self, source: Source, learned: Learned | None) -> None:
        """A clone has read the catalog: the next ones need not."""
        if self._source is source:
            self._source = replace(source, knows=learned)

    def forget(self) -> None:
        """Look again whether it is there: a reset of the project takes it along."""
        self._source = None

    @property
    def known(self) -> Source | None:
        """The template, if it was needed before."""
        return self._source

    async def close(self) -> None:
        """Give up making it."""
        if self._building is not None:
            self._building.cancel()
            await asyncio.wait({self._building})

    async def _wanted(self) -> str:
        text = f"{self._folder}\n{await asyncio.to_thread(self._ground.fingerprint)}"
        return f"minato_base_{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    async def _found_or_made(self, name: str) -> Source:
        folder = self._folder / name
        if folder.is_dir() and await self._databases.exists(name):
            return Source(BASE, name, folder)
        self._tell("making the template of branches")
        await self._clear()
        try:
            await self._make(name + BUILDING, self._folder / (name + BUILDING))
        except (BranchError, asyncpg.PostgresError, OSError):
            raise
        except Exception as error:
            hint = "Roles belong to the whole server: a migration must not fail where its role is there already."
            raise BranchError(409, "template_stale", f"The template could not be made: {error}", hint) from error
        await self._databases.rename(name + BUILDING, name)
        (self._folder / (name + BUILDING)).rename(folder)
        return Source(BASE, name, folder)

    async def _make(self, database: str, folder: Path) -> None:
        await asyncio.to_thread(folder.mkdir, 0o700, True)
        await self._databases.create(database)
        await self._ground.fill(database, folder)

    async def _clear(self) -> None:
        """Drop the former ones; each has a folder that is named after its database."""
        for folder in sorted(self._folder.glob("minato_base_*")):
            for database in (folder.name.removesuffix(BUILDING), folder.name):
                await self._databases.drop(database)
            await asyncio.to_thread(remove_folder, folder)
