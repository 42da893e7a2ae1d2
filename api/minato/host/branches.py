"""The branches of one process: made, found, dropped, and looked after while there are any."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg
import structlog

from minato.background import Supervisor, ended
from minato.clock import Clock
from minato.entropy import Entropy
from minato.host.base import Base, Source
from minato.host.branch import Branch
from minato.host.databases import Databases
from minato.host.errors import BranchError, BranchExists
from minato.host.files import link_files, remove_folder
from minato.host.names import new_id, require_id
from minato.main import Application
from minato.postgres.errors import PostgresError
from minato.postgres.lock import DataFolderLock

LIMIT = 100
BEAT_SECONDS = 1.0
# How long it is remembered why a branch is not there any more.
REMEMBERED = timedelta(hours=1)
MOST_REMEMBERED = 1000
TTL = 900.0
PREFIX = "b_"

Create = Callable[[str, str, Path], Application]
"""A backend by its id, its database's name and its folder; nothing of it runs."""


@dataclass(frozen=True)
class Wish:
    """What is asked of a new branch."""

    id: str | None = None
    source: str = "base"
    ttl: float = TTL
    label: str = ""


@dataclass(frozen=True)
class Gone:
    """When a branch went, and why."""

    at: datetime
    why: str


class Branches:
    """Those of `folder`, which holds a folder for each with its files; what lies there at the start is a crash's."""

    def __init__(
        self,
        folder: Path,
        databases: Databases,
        base: Base,
        create: Create,
        db_url: Callable[[str], str],
        supervisor: Supervisor,
        log: structlog.stdlib.BoundLogger,
    ) -> None:
        self.base = base
        self.databases = databases
        self._folder = folder
        self._create = create
        self._db_url = db_url
        self._supervisor = supervisor
        self._log = log
        # Its own: a branch's life is counted in real time.
        self.clock, self._entropy = Clock(), Entropy()
        self._living: dict[str, Branch] = {}
        self._begun: set[str] = set()
        self._gone: OrderedDict[str, Gone] = OrderedDict()
        self._lock = DataFolderLock(folder / "lock")
        self._is_open = False
        self._opening = asyncio.Lock()
        self._beat: asyncio.Task[None] | None = None

    @property
    def living(self) -> list[Branch]:
        """All of them, the oldest first."""
        return list(self._living.values())

    def find(self, id_: str) -> Branch | None:
        """The branch of that name."""
        return self._living.get(id_)

    def require(self, id_: str) -> Branch:
        """The same. Raises BranchError, which says what became of one that is no more."""
        found, gone = self._living.get(id_), self._gone.get(id_)
        if found is not None:
            return found
        if gone is not None:
            message = f'The branch "{id_}" {gone.why} at {gone.at:%Y-%m-%dT%H:%M:%SZ}.'
            raise BranchError(410, "branch_expired", message)
        known = ", ".join(["main", *self._living][:20])
        raise BranchError(404, "branch_not_found", f'There is no branch "{id_}".', f"Known: {known}.")

    def now(self) -> datetime:
        """The present, which no clock of a branch moves."""
        return self.clock.now()

    async def create(self, wish: Wish) -> Branch:
        """A branch that answers. Raises BranchError."""
        began = asyncio.get_running_loop().time()
        id_ = require_id(wish.id) if wish.id is not None else new_id(self._entropy)
        if wish.source != "base":
            hint = "Known: base."
            raise BranchError(404, "branch_not_found", f'A branch cannot come from "{wish.source}".', hint)
        if id_ in self._living or id_ in self._begun:
            raise BranchExists(f'There is a branch "{id_}" already.')
        if len(self._living) + len(self._begun) >= LIMIT:
            raise BranchError(409, "too_many_branches", f"There are {LIMIT} branches already.", "Drop some.")
        self._begun.add(id_)
        try:
            await self.open()
            branch = await self._made(id_, wish)
        finally:
            self._begun.discard(id_)
        branch.milliseconds = round((asyncio.get_running_loop().time() - began) * 1000)
        self._living[id_] = branch
        self._gone.pop(id_, None)
        self._look_after()
        return branch

    async def drop(self, id_: str, why: str = "was dropped") -> None:
        """End it and remove all that was its own. Raises BranchError where there is none."""
        branch = self.require(id_)
        del self._living[id_]
        self._begun.add(id_)
        self._remember(id_, why)
        try:
            await branch.end()
            await self._remove(branch)
        finally:
            self._begun.discard(id_)

    async def open(self) -> None:
        """Take the folder, and drop what a crash left. Raises BranchError."""
        async with self._opening:
            if self._is_open:
                return
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                self._lock.acquire()
            except PostgresError as error:
                raise BranchError(501, "branches_unavailable", str(error)) from None
            for left in sorted(self._folder.glob("[a-z0-9]*/")):
                await self._remove_left(left)
            self._is_open = True

    async def close(self) -> None:
        """Drop all of them; the template stays for the next start."""
        await ended(self._beat)
        going = (self.drop(id_, "went with its server") for id_ in list(self._living))
        await asyncio.gather(*going, return_exceptions=True)
        await self.base.close()
        await self.databases.close()
        self._lock.release()

    async def look(self) -> None:
        """Drop what has expired, and let those doze that nobody asks."""
        now = self.now()
        for branch in self.living:
            branch.touch(now)
            if branch.has_expired(now):
                await self.drop(branch.id, f"expired, unused for {branch.ttl:g} seconds,")
            elif branch.is_cut_off and not await self.databases.exists(branch.database):
                await self.drop(branch.id, "lost its database, as by a reset of the project,")
            else:
                await branch.doze_if_idle(now)
        for id_ in [id_ for id_, gone in self._gone.items() if now - gone.at > REMEMBERED]:
            del self._gone[id_]
        if not self._living and not self._begun:
            await self.databases.close()

    def _look_after(self) -> None:
        if self._beat is None or self._beat.done():
            self._beat = self._supervisor.begin("looking after branches", self.look, BEAT_SECONDS)

    async def _made(self, id_: str, wish: Wish) -> Branch:
        try:
            return await self._cloned(id_, wish, await self.base.source())
        except asyncpg.InvalidCatalogNameError:
            self.base.forget()
            return await self._cloned(id_, wish, await self.base.source())

    async def _cloned(self, id_: str, wish: Wish, source: Source) -> Branch:
        async with self._materials(id_, source) as (database, folder):
            application = self._create(id_, database, folder)
            if source.knows is not None:
                application.data_api.keeper.adopt(source.knows)
            await application.start()
            if source.knows is None:
                await application.data_api.keeper.reload()
                self.base.learn(source, application.data_api.keeper.learned)
            now = self.now()
        shown = self._db_url(database)
        return Branch(id_, application, database, shown, wish.source, wish.label, wish.ttl, now, now)

    @asynccontextmanager
    async def _materials(self, id_: str, source: Source) -> AsyncIterator[tuple[str, Path]]:
        """A database and a folder; both go again where the block fails."""
        folder, database = self._folder / id_, PREFIX + id_
        if folder.exists():
            await self._remove_left(folder)
        if await self.databases.exists(database):
            raise BranchExists(f'There is a database "{database}" that is no branch of ours.')
        # First the folder, which tells the next start of the database should this process end in between.
        folder.mkdir(mode=0o700)
        try:
            await self.databases.create(database, source.database)
            await asyncio.to_thread(link_files, source.folder, folder)
            yield database, folder
        except BranchExists:
            remove_folder(folder)
            raise
        except BaseException:
            await asyncio.shield(self._remove_left(folder))
            raise

    async def _remove(self, branch: Branch) -> None:
        try:
            await self.databases.drop(branch.database)
        except Exception as error:
            # Its folder stays, and the next start drops both.
            self._log.warning("the database of a branch was not dropped", branch=branch.id, error=str(error))
        else:
            await asyncio.to_thread(remove_folder, self._folder / branch.id)

    async def _remove_left(self, folder: Path) -> None:
        await self.databases.drop(PREFIX + folder.name)
        await asyncio.to_thread(remove_folder, folder)

    def _remember(self, id_: str, why: str) -> None:
        self._gone[id_] = Gone(self.now(), why)
        while len(self._gone) > MOST_REMEMBERED:
            self._gone.popitem(last=False)
