"""A snapshot comes back into main: whole, or not at all, wherever the process ends meanwhile.

The snapshot is cloned beside main's database, and its files are linked beside main's, while main goes on. Then main is
held still, and both databases change their names in one transaction: that is the moment at which all is decided. The
files follow; who finds a plan at the start looks which database there is, and goes on or takes back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from minato.entropy import Entropy
from minato.folder_removal import remove_folder
from minato.host.carried import carry
from minato.host.databases import Databases, name_in
from minato.host.errors import BranchError
from minato.host.files import SQL_CLOCK, STORAGE, link_files
from minato.host.holding import without_sessions
from minato.host.names import SNAPSHOT
from minato.host.sources import Sources
from minato.kept_files import write_kept
from minato.main import Application
from minato.tokens.issuers import MAIN

PLAN, FORMER = "plan.json", "former"


@dataclass(frozen=True)
class Plan:
    """The database that takes main's place, and the name that main's has from then on."""

    new: str
    former: str


class Restore:
    """Of one host; `folder` is there only while a restore is under way."""

    def __init__(self, main: Application, folder: Path, databases: Databases, sources: Sources) -> None:
        self._main = main
        self._folder = folder
        self._databases = databases
        self._sources = sources
        self._turn = asyncio.Lock()

    async def into_main(self, source: str, force: bool) -> dict[str, object]:
        """Main as the snapshot has it. Raises BranchError, and then nothing has changed."""
        began = asyncio.get_running_loop().time()
        if not source.startswith(SNAPSHOT):
            raise BranchError(
                400, "bad_request", "Main can only come back to a snapshot.", 'As {"to": "snapshot:paid"}.'
            )
        async with self._turn:
            await self._require_allowed()
            name = source.removeprefix(SNAPSHOT)
            plan, kept = await self.stage(name), self._sources.snapshots.source(name).carries
            try:
                await self._take_place(plan, kept, force)
            except BaseException:
                await asyncio.shield(self.recover())
                raise
            await self.finish(plan)
        took = round((asyncio.get_running_loop().time() - began) * 1000)
        return {"id": MAIN, "url": self._main.backend.public_url, "from": source, "ms": took}

    async def stage(self, name: str) -> Plan:
        """Copy the snapshot beside main. Raises BranchError."""
        await self.recover()
        source = self._sources.snapshots.source(name)
        part = Entropy().base32(8)
        plan = Plan(f"minato_restored_{part}", f"minato_former_{part}")
        await asyncio.to_thread(self._write, plan)
        try:
            await asyncio.to_thread(link_files, source.folder, self._folder)
            await self._databases.clone(plan.new, source.database)
        except BaseException:
            await asyncio.shield(self.recover())
            raise
        return plan

    async def swap(self, plan: Plan, force: bool) -> None:
        """Let the copy be main's database, in one step. Raises BranchError while others are connected."""
        async with without_sessions(self._main.backend.database):
            await self._databases.swap(self._name, plan.new, plan.former, force)

    async def recover(self) -> None:
        """Go on with a restore that was cut off, or take it back. Raises what PostgreSQL and the disk raise."""
        path = self._folder / PLAN
        if path.exists():
            plan = Plan(**orjson.loads(path.read_bytes()))
            if await self._databases.exists(plan.former):
                self.exchange_files()
                await self.finish(plan)
                return
            await self._databases.drop(plan.new)
        await asyncio.to_thread(remove_folder, self._folder)

    def exchange_files(self) -> None:
        """Let the copy's files be main's; once more is fine."""
        staged, target = self._folder / STORAGE, self._data / STORAGE
        if staged.exists():
            if target.exists():
                target.rename(self._free())
            staged.rename(target)
        if (self._folder / SQL_CLOCK).exists():
            (self._data / SQL_CLOCK).touch()

    async def finish(self, plan: Plan) -> None:
        """Remove what main was."""
        await self._databases.drop(plan.former)
        await asyncio.to_thread(remove_folder, self._folder)

    async def _take_place(self, plan: Plan, kept: bytes | None, force: bool) -> None:
        async with self._sources.held(MAIN):
            await self.swap(plan, force)
            # From here on there is no way back, and what fails is mended by the next start.
            await asyncio.to_thread(self.exchange_files)
            await carry(kept, self._main.backend)
            await self._main.data_api.keeper.reload()
            self._main.close_sockets()

    async def _require_allowed(self) -> None:
        database = self._main.backend.settings.database
        if database.direct_url is not None or database.read_url is not None:
            message = "Main's database is behind a pooler, or has a replica: it can't take another's place."
            raise BranchError(409, "not_ours", message)
        if database.database_url is not None and not await self._databases.may_rename(self._name):
            message = "The database is somebody else's, whose rights do not allow to replace it."
            raise BranchError(409, "not_ours", message, "Its login has to own it, and needs CREATEDB.")

    @property
    def _name(self) -> str:
        return name_in(self._main.backend.database.address.admin)

    @property
    def _data(self) -> Path:
        return self._main.backend.settings.server.data_dir.absolute()

    def _write(self, plan: Plan) -> None:
        self._folder.mkdir(mode=0o700, parents=True)
        write_kept(self._folder / PLAN, orjson.dumps(asdict(plan)))

    def _free(self) -> Path:
        """A name for files that were main's: a start that was cut off may have made others."""
        taken: Sequence[Path] = list(self._folder.glob(f"{FORMER}*"))
        return self._folder / f"{FORMER}{len(taken)}"
