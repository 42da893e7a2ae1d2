"""What a branch may come from: the template, main, another branch, or a snapshot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import asyncpg

from minato.folder_removal import remove_folder
from minato.host.base import Base, Source
from minato.host.branch import Branch
from minato.host.carried import CARRIED, carried
from minato.host.databases import Databases, name_in
from minato.host.errors import BranchError
from minato.host.files import link_files
from minato.host.holding import Gate, without_sessions
from minato.host.leavings import Leavings
from minato.host.names import BASE, SNAPSHOT, require_id
from minato.host.snapshots import Snapshot, Snapshots
from minato.main import Application
from minato.tokens.issuers import MAIN

# What no snapshot is called.
UNDER_WAY = "_new"


class Sources:
    """Of one host. `gate` has main's requests; `living` are the branches there are."""

    def __init__(
        self,
        main: Application,
        base: Base,
        databases: Databases,
        snapshots: Snapshots,
        living: Mapping[str, Branch],
        leavings: Leavings,
    ) -> None:
        self.gate = Gate()
        self.snapshots = snapshots
        self._main = main
        self._base = base
        self._databases = databases
        self._living = living
        self._leavings = leavings
        self._turn = asyncio.Lock()

    def require(self, name: str) -> None:
        """Raise BranchError unless there is such a source."""
        if name.startswith(SNAPSHOT):
            self.snapshots.source(name.removeprefix(SNAPSHOT))
        elif name not in (BASE, MAIN) and name not in self._living:
            known = ", ".join([BASE, MAIN, *self._living][:20])
            raise BranchError(404, "branch_not_found", f'There is no "{name}" to come from.', f"Known: {known}.")

    @asynccontextmanager
    async def held(self, name: str) -> AsyncIterator[Source]:
        """The source as it is now, which stays so until the block ends. Raises BranchError."""
        self.require(name)
        if name == BASE:
            yield await self._base.source()
        elif name.startswith(SNAPSHOT):
            yield self.snapshots.source(name.removeprefix(SNAPSHOT))
        elif name == MAIN:
            self._require_local_files()
            main, database = self._main, self._main.backend.database
            held = self.gate.holding(lambda: database.in_use > 0, main.doze, main.wake)
            async with self._leavings.paused(), held:
                yield _source(MAIN, name_in(database.address.admin), main)
        else:
            branch = self._living[name]
            async with branch.held():
                yield _source(name, branch.database, branch.application)

    async def copy(self, source: Source, database: str, force: bool) -> None:
        """Clone what `held` gave, whose own sessions are just ending. Raises BranchError."""
        try:
            if source.sessions is None:
                await self._databases.clone(database, source.database)
            else:
                async with without_sessions(source.sessions):
                    await self._databases.clone_live(database, source.database, force)
        except asyncpg.InvalidCatalogNameError:
            raise BranchError(404, "branch_not_found", f'"{source.name}" was dropped while it was copied.') from None

    async def save(self, name: str, of: str, replace: bool, force: bool) -> Snapshot:
        """Make a snapshot of a source. Raises BranchError."""
        loop, began = asyncio.get_running_loop(), asyncio.get_running_loop().time()
        require_id(name)
        self.require(of)
        async with self._turn:
            async with self.held(of) as source:
                if any(one.name == name for one in self.snapshots.all()):
                    if not replace:
                        raise BranchError(409, "snapshot_exists", f'There is a snapshot "{name}" already.')
                    if of == SNAPSHOT + name:
                        raise BranchError(400, "bad_request", "A snapshot cannot take its own place.")
                await self.staged(source, name + UNDER_WAY, force)
            return await self._settled(name + UNDER_WAY, name, of, lambda: round((loop.time() - began) * 1000))

    async def settled(self, staged: str, name: str, of: str, took: Callable[[], int]) -> Snapshot:
        """Let what was staged be the snapshot `name`, in the place of one that is there. Raises BranchError."""
        async with self._turn:
            return await self._settled(staged, name, of, took)

    async def _settled(self, staged: str, name: str, of: str, took: Callable[[], int]) -> Snapshot:
        database = self.snapshots.database(staged)
        assert database is not None, "it was staged"
        await self.removed(name)
        self.snapshots.place(staged).rename(self.snapshots.place(name))
        size, _ = await self._databases.figures(database)
        return self.snapshots.keep(name, of, size, self._main.backend.clock.now(), took())

    async def begun(self, name: str) -> str:
        """A place for what is to be a snapshot, without anything in it; the name for its database."""
        await self.removed(name)
        return self.snapshots.begin(name, self._main.backend.entropy)

    async def staged(self, source: Source, name: str, force: bool) -> str:
        """Copy it beside the snapshot whose place it is to take; its database's name. Raises BranchError."""
        database = await self.begun(name)
        try:
            await self.copy(source, database, force)
            await asyncio.to_thread(link_files, source.folder, self.snapshots.place(name))
            if source.carries is not None:
                (self.snapshots.place(name) / CARRIED).write_bytes(source.carries)
        except BaseException:
            await asyncio.shield(self.removed(name))
            raise
        return database

    async def forget(self, name: str) -> None:
        """Drop a snapshot. Raises BranchError where there is none."""
        self.snapshots.source(name)
        async with self._turn:
            await self.removed(name)

    async def removed(self, name: str) -> None:
        """Drop what has this name, whole or not."""
        database = self.snapshots.database(name)
        if database is not None:
            await self._databases.drop(database)
        await asyncio.to_thread(remove_folder, self.snapshots.place(name))

    def _require_local_files(self) -> None:
        if self._main.backend.settings.storage.url is not None:
            raise BranchError(409, "not_local_files", "Main keeps its files in an object store, which is not copied.")


def _source(name: str, database: str, application: Application) -> Source:
    backend = application.backend
    folder = backend.settings.server.data_dir.absolute()
    return Source(name, database, folder, application.data_api.keeper.learned, carried(backend), backend.database)
