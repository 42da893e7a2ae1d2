"""The branches of one process: made, found, dropped, and looked after while there are any."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg

from minato.background import begun, ended
from minato.clock import Clock
from minato.entropy import Entropy
from minato.folder_removal import remove_folder
from minato.host.base import Base, Source
from minato.host.branch import Branch
from minato.host.carried import carry
from minato.host.databases import Databases
from minato.host.errors import BranchError, BranchExists
from minato.host.files import link_files
from minato.host.leavings import PREFIX, Leavings
from minato.host.names import BASE, SNAPSHOT, new_id, require_id
from minato.host.own import AS_MAIN, Own
from minato.host.restore import Restore
from minato.host.rota import Rota
from minato.host.snapshots import Snapshots
from minato.host.sources import Sources
from minato.host.transfer import Transfer
from minato.host.warm import Warm
from minato.main import Application
from minato.postgres.errors import PostgresError
from minato.postgres.lock import DataFolderLock

LIMIT = 100
BEAT_SECONDS = 1.0
# How long it is remembered why a branch is not there any more.
REMEMBERED = timedelta(hours=1)
MOST_REMEMBERED = 1000
TTL = 900.0

Create = Callable[[str, str, Path, Own], Application]
"""A backend by its id, its database's name, its folder and what else is its own; nothing of it runs."""


@dataclass(frozen=True)
class Wish:
    """What is asked of a new branch."""

    id: str | None = None
    source: str = "base"
    ttl: float = TTL
    label: str = ""
    force: bool = False
    own: Own = AS_MAIN


@dataclass(frozen=True)
class Gone:
    """When a branch went, and why."""

    at: datetime
    why: str


class Branches:
    """Those of `folder`, which holds a folder for each with its files; what lies there at the start is a crash's."""

    def __init__(
        self,
        main: Application,
        folder: Path,
        databases: Databases,
        base: Base,
        create: Create,
        db_url: Callable[[str], str],
    ) -> None:
        self.base = base
        self.databases = databases
        self._folder = folder
        self._create = create
        self._db_url = db_url
        self._supervisor = supervisor = main.backend.supervisor
        self._log, self._journal = main.backend.log, main.backend.journal
        # Its own: a branch's life is counted in real time.
        self.clock, self._entropy = Clock(), Entropy()
        self._living: dict[str, Branch] = {}
        self._begun: set[str] = set()
        self._arrivals: dict[str, asyncio.Event] = {}
        self._warm = Warm(folder, databases, supervisor, self._entropy)
        self.rota = Rota(self._log)
        self.leavings = Leavings(folder, databases, self._log)
        self.sources = Sources(main, base, databases, Snapshots(folder / ".snapshots"), self._living, self.leavings)
        named = main.backend.settings.database.postgres_bin
        programs = {"PATH": os.defpath, **({"MINATO_POSTGRES_BIN": str(named)} if named is not None else {})}
        self.transfer = Transfer(self.sources, databases, folder / ".snapshots", programs)
        self.restore = Restore(main, folder / ".restore", databases, self.sources)
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

    def was_there(self, id_: str) -> bool:
        """Whether there is such a branch, or was one of late."""
        return id_ in self._living or id_ in self._gone or id_ in self._arrivals

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

    async def create(self, wish: Wish, began: float | None = None, ahead: Source | None = None) -> Branch:
        """A branch that answers; it was asked for at `began` of the loop's time, and `ahead` is a copy of its source.
        Raises BranchError."""
        began = asyncio.get_running_loop().time() if began is None else began
        id_ = require_id(wish.id) if wish.id is not None else new_id(self._entropy)
        self.sources.require(wish.source)
        if id_ in self._living or id_ in self._begun:
            raise BranchExists(f'There is a branch "{id_}" already.')
        if len(self._living) + len(self._begun) >= LIMIT:
            raise BranchError(409, "too_many_branches", f"There are {LIMIT} branches already.", "Drop some.")
        self._begun.add(id_)
        try:
            await self.open()
            await self.leavings.finish(id_)
            branch = await (self._made(id_, wish) if ahead is None else self._cloned(id_, wish, ahead))
        finally:
            self._begun.discard(id_)
        branch.milliseconds = round((asyncio.get_running_loop().time() - began) * 1000)
        self._living[id_] = branch
        self._gone.pop(id_, None)
        self._tell(branch, "reset" if self.is_arriving(id_) else "created")
        self._look_after()
        if self.base.known is not None:
            self._warm.want(self.base.known)
        return branch

    async def drop(self, id_: str, why: str = "was dropped") -> None:
        """End it; all that was its own is removed in the background. Raises BranchError where there is none."""
        branch = self.require(id_)
        del self._living[id_]
        self._begun.add(id_)
        self._remember(id_, why)
        if not self.is_arriving(id_):
            self._tell(branch, "dropped")
        try:
            await branch.end()
        finally:
            self._begun.discard(id_)
            await self.leavings.add(id_)

    async def reset(self, id_: str, source: str | None = None, force: bool = False) -> Branch:
        """Begin it anew, from where it came or from `source`; its address and keys stay, and who asks meanwhile waits.
        Raises BranchError; where it cannot come from there, it stays as it is."""
        began, former = asyncio.get_running_loop().time(), self.require(id_)
        wish = Wish(id_, source or former.source, former.ttl, former.label, force, former.own)
        if wish.source == id_:
            raise BranchError(400, "bad_request", "A branch cannot come from itself.", "Save a snapshot of it first.")
        self.sources.require(wish.source)
        arrival = self._arrivals[id_] = asyncio.Event()
        try:
            async with self._ahead(wish) as copied:
                await self.drop(id_, "did not come back from a reset")
                return await self.create(wish, began, copied)
        finally:
            del self._arrivals[id_]
            arrival.set()

    def is_arriving(self, id_: str) -> bool:
        """Whether it is being reset, and who asks has to wait."""
        return id_ in self._arrivals

    async def arrived(self, id_: str) -> None:
        """Wait for a branch that is being reset, be it again and again."""
        while (arrival := self._arrivals.get(id_)) is not None:
            await arrival.wait()

    async def drop_labelled(self, prefix: str) -> int:
        """Drop those whose label begins so; how many went."""
        going = [branch.id for branch in self.living if branch.label.startswith(prefix)]
        for id_ in going:
            with suppress(BranchError):
                await self.drop(id_)
        return len(going)

    async def mend(self) -> None:
        """Before main starts: go on with a restore of it that was cut off, or take it back."""
        try:
            await self.restore.recover()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, BranchError):
            self._log.exception("a restore of main could not be mended")
        await self.databases.close()

    def begin(self) -> None:
        """Drop what a crash left, beside the first requests."""
        if any(self._folder.glob("[a-z0-9]*/")):
            begun("dropping what branches left", self.open(), self._log)

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
            self.rota.allow(await self.databases.connections())
            self._is_open = True

    async def close(self) -> None:
        """Drop all of them; the template stays for the next start."""
        await ended(self._beat)
        going = (self.drop(id_, "went with its server") for id_ in list(self._living))
        await asyncio.gather(*going, return_exceptions=True)
        await self.leavings.settle()
        await self._warm.close()
        await self.base.close()
        await self.databases.close()
        self._lock.release()

    async def look(self) -> None:
        """Drop what has expired, and let those doze that nobody asks."""
        now = self.now()
        for branch in self.living:
            branch.touch(now)
            why = await self._end_of(branch, now)
            if self._living.get(branch.id) is not branch:
                continue  # somebody dropped or reset it meanwhile
            if why is not None:
                await self.drop(branch.id, why)
            else:
                await branch.doze_if_idle(now)
        for id_ in [id_ for id_, gone in self._gone.items() if now - gone.at > REMEMBERED]:
            del self._gone[id_]
        if not self._living and not self._begun and not self.leavings.waiting:
            await self.databases.close()

    async def _end_of(self, branch: Branch, now: datetime) -> str | None:
        """Why its time is over; None while it is not."""
        if branch.has_expired(now):
            return f"expired, unused for {branch.ttl:g} seconds,"
        if branch.is_cut_off and not await self.databases.exists(branch.database):
            return "lost its database, as by a reset of the project,"
        return None

    def _look_after(self) -> None:
        if self._beat is None or self._beat.done():
            self._beat = self._supervisor.begin("looking after branches", self.look, BEAT_SECONDS)

    async def _made(self, id_: str, wish: Wish) -> Branch:
        async with self.sources.held(wish.source) as source:
            try:
                return await self._cloned(id_, wish, source)
            except asyncpg.InvalidCatalogNameError:
                if wish.source != BASE:
                    raise
        self.base.forget()
        return await self._cloned(id_, wish, await self.base.source())

    @asynccontextmanager
    async def _ahead(self, wish: Wish) -> AsyncIterator[Source | None]:
        """A copy of the source until the block ends, where others could keep it from being made later; None of a source
        that nobody is connected to, which is there. Raises BranchError."""
        async with AsyncExitStack() as stack:
            async with self.sources.held(wish.source) as source:
                copied = None
                if source.sessions is not None:
                    name = f"r{self._entropy.base32(8)}"
                    database, folder = await stack.enter_async_context(self._materials(name, source, wish.force))
                    stack.push_async_callback(self.leavings.add, name)
                    copied = replace(source, database=database, folder=folder, sessions=None)
            yield copied

    async def _cloned(self, id_: str, wish: Wish, source: Source) -> Branch:
        async with self._materials(id_, source, wish.force) as (database, folder):
            application = self._create(id_, database, folder, wish.own)
            if source.knows is not None:
                application.data_api.keeper.adopt(source.knows)
            await application.start()
            if source.name.startswith(SNAPSHOT):
                await carry(source.carries, application.backend)
            if source.knows is None and source.name == BASE:
                await application.data_api.keeper.reload()
                self.base.learn(source, application.data_api.keeper.learned)
            now = self.now()
        shown = self._db_url(database)
        lasting = wish.source, wish.label, wish.ttl
        return Branch(id_, application, database, shown, *lasting, now, now, rota=self.rota, own=wish.own)

    @asynccontextmanager
    async def _materials(self, id_: str, source: Source, force: bool) -> AsyncIterator[tuple[str, Path]]:
        """A database and a folder; both go again where the block fails."""
        folder, database = self._folder / id_, PREFIX + id_
        if folder.exists():
            await self._remove_left(folder)
        if await self.databases.exists(database):
            raise BranchExists(f'There is a database "{database}" that is no branch of ours.')
        # First the folder, which tells the next start of the database should this process end in between.
        folder.mkdir(mode=0o700)
        try:
            await self._copy(source, database, folder, force)
            yield database, folder
        except BranchExists:
            remove_folder(folder)
            raise
        except BaseException:
            await asyncio.shield(self._remove_left(folder))
            raise

    async def _copy(self, source: Source, database: str, folder: Path, force: bool) -> None:
        if source.name == BASE:
            if await self._warm.take(source, database, folder):
                return
            await self.databases.clone(database, source.database)
        else:
            await self.sources.copy(source, database, force)
        await asyncio.to_thread(link_files, source.folder, folder)

    async def _remove_left(self, folder: Path) -> None:
        await self.databases.drop(PREFIX + folder.name)
        await asyncio.to_thread(remove_folder, folder)

    def _tell(self, branch: Branch, what: str) -> None:
        told = {"id": branch.id, "label": branch.label, "from": branch.source, "what": what}
        self._journal.note("branch", f"branch {branch.id} {what}", lambda whole: dict(told), cause=None)

    def _remember(self, id_: str, why: str) -> None:
        self._gone[id_] = Gone(self.now(), why)
        while len(self._gone) > MOST_REMEMBERED:
            self._gone.popitem(last=False)
