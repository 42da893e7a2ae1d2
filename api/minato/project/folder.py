"""What lies in a project's `supabase/` folder, by the names the Supabase CLI gives it.

The folders below `seeds/` are Minato's own addition; a project may lack them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MIGRATION = re.compile(r"([0-9]+)_(.*)\.sql")
# What early releases of the CLI made first; databases have it by themselves since.
_EARLY_INIT = re.compile(r"([0-9]{14})_init\.sql")
_INIT_SINCE = 20211209000000


@dataclass(frozen=True)
class Migration:
    """One file of `supabase/migrations`: `<version>_<name>.sql`."""

    path: Path
    version: str
    name: str


@dataclass(frozen=True)
class Project:
    """The folder that holds `supabase/`."""

    root: Path

    @property
    def folder(self) -> Path:
        """Where everything of the project lies."""
        return self.root / "supabase"

    @property
    def migrations_folder(self) -> Path:
        return self.folder / "migrations"

    @property
    def seeds_folder(self) -> Path:
        return self.folder / "seeds"

    def migrations(self) -> list[Migration]:
        """Every migration in the order of the file names; files of other names are none."""
        return [found for found in self._migrations() if isinstance(found, Migration)]

    def skipped_migrations(self) -> list[str]:
        """Which files of the folder are no migrations, in the CLI's words."""
        return [found for found in self._migrations() if isinstance(found, str)]

    def migration_of(self, version: str) -> Migration | None:
        """The file of a version, the first one where several have it."""
        return next((file for file in self.migrations() if file.version == version), None)

    def _migrations(self) -> Iterator[Migration | str]:
        if not self.migrations_folder.is_dir():
            return
        paths = sorted(self.migrations_folder.iterdir(), key=lambda path: path.name.encode())
        for position, path in enumerate(paths):
            match, early = _MIGRATION.fullmatch(path.name), _EARLY_INIT.search(path.name)
            if not path.is_file():
                continue
            if position == 0 and early and int(early[1]) < _INIT_SINCE:
                yield _skipped(path.name, 'replace "init" with a different file name to apply this migration')
            elif match is None:
                yield _skipped(path.name, 'file name must match pattern "<timestamp>_name.sql"')
            else:
                yield Migration(path, match[1], match[2])


def _skipped(name: str, advice: str) -> str:
    return f"Skipping migration {name}... ({advice})"
