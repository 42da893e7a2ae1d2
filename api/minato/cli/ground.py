"""What branches are cloned from: a database as a first start of this server makes it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from minato import __version__
from minato.cli.target import Target
from minato.config import Settings
from minato.host.databases import Databases, at
from minato.migrate.revisions import head

# Of `supabase/`: what a database is not made of.
OTHER = frozenset({".minato", ".temp", ".branches", "functions", "templates", "node_modules"})

Fill = Callable[[Settings, Target], Awaitable[None]]


class ProjectGround:
    """A `Ground`. `fill` does what a first start does to an empty database; it has a thread and a loop of its own, as
    it waits for PostgreSQL like every command."""

    def __init__(self, settings: Settings, target: Target, fill: Fill) -> None:
        self._settings = settings
        self._target = target
        self._fill = fill

    def fingerprint(self) -> str:
        """The platform's revision, and the project's files by size and time."""
        project = self._settings.server.project
        files = _files_of(project / "supabase") if project is not None else []
        named = self._settings.server.users
        people = [f"{named} {named.read_text(encoding='utf-8')}"] if named is not None and named.is_file() else []
        return "\n".join([__version__, head(), *files, *people])

    async def fill(self, database: str, folder: Path) -> None:
        """Make it; raises what a start raises."""
        settings, target = self._settings, target_at(self._target, database)
        server = settings.server.model_copy(update={"data_dir": folder})
        storage = settings.storage.model_copy(update={"url": None})
        filling = self._fill(replace(settings, server=server, storage=storage), target)
        await asyncio.to_thread(asyncio.run, _awaited(filling))


async def _awaited(work: Awaitable[None]) -> None:
    await work


def target_at(target: Target, database: str) -> Target:
    """The same logins, in another database."""
    address = Databases(target.address).address(database)
    return replace(target, address=address, url=at(target.url, database), owner=at(target.owner, database))


def _files_of(folder: Path) -> list[str]:
    found = []
    for top in sorted(folder.iterdir()) if folder.is_dir() else []:
        if top.name in OTHER:
            continue
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            stat = path.stat()
            found.append(f"{path.relative_to(folder)} {stat.st_size} {stat.st_mtime_ns}")
    return found
