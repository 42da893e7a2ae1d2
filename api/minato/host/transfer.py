"""Snapshots leave this server as files, and come from others.

The database travels as a dump, since its own files would fit no other server. A dump is made of a clone, so that
branches of the snapshot can be made meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from minato import __version__
from minato.host.archive import DUMP, FORMAT, Manifest, contents_of, pack, unpack
from minato.host.databases import Databases
from minato.host.errors import BranchError
from minato.host.names import require_id
from minato.host.snapshots import Snapshot
from minato.host.sources import Sources
from minato.host.undumped import say, undumped
from minato.migrate.revisions import head, revisions
from minato.migrate.run import current, upgrade
from minato.postgres.errors import PostgresError
from minato.postgres.programs import INSTALL, connection_variables, find_program

# What is under way; no snapshot is called so.
LEAVING, ARRIVING = "_leaving", "_arriving"
# How the database is called in statements that travel.
NAME = "minato_travelling"


class Transfer:
    """Of one host; `folder` is that of its snapshots, `programs` names where PostgreSQL's own are looked for."""

    def __init__(self, sources: Sources, databases: Databases, folder: Path, programs: Mapping[str, str]) -> None:
        self._sources = sources
        self._databases = databases
        self._folder = folder
        self._programs = programs
        self._turn = asyncio.Lock()

    def draft(self) -> IO[bytes]:
        """A file without a name, which is gone once it is closed, whatever happens."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return tempfile.TemporaryFile(dir=self._folder)

    async def leave(self, name: str, target: IO[bytes]) -> None:
        """Write the snapshot into `target`. Raises BranchError."""
        known = next((one for one in self._sources.snapshots.all() if one.name == name), None)
        source = self._sources.snapshots.source(name)
        assert known is not None, "it is a source"
        async with self._turn:
            database = await self._sources.staged(source, LEAVING, force=False)
            try:
                told = await self._told(known, database)
                await asyncio.to_thread(self._packed, told, database, target)
            finally:
                await asyncio.shield(self._sources.removed(LEAVING))

    async def arrive(self, source: IO[bytes], name: str | None, replace: bool) -> Snapshot:
        """Make a snapshot of the file, called as it was unless a `name` is given. Raises BranchError."""
        loop, began = asyncio.get_running_loop(), asyncio.get_running_loop().time()
        async with self._turn:
            database = await self._sources.begun(ARRIVING)
            place = self._sources.snapshots.place(ARRIVING)
            try:
                manifest = await asyncio.to_thread(unpack, source, place)
                called = require_id(name or manifest.name)
                self._require_free(called, replace)
                await self._require_old_enough(manifest)
                await self._databases.create(database, empty=True)
                await asyncio.to_thread(self._restored, place / DUMP, database, manifest.postgres)
                await say(self._databases.address(database), manifest.undumped)
                await self._databases.say([text.replace(NAME, database) for text in manifest.beside])
                return await self._sources.settled(
                    ARRIVING, called, manifest.of, lambda: round((loop.time() - began) * 1000)
                )
            finally:
                await asyncio.shield(self._sources.removed(ARRIVING))

    def _require_free(self, name: str, replace: bool) -> None:
        if not replace and any(one.name == name for one in self._sources.snapshots.all()):
            hint = "Give it another name, or replace it."
            raise BranchError(409, "snapshot_exists", f'There is a snapshot "{name}" already.', hint)

    async def _require_old_enough(self, manifest: Manifest) -> None:
        """Refuse what this server does not know yet."""
        here = await self._databases.version()
        if manifest.platform not in revisions():
            message = f"The snapshot is of Minato {manifest.minato[:40]}, whose database this one does not know."
            raise BranchError(400, "snapshot_too_new", message, "Upgrade Minato first.")
        if manifest.postgres // 10000 > here // 10000:
            message = f"The snapshot is of PostgreSQL {manifest.postgres // 10000}, and this is {here // 10000}."
            raise BranchError(400, "snapshot_too_new", message)

    async def _told(self, known: Snapshot, database: str) -> Manifest:
        """All but its files."""
        address = self._databases.address(database)
        return Manifest(
            format=FORMAT,
            name=known.name,
            of=known.of,
            created_at=known.created_at,
            minato=__version__,
            platform=await asyncio.to_thread(current, address.admin) or "",
            postgres=await self._databases.version(),
            beside=await self._databases.beside(database, NAME),
            undumped=await undumped(address),
        )

    def _packed(self, told: Manifest, database: str, target: IO[bytes]) -> None:
        place = self._sources.snapshots.place(LEAVING)
        flags = ["--format=custom", "--compress=0", f"--file={place / DUMP}"]
        self._run("pg_dump", told.postgres, self._databases.address(database).admin, flags)
        pack(place, told.model_copy(update={"files": contents_of(place)}), target)
        target.seek(0, os.SEEK_SET)

    def _restored(self, dump: Path, database: str, version: int) -> None:
        """Fill the database, and bring it to the platform's present. Raises BranchError."""
        address = self._databases.address(database).admin
        self._run("pg_restore", version, address, ["--exit-on-error", f"--dbname={database}", str(dump)])
        dump.unlink()
        if current(address) != head():
            upgrade(address)

    def _run(self, name: str, version: int, address: str, flags: list[str]) -> None:
        try:
            program = find_program(name, version, self._programs)
        except PostgresError as error:
            raise BranchError(501, "branches_unavailable", str(error), INSTALL) from None
        variables = connection_variables(address, {"PGCLIENTENCODING": "UTF8"})
        ended = subprocess.run(
            [program, *flags], env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if ended.returncode:
            said = next((line for line in ended.stderr.splitlines() if "error" in line), ended.stderr.strip())
            raise BranchError(409, "snapshot_not_restored", f"{name} gave up: {said[:500]}")
